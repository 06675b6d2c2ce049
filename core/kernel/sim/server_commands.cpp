#include "core/kernel/base/characters.h"
#include "core/kernel/inspect/lock_names.h"
#include "core/kernel/sim/call.h"
#include "core/kernel/sim/command_handlers.h"

#include <algorithm>
#include <string_view>
#include <utility>

namespace lockscope::sim::handlers {

using store::Reply;

namespace {

/// By name.
constexpr std::pair<std::string_view, std::string_view> kSettings[] = {
    {"appendonly", "no"},
    {"cluster-enabled", "no"},
    {"databases", "16"},
    {"lua-time-limit", "5000"},
    {"maxmemory", "0"},
    {"maxmemory-policy", "noeviction"},
    {"min-replicas-to-write", "0"},
    {"notify-keyspace-events", ""},
    {"replica-read-only", "yes"},
    {"requirepass", ""},
    {"save", ""},
    {"timeout", "0"},
};

} // namespace

Reply ping(Call& call)
{
    if (call.size() > 2) {
        return replies::wrongArity(call.spec.name);
    }
    return call.size() == 2 ? replies::bulk(call.word(1)) : Reply::ofStatus("PONG");
}

Reply echo(Call& call)
{
    return replies::bulk(call.word(1));
}

Reply select(Call& call)
{
    const std::variant<int, Reply> number = databaseNumber(call.word(1));
    if (const Reply* const error = std::get_if<Reply>(&number)) {
        return *error;
    }
    return std::get<int>(number) == 0 ? replies::ok() : replies::otherDatabase();
}

Reply time(Call& call)
{
    const std::int64_t us = call.context.now.time_since_epoch().count();
    Reply::Array parts;
    parts.push_back(Reply::ofBulk(std::to_string(us / 1'000'000)));
    parts.push_back(Reply::ofBulk(std::to_string(us % 1'000'000)));
    return Reply::ofArray(std::move(parts));
}

/// What drivers ask before they rely on something. As configGetCommand() in config.c: a setting
/// that was asked for by its name is called as it was.
Reply configGet(Call& call)
{
    Reply::Array found;
    for (const auto& [name, value] : kSettings) {
        const auto pattern = std::find_if(call.words.begin() + 2, call.words.end(),
                                          [&name = name](const Bytes& word) {
                                              return inspect::matchesGlob(lowered(word), name);
                                          });
        if (pattern != call.words.end()) {
            const bool isName = equalsIgnoringCase(*pattern, name);
            found.push_back(replies::bulk(isName ? std::string_view(*pattern) : name));
            found.push_back(replies::bulk(value));
        }
    }
    return Reply::ofArray(std::move(found));
}

Reply clusterDisabled(Call&)
{
    return replies::error("This instance has cluster support disabled");
}

} // namespace lockscope::sim::handlers
