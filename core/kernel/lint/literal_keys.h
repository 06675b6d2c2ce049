#pragma once

#include <optional>
#include <string_view>

namespace lockscope::lint {

/// The line, from 1, of the first command in the script whose key is written there as a text, or
/// comes from ARGV, or is put together from parts; nullopt: there is none that a look at the text
/// can tell.
std::optional<int> lineOfUndeclaredKey(std::string_view script);

} // namespace lockscope::lint
