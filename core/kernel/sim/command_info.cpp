#include "core/kernel/sim/call.h"
#include "core/kernel/sim/command_handlers.h"

#include <algorithm>

namespace lockscope::sim::handlers {

using store::Reply;

namespace {

/// Where the keys stand among the words of a command.
struct KeyPlaces {
    std::int64_t first = 0;
    std::int64_t last = 0; // negative: from the end
    std::int64_t step = 0;
};

struct KeyPlacesOf {
    std::string_view name;
    KeyPlaces places;
};

/// Of commands whose only key is not their first word.
constexpr KeyPlacesOf kKeyPlaces[] = {
    {"mget", {1, -1, 1}},
    {"mset", {1, -1, 2}},
    {"msetnx", {1, -1, 2}},
    {"del", {1, -1, 1}},
    {"unlink", {1, -1, 1}},
    {"exists", {1, -1, 1}},
    {"touch", {1, -1, 1}},
    {"watch", {1, -1, 1}},
    {"rename", {1, 2, 1}},
    {"renamenx", {1, 2, 1}},
    {"copy", {1, 2, 1}},
    {"lmove", {1, 2, 1}},
    {"rpoplpush", {1, 2, 1}},
    {"blmove", {1, 2, 1}},
    {"brpoplpush", {1, 2, 1}},
    {"blpop", {1, -2, 1}},
    {"brpop", {1, -2, 1}},
    {"bzpopmin", {1, -2, 1}},
    {"bzpopmax", {1, -2, 1}},
    {"spublish", {1, 1, 1}},
    {"ssubscribe", {1, -1, 1}},
    {"sunsubscribe", {1, -1, 1}},
    {"keys", {}},
    {"scan", {}},
    {"dbsize", {}},
    {"flushall", {}},
    {"flushdb", {}},
};

KeyPlaces keyPlacesOf(const CommandSpec& spec)
{
    const auto* const known = std::ranges::find(kKeyPlaces, spec.name, &KeyPlacesOf::name);
    if (known != std::end(kKeyPlaces)) {
        return known->places;
    }
    const bool hasKey = spec.kind == CommandKind::Read || spec.kind == CommandKind::Write
                        || spec.kind == CommandKind::Blocking;
    return hasKey ? KeyPlaces{1, 1, 1} : KeyPlaces{};
}

/// Those that say whether data changes and who may call it; a real server names more.
Reply flagsOf(const CommandSpec& spec)
{
    Reply::Array flags;
    if (spec.name.ends_with("_ro")) {
        flags.push_back(Reply::ofStatus("readonly"));
    }
    switch (spec.kind) {
    case CommandKind::Read: flags.push_back(Reply::ofStatus("readonly")); break;
    case CommandKind::Write: flags.push_back(Reply::ofStatus("write")); break;
    case CommandKind::Blocking:
        flags.push_back(Reply::ofStatus("write"));
        flags.push_back(Reply::ofStatus("blocking"));
        break;
    default: break;
    }
    return Reply::ofArray(std::move(flags));
}

/// In the ten parts of commandReply() in server.c; categories, tips, key specifications and
/// subcommands are left empty.
Reply descriptionOf(const CommandSpec& spec)
{
    const KeyPlaces places = keyPlacesOf(spec);
    Reply::Array parts;
    parts.push_back(replies::bulk(spec.name));
    parts.push_back(replies::number(std::int64_t{spec.arity}));
    parts.push_back(flagsOf(spec));
    parts.push_back(replies::number(places.first));
    parts.push_back(replies::number(places.last));
    parts.push_back(replies::number(places.step));
    parts.resize(10, replies::emptyArray());
    return Reply::ofArray(std::move(parts));
}

bool isSubcommand(const CommandSpec& spec)
{
    return spec.name.find('|') != std::string_view::npos;
}

} // namespace

Reply command(Call&)
{
    Reply::Array all;
    for (const CommandSpec& spec : commandTable()) {
        if (!isSubcommand(spec)) {
            all.push_back(descriptionOf(spec));
        }
    }
    return Reply::ofArray(std::move(all));
}

Reply commandCount(Call&)
{
    const auto isWhole = [](const CommandSpec& spec) { return !isSubcommand(spec); };
    return replies::number(std::int64_t{std::ranges::count_if(commandTable(), isWhole)});
}

/// Nothing is documented here, which clients take for a server that knows no more.
Reply commandDocs(Call&)
{
    return replies::emptyArray();
}

Reply commandInfo(Call& call)
{
    if (call.size() == 2) {
        return command(call);
    }
    Reply::Array asked;
    for (std::size_t i = 2; i < call.size(); ++i) {
        const CommandSpec* const spec = findCommand({call.word(i)});
        asked.push_back(spec != nullptr ? descriptionOf(*spec) : replies::nil());
    }
    return Reply::ofArray(std::move(asked));
}

} // namespace lockscope::sim::handlers
