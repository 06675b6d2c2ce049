#include "core/wire/connection/read_only_gate.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string>
#include <string_view>

namespace lockscope::wire {

namespace {

constexpr auto kReadCommands = std::to_array<std::string_view>({
    "ASKING",        "AUTH",     "DBSIZE",      "ECHO",      "EVAL_RO",    "EVALSHA_RO", "EXISTS",
    "GET",           "GETRANGE", "HEXISTS",     "HGET",      "HGETALL",    "HKEYS",      "HLEN",
    "HMGET",         "HSCAN",    "HSTRLEN",     "HVALS",     "INFO",       "LINDEX",     "LLEN",
    "LRANGE",        "MGET",     "PEXPIRETIME", "PING",      "PSUBSCRIBE", "PTTL",       "PUBSUB",
    "PUNSUBSCRIBE",  "ROLE",     "SCAN",        "SCARD",     "SELECT",     "SISMEMBER",  "SMEMBERS",
    "SMISMEMBER",    "SSCAN",    "STRLEN",      "SUBSCRIBE", "TIME",       "TTL",        "TYPE",
    "UNSUBSCRIBE",   "XLEN",     "XRANGE",      "XREVRANGE", "ZCARD",      "ZCOUNT",     "ZRANGE",
    "ZRANGEBYSCORE", "ZRANK",    "ZREVRANGE",   "ZSCAN",     "ZSCORE",
});

/// Container commands of which only some subcommands read.
constexpr auto kReadSubcommands = std::to_array<std::string_view>({
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
    "MEMORY USAGE",
    "OBJECT ENCODING",
    "OBJECT IDLETIME",
});

std::string upperCased(std::string_view word)
{
    std::string upper(word);
    std::transform(upper.begin(), upper.end(), upper.begin(),
                   [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
    return upper;
}

template<class List>
bool contains(const List& list, std::string_view word)
{
    return std::find(list.begin(), list.end(), word) != list.end();
}

} // namespace

bool isReadCommand(const store::Command& command)
{
    if (command.words.empty()) {
        return false;
    }
    const std::string name = upperCased(command.words[0]);
    if (contains(kReadCommands, name)) {
        return true;
    }
    return command.words.size() > 1
           && contains(kReadSubcommands, name + ' ' + upperCased(command.words[1]));
}

} // namespace lockscope::wire
