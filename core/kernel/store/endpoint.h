#pragma once

#include "core/kernel/base/time.h"
#include "core/kernel/store/budget.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace lockscope::store {

/// How to make sure of a server that is talked to with TLS, and how to prove who we are. Files are
/// PEM. Nothing of it is a secret: a key is named, not held.
struct TlsOptions {
    std::string caFile;          // authorities to trust; empty: those of the system
    std::string certificateFile; // ours, with its chain; empty: none
    std::string keyFile;         // its private key; empty: in certificateFile too
    std::string serverName;      // whom the server's certificate must name; empty: the host

    bool isDefault() const { return *this == TlsOptions(); }
    /// The file with our private key; empty: we have none.
    const std::string& privateKeyFile() const
    {
        return keyFile.empty() ? certificateFile : keyFile;
    }
    friend bool operator==(const TlsOptions&, const TlsOptions&) = default;
};

/// Where a program listens.
struct HostPort {
    std::string host; // name or address, IPv6 without brackets
    std::uint16_t port = 0;

    friend bool operator==(const HostPort&, const HostPort&) = default;
};

/// Sentinels that know where a server is: the master that they watch under a name.
struct SentinelSet {
    std::vector<HostPort> hosts; // empty: there are none, and the address is that of the server
    std::string masterName;
    std::string user; // of the Sentinels; empty: the default user

    friend bool operator==(const SentinelSet&, const SentinelSet&) = default;
};

/// What the servers of a connection are to each other, as its user says. Means nothing for one.
enum class Grouping : std::uint8_t {
    Unsaid,     // three or more are taken for a Redlock set, two are not: see foldingOf()
    RedlockSet, // independent masters that vote on the same locks
    Separate,   // servers or databases with locks of their own, only shown together
};

std::string_view idOf(Grouping grouping);   // "redlock-set", "separate"; empty for Unsaid
Grouping groupingOfId(std::string_view id); // Unsaid for any other word

/// Which locks of several servers are one lock.
enum class Folding : std::uint8_t {
    Never,
    SameToken, // those whose token is under the same name on several of them
    ByName,    // all tokens under one name: each is a vote
};

/// Where a server is and how to talk to it. With Sentinels it is the master that they name: host
/// and port mean nothing then, and the Sentinels are talked to over the same transport with the
/// same TLS options. With nodes of a cluster it is all of its masters, which share the keys.
struct Endpoint {
    enum class Transport { Tcp, Tls, UnixSocket };

    Transport transport = Transport::Tcp;
    std::string host = "127.0.0.1"; // Tcp and Tls: name or address, IPv6 without brackets
    std::uint16_t port = 6379;
    std::string socketPath;    // UnixSocket
    std::string user;          // empty: the default user
    std::string password;      // empty: no AUTH
    TlsOptions tls;            // Tls
    std::string keyPassphrase; // of tls.privateKeyFile(), if that is encrypted; in no URL
    SentinelSet sentinels;
    std::string sentinelPassword; // empty: no AUTH at the Sentinels; in no URL
    /// Some nodes of a cluster, which tell about all others; empty: it is no cluster.
    std::vector<HostPort> clusterSeeds;
    /// "[user@]host[:port]" of the machine from which the server is reached, by the system's ssh,
    /// which may know it by a name of its own; empty: directly. Not with a unix socket.
    std::string sshHost;
    int database = 0;
    bool isReadOnly = false; // the wire refuses every command that is not known to only read
    std::string environment; // free word shown as a badge, "production" paints the window's edge
                             // red
    Grouping grouping = Grouping::Unsaid; // the same for all servers of a connection; in no URL
    Budget budget;

    Duration connectTimeout = std::chrono::seconds(5);
    Duration requestTimeout = std::chrono::seconds(5);

    bool hasSentinels() const { return !sentinels.hosts.empty(); }
    bool isCluster() const { return !clusterSeeds.empty(); }
    bool isBehindSsh() const { return !sshHost.empty(); }

    friend bool operator==(const Endpoint&, const Endpoint&) = default;
};

struct UrlError {
    std::string reason; // "the port 99999 is out of range (1 to 65535)"
    std::size_t at = 0; // offset of the offending part in the text
};

/// Reads `redis://[user[:password]@]host[:port][/db]`, the same with `rediss://` and then
/// `[?ca=FILE&cert=FILE&key=FILE&server-name=NAME]`, and `unix:///path[?db=N]`. `host`, `host:port`
/// without a scheme are taken as redis://. With Sentinels it is
/// `redis+sentinel://[user[:password]@]s1[:port][,s2[:port]…]/mymaster[?db=N&sentinel-user=NAME]`,
/// and `rediss+sentinel://` with the options of rediss:// besides; user and password are those of
/// the master. A cluster is `redis+cluster://[user[:password]@]n1[:port][,n2[:port]…][?db=N]`, or
/// `rediss+cluster://`. All but unix:// take `?ssh=[user@]host[:port]` as well, and all of them the
/// budget: `max-commands=N`, `max-bytes=N`, both a second, `max-percent=P`. User and password
/// may be percent-encoded. A password anywhere else, as in `?password=`, is refused. What is wrong
/// is said without repeating anything that may be a password.
std::variant<Endpoint, UrlError> parseEndpoint(std::string_view url);

/// How the locks of the servers of a connection belong together, as far as that was said. Unsaid,
/// three or more are a Redlock set. A set of two cannot do without either of them, so two are
/// servers with locks of their own, unless the same token is on both.
Folding foldingOf(std::span<const Endpoint> endpoints);
Folding foldingOf(Grouping said, std::size_t serverCount);

/// The grouping is a fact of the connection: writes it into each of its endpoints.
void setGrouping(std::vector<Endpoint>& endpoints, Grouping grouping);

/// Whether the environment is named as one that must not be changed by mistake: "production",
/// "prod" or "live", in capitals or not.
bool isProduction(const Endpoint& endpoint);

/// Whether both lead to the same server in the same way, so that what is a secret of one may be
/// sent to the other. Databases, credentials and everything else may differ.
bool isSameServer(const Endpoint& a, const Endpoint& b);

/// "10.0.0.5:6379", "[::1]:6379", "/run/redis.sock": what the JSON calls "server". No database, no
/// secrets. With Sentinels it is the name of the master, which is the same after a failover; of a
/// cluster "cluster@" and the first node that is named. Behind ssh it ends with " via " and the
/// host: 127.0.0.1 is another machine there.
std::string serverName(const Endpoint& endpoint);

/// What the servers of a connection are called beside each other: as serverName() calls them, with
/// the database where some differ in nothing else: "10.0.0.5:6379/1", and with a Sentinel where two
/// sets of these call their masters by one name: "mymaster@10.0.0.1:26379".
std::vector<std::string> namesBeside(std::span<const Endpoint> endpoints);

/// "10.0.0.5:6379", "[::1]:6379".
std::string hostPortText(const HostPort& address);

/// Reads "s1[:port][,s2[:port]…]"; the default is the port of Sentinels, 26379.
std::variant<std::vector<HostPort>, UrlError> parseSentinels(std::string_view text);

/// Reads "n1[:port][,n2[:port]…]", nodes of a cluster; the default port is 6379.
std::variant<std::vector<HostPort>, UrlError> parseClusterSeeds(std::string_view text);

/// What is wrong with the name of a machine for ssh; empty: nothing.
std::string complaintAboutSshHost(std::string_view host);

/// "s1:26379,s2:26379"; parseSentinels() or parseClusterSeeds() read it back.
std::string hostsText(const std::vector<HostPort>& hosts);

/// The URL without the password; parseEndpoint() reads it back.
std::string toUrl(const Endpoint& endpoint);

} // namespace lockscope::store
