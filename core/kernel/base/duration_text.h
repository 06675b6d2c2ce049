#pragma once

#include "core/kernel/base/time.h"

#include <optional>
#include <string>
#include <string_view>

namespace lockscope {

/// "28.4 s", "2 m 05 s", "5 h 12 m", "3 d 04 h"; below a second "850 ms". Negative times read as
/// zero. Cut off, not rounded: a countdown never claims more time than there is.
std::string durationText(Duration d);

/// "250ms", "10s", "5m", "2h", "1d", also "1.5s": what the command line and the filter accept.
/// nullopt when malformed or out of range (more than ten years).
std::optional<Duration> parseDuration(std::string_view text);

/// A short text that parseDuration() reads back as exactly this: "10s", "1500ms", "0.25ms". Of
/// durations that are not negative.
std::string durationWord(Duration d);

} // namespace lockscope
