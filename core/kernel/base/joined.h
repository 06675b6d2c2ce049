#pragma once

#include <string>
#include <string_view>

namespace lockscope {

/// The texts one behind the other, with the separator between them. Any list of texts or views.
template<class Texts>
std::string joined(const Texts& texts, std::string_view separator)
{
    std::string all;
    bool isFirst = true;
    for (const auto& text : texts) {
        all += isFirst ? std::string_view() : separator;
        all += text;
        isFirst = false;
    }
    return all;
}

} // namespace lockscope
