#include "core/kernel/search/wording.h"

#include "core/kernel/base/bytes.h"
#include "core/kernel/base/duration_text.h"
#include "protocol_scripts.h"

#include <algorithm>

namespace lockscope::search {

using store::Command;
using store::Reply;
using world::FaultKind;
using world::Step;
using world::WorldPlan;

namespace {

constexpr std::size_t kUuidSize = 36;
constexpr std::size_t kShownOfUuid = 4;
constexpr std::size_t kWordSizeMax = 40;

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

/// Tokens are told apart by their first few letters.
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
    if (text.size() > kWordSizeMax) {
        text = text.substr(0, kWordSizeMax) + "…";
    }
    return text;
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

std::string between(int client, int node, const WorldPlan& plan)
{
    const std::string server = plan.nodeCount > 1 ? "server " + std::to_string(node + 1)
                                                  : "the server";
    return world::clientName(client) + " and " + server;
}

std::string nameOfNode(int node, const WorldPlan& plan)
{
    return plan.nodeCount > 1 ? "server " + std::to_string(node + 1) : "the server";
}

std::string messageFaultText(const Step& step, const std::string& what)
{
    const std::string name = world::clientName(step.client);
    const std::string its = "the " + what + " of " + name;
    switch (step.fault) {
    case FaultKind::ConnectionLoss:
        if (step.variant == 2) {
            return "the subscription of " + name + " breaks";
        }
        return step.variant == 0
                   ? "the connection of " + name + " breaks before its " + what + " is executed"
                   : "the connection of " + name + " breaks before the reply to its " + what;
    case FaultKind::MessageLoss:
        return step.variant == 0 ? its + " is lost" : "the reply to " + its + " is lost";
    case FaultKind::MessageDelay: return its + " is delayed";
    default: return its + " will be executed a second time";
    }
}

std::string nodeFaultText(const Step& step, const WorldPlan& plan)
{
    const std::string server = nameOfNode(step.node, plan);
    const std::string amount = durationText(plan.faults.of(step.fault).amount);
    switch (step.fault) {
    case FaultKind::ServerRestart:
        return server + " restarts " + (step.variant == 0 ? "without" : "with") + " its data";
    case FaultKind::Failover:
        return "a replica of " + server + " takes over without the latest "
               + (step.variant == 0 ? "write" : "two writes");
    case FaultKind::SlowNode: return server + " answers " + amount + " late from now on";
    case FaultKind::ScriptFlush: return server + " loses its script cache";
    case FaultKind::ForceRelease: return "an operator deletes " + plan.keyName(step.variant);
    default: return server + " evicts a key to free memory";
    }
}

std::string clientFaultText(const Step& step, const WorldPlan& plan)
{
    const std::string name = world::clientName(step.client);
    const std::string amount = durationText(plan.faults.of(step.fault).amount);
    switch (step.fault) {
    case FaultKind::Crash:
        return name + (step.variant == 0 ? " crashes" : " crashes and is restarted");
    case FaultKind::Pause: return name + " pauses for " + amount;
    case FaultKind::Hang: return name + " hangs, but its renewals continue";
    case FaultKind::ClockSkew:
        return "the wall clock of " + name + " is " + amount
               + (step.variant == 0 ? " ahead" : " behind");
    case FaultKind::ClockDrift:
        return "the clock of " + (step.variant < 2 ? name : nameOfNode(step.node, plan))
               + " runs too " + (step.variant % 2 == 0 ? "fast" : "slow");
    case FaultKind::ClockStep:
        if (step.variant == 0) {
            return "the clock of " + nameOfNode(step.node, plan) + " jumps ahead by " + amount;
        }
        return "the wall clock of " + name + " jumps " + (step.variant == 1 ? "ahead" : "back")
               + " by " + amount;
    default: break;
    }
    if (step.variant == 2) {
        return nameOfNode(step.node, plan) + " is cut off from all clients for " + amount;
    }
    return step.variant == 0
               ? between(step.client, step.node, plan) + " cannot reach each other for " + amount
               : "for " + amount + ", no reply of " + nameOfNode(step.node, plan) + " reaches "
                     + name;
}

} // namespace

std::string commandText(const Command& command)
{
    if (!isScript(command)) {
        return commandNoun(command);
    }
    return (scriptName(command).empty() ? "its " : "the ") + commandNoun(command);
}

std::string commandNoun(const Command& command)
{
    if (!isScript(command)) {
        return joined(command.words, 0);
    }
    const std::string name = scriptName(command);
    const std::string script = name.empty() ? "script" : "script " + name;
    return command.words.size() > 3 ? script + " for " + joined(command.words, 3) : script;
}

std::string answerText(const Reply& reply)
{
    if (reply.isNil()) {
        return "nil";
    }
    if (const store::ServerError* const error = reply.error()) {
        return "an error (" + error->text + ")";
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
    switch (step.fault) {
    case FaultKind::ConnectionLoss:
    case FaultKind::MessageLoss:
    case FaultKind::MessageDelay:
    case FaultKind::MessageCopy:
        return messageFaultText(step, concerned != nullptr ? commandNoun(*concerned) : "request");
    case FaultKind::ServerRestart:
    case FaultKind::Failover:
    case FaultKind::SlowNode:
    case FaultKind::ScriptFlush:
    case FaultKind::ForceRelease:
    case FaultKind::Eviction: return nodeFaultText(step, plan);
    default: return clientFaultText(step, plan);
    }
}

} // namespace lockscope::search
