#include "core/kernel/store/endpoint.h"

#include "core/kernel/base/bytes.h"
#include "core/kernel/base/characters.h"
#include "core/kernel/store/url_options.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <set>
#include <utility>

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

/// Adds "?name=value" to the query of a URL.
void addOption(std::string& query, std::string_view name, std::string_view value)
{
    query += query.empty() ? '?' : '&';
    query.append(name).append(1, '=').append(percentEncoded(value, "/"));
}

void addTlsOptions(std::string& query, const Endpoint& endpoint)
{
    for (const TlsOption& option : kTlsOptions) {
        const std::string& value = endpoint.tls.*option.field;
        if (endpoint.transport == Endpoint::Transport::Tls && !value.empty()) {
            addOption(query, option.name, value);
        }
    }
}

void addSsh(std::string& query, const Endpoint& endpoint)
{
    if (endpoint.isBehindSsh()) {
        query += query.empty() ? '?' : '&';
        query.append(kSshOption).append(1, '=').append(percentEncoded(endpoint.sshHost, "@:[]"));
    }
}

/// "2.5": as few digits as read back as the same number.
std::string numberText(double number)
{
    std::array<char, 32> text{};
    const auto [end, error] = std::to_chars(text.data(), text.data() + text.size(), number);
    return {text.data(), end};
}

void addBudget(std::string& query, const Budget& budget)
{
    if (budget.commandsPerSecond != 0) {
        addOption(query, kCommandsOption, std::to_string(budget.commandsPerSecond));
    }
    if (budget.bytesPerSecond != 0) {
        addOption(query, kBytesOption, std::to_string(budget.bytesPerSecond));
    }
    if (budget.percent != 0) {
        addOption(query, kPercentOption, numberText(budget.percent));
    }
}

/// The "%" before the zone of an address is written as %25.
std::string addressInUrl(const HostPort& address)
{
    std::string text = hostPortText(address);
    if (const std::size_t zone = text.find('%'); zone != std::string::npos) {
        text.insert(zone + 1, "25");
    }
    return text;
}

std::string schemeOf(const Endpoint& endpoint, std::string_view kind)
{
    const bool isTls = endpoint.transport == Endpoint::Transport::Tls;
    return (isTls ? "rediss" : "redis") + std::string(kind) + "://";
}

void addDatabase(std::string& query, const Endpoint& endpoint)
{
    if (endpoint.database != 0) {
        addOption(query, "db", std::to_string(endpoint.database));
    }
}

std::string clusterUrl(const Endpoint& endpoint)
{
    std::string query;
    addDatabase(query, endpoint);
    addTlsOptions(query, endpoint);
    addSsh(query, endpoint);
    addBudget(query, endpoint.budget);
    return schemeOf(endpoint, "+cluster") + userPrefix(endpoint) + hostsText(endpoint.clusterSeeds)
           + query;
}

std::string sentinelUrl(const Endpoint& endpoint)
{
    std::string query;
    addDatabase(query, endpoint);
    if (const std::string& user = endpoint.sentinels.user; !user.empty()) {
        addOption(query, kSentinelUserOption, user);
    }
    addTlsOptions(query, endpoint);
    addSsh(query, endpoint);
    addBudget(query, endpoint.budget);
    return schemeOf(endpoint, "+sentinel") + userPrefix(endpoint)
           + hostsText(endpoint.sentinels.hosts) + '/'
           + percentEncoded(endpoint.sentinels.masterName, "") + query;
}

std::string socketUrl(const Endpoint& endpoint)
{
    std::string url = "unix://" + userPrefix(endpoint) + percentEncoded(endpoint.socketPath, "/");
    std::string query;
    addDatabase(query, endpoint);
    addBudget(query, endpoint.budget);
    return url + query;
}

/// The addresses of Sentinels or nodes, however they were listed.
std::set<std::string> inOrder(const std::vector<HostPort>& hosts)
{
    std::set<std::string> addresses;
    for (const HostPort& host : hosts) {
        addresses.insert(lowered(hostPortText(host)));
    }
    return addresses;
}

} // namespace

bool isSameServer(const Endpoint& a, const Endpoint& b)
{
    if (a.transport != b.transport) {
        return false; // what was typed for TLS is not sent in the clear
    }
    if (a.sshHost != b.sshHost) {
        return false; // the same address is another server from there
    }
    if (a.hasSentinels() || b.hasSentinels()) {
        return a.sentinels.masterName == b.sentinels.masterName
               && inOrder(a.sentinels.hosts) == inOrder(b.sentinels.hosts);
    }
    if (a.isCluster() || b.isCluster()) {
        return inOrder(a.clusterSeeds) == inOrder(b.clusterSeeds);
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
    const std::string way = endpoint.isBehindSsh() ? " via " + endpoint.sshHost : "";
    if (endpoint.isCluster()) {
        return "cluster@" + hostPortText(endpoint.clusterSeeds.front()) + way;
    }
    return (endpoint.hasSentinels() ? endpoint.sentinels.masterName
                                    : hostPortText({endpoint.host, endpoint.port}))
           + way;
}

std::vector<std::string> namesBeside(std::span<const Endpoint> endpoints)
{
    std::vector<std::string> names;
    names.reserve(endpoints.size());
    for (const Endpoint& endpoint : endpoints) {
        std::string name = serverName(endpoint);
        bool isNameOfOther = false;
        bool isInOtherDatabase = false;
        for (const Endpoint& other : endpoints) {
            const bool hasSameName = serverName(other) == name;
            const bool isSame = isSameServer(endpoint, other);
            isNameOfOther = isNameOfOther || (hasSameName && !isSame);
            isInOtherDatabase = isInOtherDatabase
                                || (hasSameName && isSame && other.database != endpoint.database);
        }
        if (isNameOfOther && endpoint.hasSentinels()) {
            name += '@' + hostPortText(endpoint.sentinels.hosts.front());
        }
        if (isInOtherDatabase) {
            name += '/' + std::to_string(endpoint.database);
        }
        names.push_back(std::move(name));
    }
    return names;
}

std::string_view idOf(Grouping grouping)
{
    switch (grouping) {
    case Grouping::RedlockSet: return "redlock-set";
    case Grouping::Separate: return "separate";
    case Grouping::Unsaid: break;
    }
    return {};
}

Grouping groupingOfId(std::string_view id)
{
    return id == idOf(Grouping::RedlockSet) ? Grouping::RedlockSet
           : id == idOf(Grouping::Separate) ? Grouping::Separate
                                            : Grouping::Unsaid;
}

Folding foldingOf(std::span<const Endpoint> endpoints)
{
    return foldingOf(endpoints.empty() ? Grouping::Unsaid : endpoints.front().grouping,
                     endpoints.size());
}

Folding foldingOf(Grouping said, std::size_t serverCount)
{
    constexpr std::size_t kSmallestSet = 3;
    if (serverCount < 2 || said == Grouping::Separate) {
        return Folding::Never;
    }
    return said == Grouping::RedlockSet || serverCount >= kSmallestSet ? Folding::ByName
                                                                       : Folding::SameToken;
}

void setGrouping(std::vector<Endpoint>& endpoints, Grouping grouping)
{
    for (Endpoint& endpoint : endpoints) {
        endpoint.grouping = grouping;
    }
}

std::string hostPortText(const HostPort& address)
{
    return bracketed(address.host) + ':' + std::to_string(address.port);
}

std::string hostsText(const std::vector<HostPort>& hosts)
{
    std::string text;
    for (const HostPort& host : hosts) {
        text += text.empty() ? "" : ",";
        text += addressInUrl(host);
    }
    return text;
}

std::string toUrl(const Endpoint& endpoint)
{
    if (endpoint.transport == Endpoint::Transport::UnixSocket) {
        return socketUrl(endpoint);
    }
    if (endpoint.hasSentinels()) {
        return sentinelUrl(endpoint);
    }
    if (endpoint.isCluster()) {
        return clusterUrl(endpoint);
    }
    std::string url = schemeOf(endpoint, "");
    url += userPrefix(endpoint) + addressInUrl({endpoint.host, endpoint.port});
    if (endpoint.database != 0) {
        url += '/' + std::to_string(endpoint.database);
    }
    std::string query;
    addTlsOptions(query, endpoint);
    addSsh(query, endpoint);
    addBudget(query, endpoint.budget);
    return url + query;
}

} // namespace lockscope::store
