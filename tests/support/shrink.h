#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace lockscope::testing {

/// The steps without those that are not needed for a failure: whatever can be left out so that
/// `fails` still says true is left out, in halves first and one by one in the end.
template<class Step, class Fails>
std::vector<Step> shrunk(std::vector<Step> steps, Fails fails)
{
    for (std::size_t length = steps.size() / 2; length > 0; length /= 2) {
        for (std::size_t at = 0; at < steps.size();) {
            std::vector<Step> fewer = steps;
            const auto begin = fewer.begin() + static_cast<std::ptrdiff_t>(at);
            const std::size_t count = std::min(length, steps.size() - at);
            fewer.erase(begin, begin + static_cast<std::ptrdiff_t>(count));
            if (fails(fewer)) {
                steps = std::move(fewer);
            } else {
                at += length;
            }
        }
    }
    return steps;
}

} // namespace lockscope::testing
