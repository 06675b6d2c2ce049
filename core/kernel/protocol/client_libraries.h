#pragma once

#include "core/kernel/protocol/protocol_info.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lockscope::protocol {

/// A client library that people install, and the protocol of the catalogue that its lock follows.
struct ClientLibrary {
    std::string_view name;     // "redis-py"
    std::string_view language; // "python"
    std::string_view protocol; // the id of the protocol
};

/// Those whose lock is known to follow a protocol of the catalogue. One library may be in it with
/// several protocols.
std::span<const ClientLibrary> clientLibraries();

/// Every language in it once, sorted.
std::vector<std::string_view> libraryLanguages();

/// "redis-py (python)" for each library with the protocol; of these languages, or of any when the
/// list is empty. A protocol of the user's own has the library that it imitates: in whatever
/// language, if it is none of clientLibraries(), and then in none that is asked for.
std::vector<std::string> librariesWith(const ProtocolInfo& info,
                                       std::span<const std::string> languages);

} // namespace lockscope::protocol
