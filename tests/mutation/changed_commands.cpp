#include "tests/mutation/changed_commands.h"

#include <algorithm>
#include <array>
#include <utility>

namespace lockscope::mutation {

using store::Command;

namespace {

bool isVerb(const Command& command, std::string_view verb)
{
    return command.words.front() == verb;
}

/// As EVAL: a command of another name may have another kind of answer.
Command script(std::string_view text, Command command)
{
    Command changed("EVAL", text, 1);
    std::move(command.words.begin() + 1, command.words.end(), std::back_inserter(changed.words));
    return changed;
}

void dropOption(Command& command, std::string_view option, std::ptrdiff_t wordCount)
{
    const auto found = std::ranges::find(command.words, option);
    if (found != command.words.end()) {
        command.words.erase(found, found + wordCount);
    }
}

Command setWithoutNx(Command command)
{
    if (isVerb(command, "SET")) {
        dropOption(command, "NX", 1);
    }
    return command;
}

Command setWithoutExpiry(Command command)
{
    if (isVerb(command, "SET")) {
        dropOption(command, "PX", 2);
        dropOption(command, "EX", 2);
    }
    return command;
}

Command setInOtherUnit(Command command)
{
    if (isVerb(command, "SET")) {
        for (Bytes& word : command.words) {
            word = word == "PX" ? "EX" : word == "EX" ? "PX" : word;
        }
    }
    return command;
}

Command setnxAnyway(Command command)
{
    return isVerb(command, "SETNX")
               ? script("redis.call('set', KEYS[1], ARGV[1]) return 1", std::move(command))
               : command;
}

Command noExpire(Command command)
{
    return isVerb(command, "EXPIRE") ? Command("EXISTS", command.words[1]) : command;
}

Command noDel(Command command)
{
    return isVerb(command, "DEL") ? Command("EXISTS", command.words[1]) : command;
}

Command noHdel(Command command)
{
    return isVerb(command, "HDEL") ? Command("HEXISTS", command.words[1], command.words[2])
                                   : command;
}

Command nothingThere(Command command)
{
    return isVerb(command, "EXISTS") ? script("return 0", std::move(command)) : command;
}

Command getNothing(Command command)
{
    return isVerb(command, "GET") ? script("return false", std::move(command)) : command;
}

Command getWithoutSet(Command command)
{
    return isVerb(command, "GETSET") ? Command("GET", command.words[1]) : command;
}

constexpr std::array<CommandChange, 10> kChanges{{
    {"drop-option", "SET", setWithoutNx},
    {"drop-expiry", "SET", setWithoutExpiry},
    {"other-unit", "SET", setInOtherUnit},
    {"drop-option", "SETNX", setnxAnyway},
    {"drop-command", "EXPIRE", noExpire},
    {"drop-command", "DEL", noDel},
    {"drop-command", "HDEL", noHdel},
    {"condition-false", "EXISTS", nothingThere},
    {"condition-false", "GET", getNothing},
    {"only-say-so", "GETSET", getWithoutSet},
}};

} // namespace

std::span<const CommandChange> commandChanges()
{
    return kChanges;
}

} // namespace lockscope::mutation
