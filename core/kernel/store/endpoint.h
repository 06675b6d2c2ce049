#pragma once

#include "core/kernel/base/time.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>

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

/// Where a server is and how to talk to it.
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
    int database = 0;
    bool isReadOnly = false; // the wire refuses every command that is not known to only read
    std::string environment; // free word shown as a badge, "production" paints the window's edge
                             // red

    Duration connectTimeout = std::chrono::seconds(5);
    Duration requestTimeout = std::chrono::seconds(5);

    friend bool operator==(const Endpoint&, const Endpoint&) = default;
};

struct UrlError {
    std::string reason; // "the port 99999 is out of range (1 to 65535)"
    std::size_t at = 0; // offset of the offending part in the text
};

/// Reads `redis://[user[:password]@]host[:port][/db]`, the same with `rediss://` and then
/// `[?ca=FILE&cert=FILE&key=FILE&server-name=NAME]`, and `unix:///path[?db=N]`. `host`, `host:port`
/// without a scheme are taken as redis://. User and password may be percent-encoded. A password
/// anywhere else, as in `?password=`, is refused. What is wrong is said without repeating anything
/// that may be a password.
std::variant<Endpoint, UrlError> parseEndpoint(std::string_view url);

/// Whether the environment is named as one that must not be changed by mistake: "production",
/// "prod" or "live", in capitals or not.
bool isProduction(const Endpoint& endpoint);

/// Whether both lead to the same server in the same way, so that what is a secret of one may be
/// sent to the other. Databases, credentials and everything else may differ.
bool isSameServer(const Endpoint& a, const Endpoint& b);

/// "10.0.0.5:6379", "[::1]:6379", "/run/redis.sock": what the JSON calls "server". No database, no
/// secrets.
std::string serverName(const Endpoint& endpoint);

/// The URL without the password; parseEndpoint() reads it back.
std::string toUrl(const Endpoint& endpoint);

} // namespace lockscope::store
