#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

// What a user of Redis has to be allowed for the work of this program.
namespace lockscope::operations {

/// What a user of a server is to be able to do. Seeing every lock, and changes as they come, is
/// always among it.
struct Access {
    bool releases = false;    // and caps, and undoes
    bool disconnects = false; // the holder of a lock (CLIENT KILL)
    bool captures = false;    // who sends an owner's token (MONITOR)
    bool isInCluster = false;

    friend bool operator==(const Access&, const Access&) = default;
};

struct ServerVersion {
    int major = 0;
    int minor = 0;

    friend auto operator<=>(const ServerVersion&, const ServerVersion&) = default;
};

/// Reads "7.0.15" or "7.2"; nullopt for anything else, and for versions without rules for
/// channels: before 6.2.
std::optional<ServerVersion> serverVersionOf(std::string_view text);

/// The rules of ACL SETUSER for such a user, as few as there can be: "%R~*", "-@all", "+scan", …
/// Without any of them something is missing: locks, their details, changes as they come, or the
/// addresses of owners. Neither password nor "on" is among them. Commands that the version does
/// not know are left out, because it would refuse the rule. The order is that of README.
std::vector<std::string> accessRules(const Access& access, const ServerVersion& version);

/// The same for a user of the Sentinels, who is asked for the master only.
std::vector<std::string> sentinelRules();

} // namespace lockscope::operations
