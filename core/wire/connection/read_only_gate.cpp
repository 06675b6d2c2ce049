#include "core/wire/connection/read_only_gate.h"

#include "core/kernel/base/characters.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>

namespace lockscope::wire {

using store::Command;
using store::Reply;

namespace {

/// Of the connection, of messages and of the server itself: no data is touched, and servers flag
/// few of them as reading.
constexpr auto kHarmlessCommands = std::to_array<std::string_view>({
    "ASKING",
    "AUTH",
    "DBSIZE",
    "ECHO",
    "INFO",
    "MONITOR",
    "PING",
    "PSUBSCRIBE",
    "PUBSUB",
    "ROLE",
    "SELECT",
    "SUBSCRIBE",
    "PUNSUBSCRIBE",
    "TIME",
    "UNSUBSCRIBE",
});

/// They look at data.
constexpr auto kReadCommands = std::to_array<std::string_view>({
    "EVAL_RO",       "EVALSHA_RO", "EXISTS",    "GET",        "GETRANGE",    "HEXISTS", "HGET",
    "HGETALL",       "HKEYS",      "HLEN",      "HMGET",      "HSCAN",       "HSTRLEN", "HVALS",
    "LINDEX",        "LLEN",       "LRANGE",    "MGET",       "PEXPIRETIME", "PTTL",    "SCAN",
    "SCARD",         "SISMEMBER",  "SMEMBERS",  "SMISMEMBER", "SSCAN",       "STRLEN",  "TTL",
    "TYPE",          "XLEN",       "XRANGE",    "XREVRANGE",  "ZCARD",       "ZCOUNT",  "ZRANGE",
    "ZRANGEBYSCORE", "ZRANK",      "ZREVRANGE", "ZSCAN",      "ZSCORE",
});

/// In what COMMAND INFO says of a command: name, number of arguments, flags.
constexpr std::size_t kFlagsPlace = 2;

/// Container commands of which only some subcommands do no harm.
constexpr auto kHarmlessSubcommands = std::to_array<std::string_view>({
    "ACL DRYRUN",
    "ACL WHOAMI",
    "CLIENT GETNAME",
    "CLIENT ID",
    "CLIENT INFO",
    "CLIENT LIST",
    "CLIENT SETNAME",
    "CLIENT TRACKING",
    "CLIENT TRACKINGINFO",
    "CLUSTER INFO",
    "CLUSTER NODES",
    "COMMAND INFO",
    "CONFIG GET",
    "LATENCY HISTOGRAM",
});

/// Those that look at data. Servers before Redis 7 know no flags of subcommands.
constexpr auto kReadSubcommands = std::to_array<std::string_view>({
    "MEMORY USAGE",
    "OBJECT ENCODING",
    "OBJECT IDLETIME",
});

template<class List>
bool contains(const List& list, std::string_view word)
{
    return std::find(list.begin(), list.end(), word) != list.end();
}

/// "GET", and "MEMORY USAGE" of a command that has a second word.
struct Name {
    std::string first;
    std::string both;
};

Name nameOf(const Command& command)
{
    Name name;
    if (!command.words.empty()) {
        name.first = uppered(command.words[0]);
    }
    if (command.words.size() > 1) {
        name.both = name.first + ' ' + uppered(command.words[1]);
    }
    return name;
}

bool isHarmless(const Name& name)
{
    return contains(kHarmlessCommands, name.first) || contains(kHarmlessSubcommands, name.both);
}

bool looksAtData(const Name& name)
{
    return contains(kReadCommands, name.first) || contains(kReadSubcommands, name.both);
}

/// Some of what only reads writes all the same: "may_replicate" tells.
bool isReading(const Reply::Array& flags)
{
    const auto has = [&flags](std::string_view flag) {
        return std::ranges::any_of(flags, [flag](const Reply& one) {
            return one.text() != nullptr && *one.text() == flag;
        });
    };
    return has("readonly") && !has("write") && !has("may_replicate");
}

} // namespace

bool isReadCommand(const Command& command)
{
    const Name name = nameOf(command);
    return isHarmless(name) || looksAtData(name);
}

Command ReadOnlyGate::question()
{
    Command command("COMMAND", "INFO");
    for (const std::string_view name : kReadCommands) {
        command.append(name);
    }
    for (const std::string_view name : kReadSubcommands) {
        Bytes word(name);
        std::ranges::replace(word, ' ', '|');
        command.append(std::move(word));
    }
    return command;
}

bool ReadOnlyGate::takeFlags(const store::Outcome& answer)
{
    const Reply* const reply = replyOf(answer);
    const Reply::Array* const infos = reply != nullptr ? reply->array() : nullptr;
    if (infos == nullptr) {
        return false;
    }
    Names writing;
    for (const Reply& one : *infos) {
        const Reply::Array* const info = one.array();
        const bool isInfo = info != nullptr && info->size() > kFlagsPlace
                            && info->front().text() != nullptr
                            && (*info)[kFlagsPlace].array() != nullptr;
        if (isInfo && !isReading(*(*info)[kFlagsPlace].array())) {
            std::string name = uppered(*info->front().text());
            std::ranges::replace(name, '|', ' ');
            writing.insert(std::move(name));
        }
    }
    m_writing = std::move(writing);
    return true;
}

bool ReadOnlyGate::passes(const Command& command) const
{
    const Name name = nameOf(command);
    const bool isWriting = m_writing
                           && (m_writing->contains(name.first) || m_writing->contains(name.both));
    return !isWriting && (isHarmless(name) || looksAtData(name));
}

} // namespace lockscope::wire
