#pragma once

#include <string_view>

namespace lockscope::store {

/// Whether a stream that begins like this is TLS: an alert or a handshake of any version there has
/// been since SSL 3. No reply of Redis begins with either byte.
constexpr bool beginsLikeTls(std::string_view firstBytes)
{
    constexpr char kAlert = 0x15;
    constexpr char kHandshake = 0x16;
    constexpr char kMajorVersion = 0x03;
    return firstBytes.size() >= 2 && (firstBytes[0] == kAlert || firstBytes[0] == kHandshake)
           && firstBytes[1] == kMajorVersion;
}

} // namespace lockscope::store
