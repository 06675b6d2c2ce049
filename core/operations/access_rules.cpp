#include "core/operations/access_rules.h"

#include <array>
#include <charconv>
#include <span>

namespace lockscope::operations {

namespace {

constexpr ServerVersion kOldest{6, 2};  // the first with rules for channels
constexpr ServerVersion kRedis70{7, 0}; // the first that tells reading from writing a key
constexpr ServerVersion kRedis72{7, 2};

struct Rule {
    std::string_view text;
    ServerVersion since = kOldest;
};

constexpr auto kWatching = std::to_array<Rule>({
    {"+scan"},
    {"+type"},
    {"+pttl"},
    {"+pexpiretime", kRedis70},
    {"+strlen"},
    {"+getrange"},
    {"+hlen"},
    {"+hgetall"},
    {"+zcard"},
    {"+zrange"},
    {"+scard"},
    {"+smembers"},
    {"+llen"},
    {"+lrange"},
    {"+memory|usage"},
    {"+time"},
    {"+dbsize"},
    {"+info"},
    {"+ping"},
    {"+select"},
    {"+command|info"}, // read-only is held to the flags that the server gives its commands
    {"+client|id"},
    {"+client|list"},
    {"+client|setname"},
    {"+client|tracking"},
    {"+client|no-touch", kRedis72}, // or each look at a key would count as its use
    {"+pubsub|numsub"},
    {"+pubsub|numpat"},
    {"+pubsub|channels"},
    {"+pubsub|shardnumsub", kRedis70},
    {"+pubsub|shardchannels", kRedis70},
    {"+config|get"},
    {"+subscribe"},
    {"+unsubscribe"},
    {"+psubscribe"},
});

/// A release is one script, and a script may do what its user may.
constexpr auto kReleasing = std::to_array<Rule>({
    {"+eval"},
    {"+get"},
    {"+hget"},
    {"+zscore"},
    {"+sismember"},
    {"+publish"},
    {"+spublish", kRedis70},
    {"+incrby"},
    {"+decrby"},
    {"+set"},
    {"+del"},
    {"+exists"},
    {"+hdel"},
    {"+hset"},
    {"+zrem"},
    {"+srem"},
    {"+lpush"},
    {"+ltrim"},
    {"+lrem"},
    {"+pexpire"},
    {"+watch"},
    {"+multi"},
    {"+exec"},
});

constexpr auto kInCluster = std::to_array<Rule>({
    {"+cluster|nodes"}, {"+cluster|info"}, {"+asking"}, // before what concerns a key whose slot
                                                        // moves
});

constexpr auto kDisconnecting = std::to_array<Rule>({{"+client|kill"}});
constexpr auto kCapturing = std::to_array<Rule>({{"+monitor"}});

constexpr auto kAskingSentinels = std::to_array<Rule>({
    {"+sentinel|get-master-addr-by-name"},
    {"+sentinel|master"},
    {"+sentinel|masters"},
    {"+ping"},
    {"+client|setname"},
});

void addTo(std::vector<std::string>& rules, std::span<const Rule> more,
           const ServerVersion& version)
{
    for (const Rule& rule : more) {
        if (version >= rule.since) {
            rules.emplace_back(rule.text);
        }
    }
}

/// Takes a number from the front of the text.
std::optional<int> takeNumber(std::string_view& text)
{
    int number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || number < 0) {
        return std::nullopt;
    }
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    return number;
}

} // namespace

std::optional<ServerVersion> serverVersionOf(std::string_view text)
{
    const std::optional<int> major = takeNumber(text);
    if (!major || !text.starts_with('.')) {
        return std::nullopt;
    }
    text.remove_prefix(1);
    const std::optional<int> minor = takeNumber(text);
    if (!minor || !(text.empty() || text.starts_with('.'))) {
        return std::nullopt;
    }
    const ServerVersion version{*major, *minor};
    return version >= kOldest ? std::optional(version) : std::nullopt;
}

std::vector<std::string> accessRules(const Access& access, const ServerVersion& version)
{
    std::vector<std::string> rules{"resetchannels"};
    if (access.releases) {
        rules.emplace_back("&*"); // waiters are woken on channels with the names of locks in them
        rules.emplace_back("~*");
    } else {
        rules.emplace_back("&__redis__:invalidate");
        rules.emplace_back("&__keyspace@*");
        rules.emplace_back(version >= kRedis70 ? "%R~*" : "~*");
    }
    rules.emplace_back("-@all");
    addTo(rules, kWatching, version);
    if (access.isInCluster) {
        addTo(rules, kInCluster, version);
    }
    if (access.releases) {
        addTo(rules, kReleasing, version);
    }
    if (access.disconnects) {
        addTo(rules, kDisconnecting, version);
    }
    if (access.captures) {
        addTo(rules, kCapturing, version);
    }
    return rules;
}

std::vector<std::string> sentinelRules()
{
    std::vector<std::string> rules{"resetchannels", "-@all"};
    addTo(rules, kAskingSentinels, kOldest);
    return rules;
}

} // namespace lockscope::operations
