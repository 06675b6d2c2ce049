#include "core/kernel/protocol/client_libraries.h"

#include <algorithm>
#include <array>

namespace lockscope::protocol {

/// Only those whose steps on the server are the protocol's, with a lease and a fresh token per
/// hold. Left out: what creates a lost key again when it renews (RedLock.net, aioredlock,
/// redlock-rb, go-zero), has a token per process (Spring Integration), keeps the key after the
/// release (ShedLock), or counts permits by the clocks of clients (semaphores of Node's
/// redis-semaphore).
std::span<const ClientLibrary> clientLibraries()
{
    static constexpr std::array kLibraries{
        ClientLibrary{"redis-py", "python", "set-nx-px-token"},
        ClientLibrary{"python-redis-lock", "python", "set-nx-px-token"},
        ClientLibrary{"walrus", "python", "set-nx-px-token"},
        ClientLibrary{"pottery", "python", "redlock"},
        ClientLibrary{"redlock", "node", "redlock"},
        ClientLibrary{"redis-semaphore", "node", "set-nx-px-token"},
        ClientLibrary{"redsync", "go", "redlock"},
        ClientLibrary{"bsm/redislock", "go", "set-nx-px-token"},
        ClientLibrary{"Redisson", "java", "redisson-lock"},
        ClientLibrary{"Redisson", "java", "redisson-fair"},
        ClientLibrary{"Redisson", "java", "redisson-read-write"},
        ClientLibrary{"lock4j", "java", "set-nx-px-token"},
        ClientLibrary{"StackExchange.Redis", "dotnet", "set-nx-px-token"},
        ClientLibrary{"Laravel", "php", "set-nx-px-token"},
        ClientLibrary{"redlock-php", "php", "redlock"},
        ClientLibrary{"yii2-redis", "php", "set-nx-px-token"},
        ClientLibrary{"rslock", "rust", "redlock"},
    };
    return kLibraries;
}

std::vector<std::string_view> libraryLanguages()
{
    std::vector<std::string_view> languages;
    for (const ClientLibrary& library : clientLibraries()) {
        languages.push_back(library.language);
    }
    std::ranges::sort(languages);
    languages.erase(std::unique(languages.begin(), languages.end()), languages.end());
    return languages;
}

std::vector<std::string> librariesWith(const ProtocolInfo& info,
                                       std::span<const std::string> languages)
{
    std::vector<std::string> names;
    const auto add = [&names](const std::string& name) {
        if (std::ranges::find(names, name) == names.end()) {
            names.push_back(name);
        }
    };
    bool isKnown = false;
    for (const ClientLibrary& library : clientLibraries()) {
        const bool isImitated = !info.imitates.empty() && library.name == info.imitates;
        const bool isAsked = languages.empty()
                             || std::ranges::find(languages, library.language) != languages.end();
        isKnown = isKnown || isImitated;
        if ((library.protocol == info.id || isImitated) && isAsked) {
            add(std::string(library.name) + " (" + std::string(library.language) + ')');
        }
    }
    if (!info.imitates.empty() && !isKnown && languages.empty()) {
        add(info.imitates);
    }
    return names;
}

} // namespace lockscope::protocol
