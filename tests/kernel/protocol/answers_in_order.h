#pragma once

#include "tests/support/scripted_store.h"

#include <deque>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace lockscope::testing {

/// A script for ScriptedStore: these answers, one after the other, each for a command that begins
/// so. Asking for anything else, or for more, throws.
inline ScriptedStore::Script inOrder(std::vector<std::pair<std::string, store::Outcome>> answers)
{
    using Entry = std::pair<std::string, store::Outcome>;
    auto left = std::make_shared<std::deque<Entry>>(answers.begin(), answers.end());
    return [left](const store::Command& command) {
        const std::string text = toText(command);
        if (left->empty() || !text.starts_with(left->front().first)) {
            throw std::logic_error("nobody expected: " + text);
        }
        store::Outcome outcome = std::move(left->front().second);
        left->pop_front();
        return outcome;
    };
}

} // namespace lockscope::testing
