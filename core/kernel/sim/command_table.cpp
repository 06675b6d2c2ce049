#include "core/kernel/sim/command_table.h"

#include "core/kernel/base/characters.h"
#include "core/kernel/sim/call.h"
#include "core/kernel/sim/command_handlers.h"

#include <algorithm>
#include <array>

namespace lockscope::sim {

using store::Reply;

namespace {

using enum CommandKind;
using store::ReplyShape;
using enum AnswerShape::Condition;

constexpr AnswerShape kArray{ReplyShape::Array};
constexpr AnswerShape kArrayWithCount{ReplyShape::Plain, WithCount, ReplyShape::Array};
constexpr AnswerShape kMap{ReplyShape::Map};
constexpr AnswerShape kSet{ReplyShape::Set};
constexpr AnswerShape kText{ReplyShape::Verbatim};
constexpr AnswerShape kDouble{ReplyShape::Double};
constexpr AnswerShape kDoubles{ReplyShape::Doubles};
constexpr AnswerShape kRange{ReplyShape::Plain, WithScores, ReplyShape::ScoredMembers};
constexpr AnswerShape kPoppedScore{ReplyShape::ScoredMember, WithCount, ReplyShape::ScoredMembers};
constexpr AnswerShape kScoredMember{ReplyShape::ScoredMember};
constexpr AnswerShape kCommands{ReplyShape::Commands};
constexpr AnswerShape kTransaction{ReplyShape::Transaction};

// Arity and kind are those of Redis 7.0.
constexpr CommandSpec kTable[] = {
    {"set", -3, Write, handlers::set},
    {"get", 2, Read, handlers::get},
    {"getset", 3, Write, handlers::getset},
    {"getdel", 2, Write, handlers::getdel},
    {"getex", -2, Write, handlers::getex},
    {"setnx", 3, Write, handlers::setnx},
    {"setex", 4, Write, handlers::setex},
    {"psetex", 4, Write, handlers::psetex},
    {"mget", -2, Read, handlers::mget},
    {"mset", -3, Write, handlers::mset},
    {"msetnx", -3, Write, handlers::msetnx},
    {"append", 3, Write, handlers::append},
    {"strlen", 2, Read, handlers::strlen},
    {"incr", 2, Write, handlers::incr},
    {"incrby", 3, Write, handlers::incrby},
    {"incrbyfloat", 3, Write, handlers::incrbyfloat},
    {"decr", 2, Write, handlers::decr},
    {"decrby", 3, Write, handlers::decrby},
    {"getrange", 4, Read, handlers::getrange},
    {"setrange", 4, Write, handlers::setrange},
    {"getbit", 3, Read, handlers::getbit},
    {"setbit", 4, Write, handlers::setbit},

    {"del", -2, Write, handlers::del},
    {"unlink", -2, Write, handlers::del},
    {"exists", -2, Read, handlers::exists},
    {"touch", -2, Read, handlers::exists},
    {"type", 2, Read, handlers::type},
    {"keys", 2, Read, handlers::keys},
    {"scan", -2, Read, handlers::scan},
    {"dbsize", 1, Read, handlers::dbsize},
    {"flushall", -1, Write, handlers::flush},
    {"flushdb", -1, Write, handlers::flush},
    {"rename", 3, Write, handlers::rename},
    {"renamenx", 3, Write, handlers::renamenx},
    {"copy", -3, Write, handlers::copy},

    {"expire", -3, Write, handlers::expire},
    {"pexpire", -3, Write, handlers::pexpire},
    {"expireat", -3, Write, handlers::expireat},
    {"pexpireat", -3, Write, handlers::pexpireat},
    {"ttl", 2, Read, handlers::ttl},
    {"pttl", 2, Read, handlers::pttl},
    {"expiretime", 2, Read, handlers::expiretime},
    {"pexpiretime", 2, Read, handlers::pexpiretime},
    {"persist", 2, Write, handlers::persist},

    {"hset", -4, Write, handlers::hset},
    {"hmset", -4, Write, handlers::hmset},
    {"hsetnx", 4, Write, handlers::hsetnx},
    {"hget", 3, Read, handlers::hget},
    {"hmget", -3, Read, handlers::hmget},
    {"hgetall", 2, Read, handlers::hgetall, kMap},
    {"hkeys", 2, Read, handlers::hkeys},
    {"hvals", 2, Read, handlers::hvals},
    {"hdel", -3, Write, handlers::hdel},
    {"hexists", 3, Read, handlers::hexists},
    {"hlen", 2, Read, handlers::hlen},
    {"hstrlen", 3, Read, handlers::hstrlen},
    {"hincrby", 4, Write, handlers::hincrby},
    {"hincrbyfloat", 4, Write, handlers::hincrbyfloat},

    {"lpush", -3, Write, handlers::lpush},
    {"rpush", -3, Write, handlers::rpush},
    {"lpushx", -3, Write, handlers::lpushx},
    {"rpushx", -3, Write, handlers::rpushx},
    {"lpop", -2, Write, handlers::lpop, kArrayWithCount},
    {"rpop", -2, Write, handlers::rpop, kArrayWithCount},
    {"blpop", -3, Blocking, handlers::blpop, kArray},
    {"brpop", -3, Blocking, handlers::brpop, kArray},
    {"llen", 2, Read, handlers::llen},
    {"lrange", 4, Read, handlers::lrange},
    {"lindex", 3, Read, handlers::lindex},
    {"lpos", -3, Read, handlers::lpos},
    {"lset", 4, Write, handlers::lset},
    {"linsert", 5, Write, handlers::linsert},
    {"lrem", 4, Write, handlers::lrem},
    {"ltrim", 4, Write, handlers::ltrim},
    {"lmove", 5, Write, handlers::lmove},
    {"rpoplpush", 3, Write, handlers::rpoplpush},
    {"blmove", 6, Blocking, handlers::blmove},
    {"brpoplpush", 4, Blocking, handlers::brpoplpush},

    {"sadd", -3, Write, handlers::sadd},
    {"srem", -3, Write, handlers::srem},
    {"sismember", 3, Read, handlers::sismember},
    {"smismember", -3, Read, handlers::smismember},
    {"smembers", 2, Read, handlers::smembers, kSet},
    {"scard", 2, Read, handlers::scard},

    {"zadd", -4, Write, handlers::zadd, kDouble},
    {"zincrby", 4, Write, handlers::zincrby, kDouble},
    {"zrem", -3, Write, handlers::zrem},
    {"zscore", 3, Read, handlers::zscore, kDouble},
    {"zmscore", -3, Read, handlers::zmscore, kDoubles},
    {"zcard", 2, Read, handlers::zcard},
    {"zrank", 3, Read, handlers::zrank},
    {"zrevrank", 3, Read, handlers::zrevrank},
    {"zpopmin", -2, Write, handlers::zpopmin, kPoppedScore},
    {"zpopmax", -2, Write, handlers::zpopmax, kPoppedScore},
    {"bzpopmin", -3, Blocking, handlers::bzpopmin, kScoredMember},
    {"bzpopmax", -3, Blocking, handlers::bzpopmax, kScoredMember},
    {"zrange", -4, Read, handlers::zrange, kRange},
    {"zrangebyscore", -4, Read, handlers::zrangebyscore, kRange},
    {"zrevrange", -4, Read, handlers::zrevrange, kRange},
    {"zrevrangebyscore", -4, Read, handlers::zrevrangebyscore, kRange},
    {"zremrangebyscore", 4, Write, handlers::zremrangebyscore},
    {"zremrangebyrank", 4, Write, handlers::zremrangebyrank},
    {"zcount", 4, Read, handlers::zcount},
    {"zinterstore", -4, Write, handlers::zinterstore},
    {"zunionstore", -4, Write, handlers::zunionstore},

    {"xadd", -5, Write, handlers::xadd},
    {"xtrim", -4, Write, handlers::xtrim},
    {"xlen", 2, Read, handlers::xlen},
    {"xrange", -4, Read, handlers::xrange},

    {"ping", -1, Other, handlers::ping},
    {"echo", 2, Other, handlers::echo},
    {"select", 2, Other, handlers::select},
    {"time", 1, Other, handlers::time},
    {"publish", 3, Other, handlers::publish},
    {"spublish", 3, Other, handlers::spublish},
    {"pubsub|channels", -2, Other, handlers::pubsubChannels},
    {"pubsub|numpat", 2, Other, handlers::pubsubNumpat},
    {"pubsub|numsub", -2, Other, handlers::pubsubNumsub},
    {"pubsub|shardchannels", -2, Other, handlers::pubsubShardchannels},
    {"pubsub|shardnumsub", -2, Other, handlers::pubsubShardnumsub},

    {"eval", -3, NoScript, handlers::eval},
    {"evalsha", -3, NoScript, handlers::evalsha},
    {"eval_ro", -3, NoScript, handlers::evalRo},
    {"evalsha_ro", -3, NoScript, handlers::evalshaRo},
    {"script|load", 3, NoScript, handlers::scriptLoad},
    {"script|exists", -3, NoScript, handlers::scriptExists},
    {"script|flush", -2, NoScript, handlers::scriptFlush},
    {"command", -1, Other, handlers::command, kCommands},
    {"command|count", 2, Other, handlers::commandCount},
    {"command|docs", -2, Other, handlers::commandDocs, kMap},
    {"command|info", -2, Other, handlers::commandInfo, kCommands},
    {"config|get", -3, NoScript, handlers::configGet, kMap},
    {"cluster|countkeysinslot", 3, Other, handlers::clusterDisabled},
    {"cluster|getkeysinslot", 4, Other, handlers::clusterDisabled},
    {"cluster|info", 2, Other, handlers::clusterDisabled},
    {"cluster|keyslot", 3, Other, handlers::clusterDisabled},
    {"cluster|links", 2, Other, handlers::clusterDisabled},
    {"cluster|myid", 2, Other, handlers::clusterDisabled},
    {"cluster|nodes", 2, Other, handlers::clusterDisabled},
    {"cluster|shards", 2, Other, handlers::clusterDisabled},
    {"cluster|slots", 2, Other, handlers::clusterDisabled},
    {"asking", 1, Other, handlers::clusterDisabled},
    {"readonly", 1, Other, handlers::clusterDisabled},
    {"readwrite", 1, Other, handlers::clusterDisabled},

    {"multi", 1, Connection, nullptr},
    {"exec", 1, Connection, nullptr, kTransaction},
    {"discard", 1, Connection, nullptr},
    {"watch", -2, Connection, nullptr},
    {"unwatch", 1, Connection, nullptr},
    {"wait", 3, Connection, nullptr},
    {"subscribe", -2, Connection, nullptr},
    {"unsubscribe", -1, Connection, nullptr},
    {"psubscribe", -2, Connection, nullptr},
    {"punsubscribe", -1, Connection, nullptr},
    {"ssubscribe", -2, Connection, nullptr},
    {"sunsubscribe", -1, Connection, nullptr},
    {"hello", -1, Connection, nullptr, kMap},
    {"auth", -2, Connection, nullptr},
    {"quit", -1, Connection, nullptr},
    {"reset", 1, Connection, nullptr},
    {"client|getname", 2, Connection, nullptr},
    {"client|id", 2, Connection, nullptr},
    {"client|info", 2, Connection, nullptr, kText},
    {"client|kill", -3, Connection, nullptr},
    {"client|list", -2, Connection, nullptr, kText},
    {"client|no-evict", 3, Connection, nullptr},
    {"client|reply", 3, Connection, nullptr},
    {"client|setname", 3, Connection, nullptr},
    {"client|tracking", -3, Connection, nullptr},
    {"info", -1, Connection, nullptr, kText},
    {"role", 1, Connection, nullptr},
};

/// Commands that are a roof for their subcommands, and all except COMMAND nothing else.
constexpr std::string_view kContainers[] = {"client", "cluster", "command",
                                            "config", "pubsub",  "script"};

constexpr std::size_t kNameMax = 24;

constexpr std::uint32_t hashOfName(std::string_view name)
{
    std::uint32_t hash = 0;
    for (const char c : name) {
        hash = (hash ^ static_cast<unsigned char>(lowered(c))) * 0x01000193U;
    }
    return hash ^ hash >> 15U;
}

constexpr std::size_t kSlotCount = 512;
constexpr std::uint8_t kNoCommand = 255;
static_assert(std::size(kTable) < kNoCommand);

/// Where to find a name in the table: a hash table with open addressing, made by the compiler.
constexpr auto kSlots = [] {
    std::array<std::uint8_t, kSlotCount> slots{};
    slots.fill(kNoCommand);
    for (std::size_t i = 0; i < std::size(kTable); ++i) {
        std::size_t slot = hashOfName(kTable[i].name) % kSlotCount;
        while (slots[slot] != kNoCommand) {
            slot = (slot + 1) % kSlotCount;
        }
        slots[slot] = static_cast<std::uint8_t>(i);
    }
    return slots;
}();

const CommandSpec* findName(std::string_view name)
{
    for (std::size_t slot = hashOfName(name) % kSlotCount; kSlots[slot] != kNoCommand;
         slot = (slot + 1) % kSlotCount) {
        const CommandSpec& spec = kTable[kSlots[slot]];
        if (spec.name.size() == name.size() && equalsIgnoringCase(name, spec.name)) {
            return &spec;
        }
    }
    return nullptr;
}

bool isContainer(std::string_view name)
{
    return std::ranges::any_of(kContainers, [name](std::string_view roof) {
        return equalsIgnoringCase(name, roof);
    });
}

Reply unknownCommand(const std::vector<Bytes>& words)
{
    // As commandCheckExistence() in Redis' server.c: the arguments up to that many bytes.
    constexpr std::size_t kShown = 128;
    std::string arguments;
    for (std::size_t i = 1; i < words.size() && arguments.size() < kShown; ++i) {
        arguments += "'" + shownInError(words[i], kShown - arguments.size()) + "' ";
    }
    return replies::error("unknown command '" + shownInError(words[0])
                          + "', with args beginning with: " + arguments);
}

Reply unknownSubcommand(const std::vector<Bytes>& words)
{
    return replies::error("unknown subcommand '" + shownInError(words[1]) + "'. Try "
                          + uppered(words[0]) + " HELP.");
}

bool asksFor(AnswerShape::Condition condition, const std::vector<Bytes>& words)
{
    switch (condition) {
    case None: break;
    case WithCount: return words.size() == 3;
    case WithScores:
        return std::ranges::any_of(words.begin() + 2, words.end(), [](const Bytes& word) {
            return equalsIgnoringCase(word, "withscores");
        });
    }
    return false;
}

} // namespace

ReplyShape AnswerShape::of(const std::vector<Bytes>& words) const
{
    return asksFor(condition, words) ? otherwise : usual;
}

std::span<const CommandSpec> commandTable()
{
    return kTable;
}

const CommandSpec* findCommand(const std::vector<Bytes>& words)
{
    if (words.empty() || words[0].size() > kNameMax) {
        return nullptr;
    }
    // Since Redis 7 subcommands are commands of their own, "client|setname", that cannot be called
    // by that name.
    if (const CommandSpec* const spec = findName(words[0])) {
        if (spec->handler == handlers::command && words.size() > 1) {
            return findName(words[0] + '|' + words[1]);
        }
        const bool isWhole = spec->name.find('|') == std::string_view::npos;
        return isWhole ? spec : nullptr;
    }
    if (words.size() < 2 || !isContainer(words[0])) {
        return nullptr;
    }
    return findName(words[0] + '|' + words[1]);
}

std::optional<Reply> refusalOf(const std::vector<Bytes>& words, const CommandSpec* spec)
{
    if (words.empty()) {
        return replies::error("an empty command");
    }
    if (spec == nullptr && isContainer(words[0])) {
        return words.size() < 2 ? replies::wrongArity(lowered(words[0])) : unknownSubcommand(words);
    }
    if (spec == nullptr) {
        return unknownCommand(words);
    }
    if (!spec->acceptsWordCount(words.size())) {
        return replies::wrongArity(spec->name);
    }
    return std::nullopt;
}

} // namespace lockscope::sim
