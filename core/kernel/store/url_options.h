#pragma once

#include "core/kernel/store/endpoint.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

namespace lockscope::store {

/// How the parts of TlsOptions are called in a URL.
struct TlsOption {
    std::string_view name;
    std::string TlsOptions::*field;
};
inline constexpr std::array<TlsOption, 4> kTlsOptions{{{"ca", &TlsOptions::caFile},
                                                       {"cert", &TlsOptions::certificateFile},
                                                       {"key", &TlsOptions::keyFile},
                                                       {"server-name", &TlsOptions::serverName}}};

/// The user name for the Sentinels in a URL.
inline constexpr std::string_view kSentinelUserOption = "sentinel-user";

/// The machine from which the server is reached.
inline constexpr std::string_view kSshOption = "ssh";

/// The budget, see Budget.
inline constexpr std::string_view kCommandsOption = "max-commands";
inline constexpr std::string_view kBytesOption = "max-bytes";
inline constexpr std::string_view kPercentOption = "max-percent";

/// What may be a letter or a digit of an ASCII name.
inline bool isAlphanumeric(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/// Without the white space around it.
inline std::string_view trimmed(std::string_view text)
{
    constexpr std::string_view kSpaces = " \t\r\n";
    text.remove_prefix(std::min(text.find_first_not_of(kSpaces), text.size()));
    return text.substr(0, text.find_last_not_of(kSpaces) + 1); // npos + 1: nothing is left
}

} // namespace lockscope::store
