#include "core/kernel/store/endpoint.h"

#include "core/kernel/base/bytes.h"
#include "core/kernel/base/characters.h"
#include "core/kernel/store/url_options.h"

namespace lockscope::store {

namespace {

/// Percent-encodes everything that could mean something in a URL. `kept` names what may stay
/// besides letters, digits and "-._~".
std::string percentEncoded(std::string_view bytes, std::string_view kept)
{
    std::string out;
    for (const char c : bytes) {
        if (isAlphanumeric(c) || std::string_view("-._~").find(c) != std::string_view::npos
            || kept.find(c) != std::string_view::npos) {
            out += c;
        } else {
            out += '%' + toHex(std::string_view(&c, 1));
        }
    }
    return out;
}

std::string bracketed(const std::string& host)
{
    return host.find(':') == std::string::npos ? host : '[' + host + ']';
}

std::string userPrefix(const Endpoint& endpoint)
{
    return endpoint.user.empty() ? std::string() : percentEncoded(endpoint.user, "") + '@';
}

/// "?ca=/etc/ca.pem&cert=…"
std::string tlsQuery(const TlsOptions& tls)
{
    std::string query;
    for (const TlsOption& option : kTlsOptions) {
        if (const std::string& value = tls.*option.field; !value.empty()) {
            query += query.empty() ? '?' : '&';
            query += std::string(option.name) + '=' + percentEncoded(value, "/");
        }
    }
    return query;
}

std::string socketUrl(const Endpoint& endpoint)
{
    std::string url = "unix://" + userPrefix(endpoint) + percentEncoded(endpoint.socketPath, "/");
    if (endpoint.database != 0) {
        url += "?db=" + std::to_string(endpoint.database);
    }
    return url;
}

} // namespace

bool isSameServer(const Endpoint& a, const Endpoint& b)
{
    if (a.transport != b.transport) {
        return false; // what was typed for TLS is not sent in the clear
    }
    return a.transport == Endpoint::Transport::UnixSocket
               ? a.socketPath == b.socketPath
               : a.port == b.port && lowered(a.host) == lowered(b.host);
}

bool isProduction(const Endpoint& endpoint)
{
    const std::string_view word = trimmed(endpoint.environment);
    return equalsIgnoringCase(word, "production") || equalsIgnoringCase(word, "prod")
           || equalsIgnoringCase(word, "live");
}

std::string serverName(const Endpoint& endpoint)
{
    if (endpoint.transport == Endpoint::Transport::UnixSocket) {
        return endpoint.socketPath;
    }
    return bracketed(endpoint.host) + ':' + std::to_string(endpoint.port);
}

std::string toUrl(const Endpoint& endpoint)
{
    if (endpoint.transport == Endpoint::Transport::UnixSocket) {
        return socketUrl(endpoint);
    }
    std::string host = bracketed(endpoint.host);
    if (const std::size_t zone = host.find('%'); zone != std::string::npos) {
        host.insert(zone + 1, "25");
    }
    std::string url = endpoint.transport == Endpoint::Transport::Tls ? "rediss://" : "redis://";
    url += userPrefix(endpoint) + host + ':' + std::to_string(endpoint.port);
    if (endpoint.database != 0) {
        url += '/' + std::to_string(endpoint.database);
    }
    return endpoint.transport == Endpoint::Transport::Tls ? url + tlsQuery(endpoint.tls) : url;
}

} // namespace lockscope::store
