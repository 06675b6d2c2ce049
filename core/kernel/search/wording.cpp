#include "core/kernel/search/wording.h"

#include "core/kernel/base/bytes.h"
#include "core/kernel/base/kernel_text.h"
#include "core/kernel/world/fault_info.h"
#include "protocol_scripts.h"

#include <algorithm>

namespace lockscope::search {

using store::Command;
using store::Reply;
using world::Step;
using world::WorldPlan;

namespace {

constexpr std::size_t kUuidSize = 36;
constexpr std::size_t kShownOfUuid = 4;
constexpr std::size_t kWordLengthMax = 40;

bool isUuidAt(std::string_view text, std::size_t at)
{
    if (at + kUuidSize > text.size()) {
        return false;
    }
    for (std::size_t i = 0; i < kUuidSize; ++i) {
        const bool isDash = i == 8 || i == 13 || i == 18 || i == 23;
        const char c = text[at + i];
        const bool isHex = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
        if (isDash ? c != '-' : !isHex) {
            return false;
        }
    }
    return true;
}

/// Tokens are distinguished by their first few letters.
std::string shortened(std::string_view word)
{
    std::string text;
    for (std::size_t at = 0; at < word.size();) {
        if (isUuidAt(word, at)) {
            text.append(word.substr(at, kShownOfUuid)).append("…");
            at += kUuidSize;
        } else {
            text.push_back(word[at++]);
        }
    }
    return elidedEnd(text, kWordLengthMax);
}

/// Words from `first` on, as one would type them.
std::string joined(const std::vector<Bytes>& words, std::size_t first)
{
    std::string text;
    for (std::size_t i = first; i < words.size(); ++i) {
        text += (i == first ? "" : " ") + shortened(escaped(words[i]));
    }
    return text;
}

bool isScript(const Command& command)
{
    return command.words.size() > 2
           && (command.words[0] == "EVALSHA" || command.words[0] == "EVAL");
}

/// Empty for one that is not ours.
std::string scriptName(const Command& command)
{
    const auto script = std::ranges::find(protocol::scripts::kAll, command.words[1],
                                          &store::Script::digest);
    return std::string(script != std::end(protocol::scripts::kAll) ? script->name : "");
}

} // namespace

std::string commandText(const Command& command)
{
    if (!isScript(command)) {
        return commandNoun(command);
    }
    return scriptName(command).empty() ? KernelText::tr("its %1", commandNoun(command))
                                       : KernelText::tr("the %1", commandNoun(command));
}

std::string commandNoun(const Command& command)
{
    if (!isScript(command)) {
        return joined(command.words, 0);
    }
    const std::string name = scriptName(command);
    const std::string script = name.empty() ? KernelText::tr("script")
                                            : KernelText::tr("script %1", name);
    return command.words.size() > 3 ? KernelText::tr("%1 for %2", script, joined(command.words, 3))
                                    : script;
}

std::string answerText(const Reply& reply)
{
    if (reply.isNil()) {
        return "nil";
    }
    if (const store::ServerError* const error = reply.error()) {
        return KernelText::tr("an error (%1)", escaped(error->text));
    }
    if (const auto number = reply.integer()) {
        return std::to_string(*number);
    }
    if (const std::string* const text = reply.text()) {
        return shortened(escaped(*text));
    }
    std::string text = "(";
    if (const auto* const items = reply.array()) {
        for (const Reply& item : *items) {
            text += (text.size() > 1 ? ", " : "") + answerText(item);
        }
    }
    return text + ")";
}

std::string faultText(const Step& step, const Command* concerned, const WorldPlan& plan)
{
    return infoOf(step.fault)
        .story(step, plan,
               concerned != nullptr ? commandNoun(*concerned) : KernelText::tr("request"));
}

} // namespace lockscope::search
