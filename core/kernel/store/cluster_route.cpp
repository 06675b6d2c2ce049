#include "core/kernel/store/cluster_route.h"

#include "core/kernel/base/characters.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <set>
#include <utility>

namespace lockscope::store {

namespace {

/// All words are keys, from the second on.
bool hasOnlyKeys(std::string_view name)
{
    static constexpr std::array<std::string_view, 6> kNames{"del",    "exists", "mget",
                                                            "unlink", "watch",  "touch"};
    return std::ranges::find(kNames, name) != kNames.end();
}

/// The key stands behind a subcommand.
bool hasSubcommandBeforeKey(std::string_view name)
{
    return name == "memory" || name == "object";
}

bool isScriptCall(std::string_view name)
{
    return name == "eval" || name == "evalsha" || name == "eval_ro" || name == "evalsha_ro"
           || name == "fcall" || name == "fcall_ro";
}

/// About no key, of any kind.
bool isKeyless(std::string_view name)
{
    static constexpr std::array<std::string_view, 15> kNames{
        "acl",  "auth",    "client",  "cluster", "command", "config", "discard", "echo",
        "info", "latency", "publish", "ping",    "script",  "time",   "unwatch"};
    return std::ranges::find(kNames, name) != kNames.end() || name == "multi" || name == "exec";
}

ClusterRoute routeOfKeys(std::span<const Bytes> keys)
{
    if (keys.empty()) {
        return {};
    }
    const std::uint16_t slot = slotOf(keys.front());
    const bool isOne = std::ranges::all_of(keys, [slot](const Bytes& key) {
        return slotOf(key) == slot;
    });
    return {isOne ? ClusterRoute::Kind::Slot : ClusterRoute::Kind::SplitSlots, slot};
}

/// EVAL script 2 key key argument…
std::span<const Bytes> keysOfScript(const Command& command)
{
    constexpr std::size_t kFirstKey = 3;
    std::size_t count = 0;
    const Bytes& digits = command.words.size() > 2 ? command.words[2] : Bytes();
    std::from_chars(digits.data(), digits.data() + digits.size(), count);
    const std::span<const Bytes> words(command.words);
    return words.size() <= kFirstKey
               ? std::span<const Bytes>()
               : words.subspan(kFirstKey, std::min(count, words.size() - kFirstKey));
}

std::string secondWordOf(const Command& command)
{
    return command.words.size() > 1 ? lowered(command.words[1]) : std::string();
}

std::int64_t sumOf(std::span<const Reply> replies)
{
    std::int64_t sum = 0;
    for (const Reply& reply : replies) {
        sum += reply.integer().value_or(0);
    }
    return sum;
}

/// NUMSUB: {"channel", 2, "channel", 0}.
Reply sumsByChannel(std::span<const Reply> replies)
{
    Reply::Array sums = replies.front().array() != nullptr ? *replies.front().array()
                                                           : Reply::Array();
    for (const Reply& reply : replies.subspan(1)) {
        const Reply::Array* const pairs = reply.array();
        for (std::size_t i = 1; pairs != nullptr && i < std::min(sums.size(), pairs->size());
             i += 2) {
            sums[i] = Reply::ofInteger(sums[i].integer().value_or(0)
                                       + (*pairs)[i].integer().value_or(0));
        }
    }
    return Reply::ofArray(std::move(sums));
}

Reply unitedLists(std::span<const Reply> replies)
{
    std::set<Bytes> known;
    Reply::Array all;
    for (const Reply& reply : replies) {
        const Reply::Array* const items = reply.array();
        for (std::size_t i = 0; items != nullptr && i < items->size(); ++i) {
            const std::string* const text = (*items)[i].text();
            if (text == nullptr || known.insert(*text).second) {
                all.push_back((*items)[i]);
            }
        }
    }
    return Reply::ofArray(std::move(all));
}

Reply joinedTexts(std::span<const Reply> replies)
{
    std::string text;
    for (const Reply& reply : replies) {
        if (reply.oversized() != nullptr) {
            return reply; // one that was too long makes the whole too long
        }
        text += reply.text() != nullptr ? *reply.text() : std::string();
    }
    return Reply::ofBulk(std::move(text));
}

} // namespace

ClusterRoute clusterRouteOf(const Command& command)
{
    const std::string name = lowered(command.words.front());
    const std::span<const Bytes> arguments = std::span(command.words).subspan(1);
    if (name == "scan") {
        return {ClusterRoute::Kind::Walk, 0};
    }
    if (name == "dbsize") {
        return {ClusterRoute::Kind::EveryMaster, 0};
    }
    if (name == "pubsub" || (name == "client" && secondWordOf(command) == "list")) {
        return {ClusterRoute::Kind::EveryNode, 0};
    }
    if (isKeyless(name)) {
        return {};
    }
    if (isScriptCall(name)) {
        return routeOfKeys(keysOfScript(command));
    }
    if (hasOnlyKeys(name)) {
        return routeOfKeys(arguments);
    }
    const std::size_t at = hasSubcommandBeforeKey(name) ? 1 : 0;
    return routeOfKeys(arguments.subspan(std::min(at, arguments.size()),
                                         arguments.size() > at ? 1 : 0));
}

Reply mergedReply(const Command& command, std::span<const Reply> replies)
{
    const auto error = std::ranges::find_if(replies, &Reply::isError);
    if (error != replies.end()) {
        return *error;
    }
    const std::string name = lowered(command.words.front());
    const std::string second = secondWordOf(command);
    if (replies.front().integer()) {
        return Reply::ofInteger(sumOf(replies));
    }
    if (name == "pubsub") {
        return second.ends_with("numsub") ? sumsByChannel(replies) : unitedLists(replies);
    }
    return name == "client" ? joinedTexts(replies) : replies.front();
}

Reply crossSlotReply()
{
    return Reply::ofError("CROSSSLOT");
}

std::string toText(const ClusterCursor& cursor)
{
    return std::to_string(cursor.walk) + '-' + std::to_string(cursor.place) + '-' + cursor.ofNode;
}

std::optional<ClusterCursor> clusterCursorOf(std::string_view text)
{
    const std::size_t first = text.find('-');
    const std::size_t second = first == std::string_view::npos ? first : text.find('-', first + 1);
    if (second == std::string_view::npos) {
        return std::nullopt;
    }
    ClusterCursor cursor;
    std::from_chars(text.data(), text.data() + first, cursor.walk);
    std::from_chars(text.data() + first + 1, text.data() + second, cursor.place);
    cursor.ofNode = text.substr(second + 1);
    return cursor;
}

} // namespace lockscope::store
