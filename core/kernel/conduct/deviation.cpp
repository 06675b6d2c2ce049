#include "core/kernel/conduct/deviation.h"

#include "core/kernel/base/bytes.h"
#include "core/kernel/base/characters.h"
#include "core/kernel/base/kernel_text.h"
#include "core/kernel/base/sha1.h"
#include "core/kernel/world/world_plan.h"

#include <array>
#include <charconv>
#include <numeric>
#include <set>
#include <sstream>

namespace lockscope::conduct {

using world::FaultKind;

namespace {

constexpr std::size_t kShownOfDigest = 8;
constexpr char kServerMark = '@';
constexpr std::array<std::string_view, 3> kLeapNames{"in-time", "past-lease", "late"};

/// All that is known of a kind.
struct KindInfo {
    std::string_view id;
    FaultKind fault;
    int steps;
    bool lasts;
    bool isAtMessage;
};

constexpr std::array<KindInfo, static_cast<std::size_t>(Interference::InterferenceCount)> kKinds{{
    {"delay-request", FaultKind::MessageDelay, 1, true, true},
    {"delay-reply", FaultKind::MessageDelay, 1, true, true},
    {"lose-request", FaultKind::ConnectionLoss, 1, false, true},
    {"lose-reply", FaultKind::ConnectionLoss, 1, false, true},
    {"kill-after", FaultKind::Crash, 1, false, true},
    {"kill-idle", FaultKind::Crash, 1, false, false},
    {"pause", FaultKind::Pause, 1, true, false},
    {"isolate", FaultKind::Partition, 2, true, false},
    {"interrupt-before", FaultKind::MessageLoss, 3, false, true},
    {"interrupt-after", FaultKind::MessageDelay, 2, false, true},
    {"pass-time", FaultKind::ClockStep, 1, false, false},
    {"forget-scripts", FaultKind::ScriptFlush, 1, false, true},
    {"restart-server", FaultKind::ServerRestart, 1, false, false},
    {"server-down", FaultKind::ServerRestart, 1, true, false},
    {"fail-over", FaultKind::Failover, 1, true, true},
    {"lag-replicas", FaultKind::Failover, 1, true, true},
}};

const KindInfo& infoOf(Interference kind)
{
    return kKinds.at(static_cast<std::size_t>(kind));
}

std::string shownDigest(std::string_view digest)
{
    return lowered(digest.substr(0, kShownOfDigest));
}

std::string serverText(int server)
{
    return server == 0 ? KernelText::tr("the server") : KernelText::tr("server %1", server);
}

std::string lastingText(const Deviation& deviation, const std::string& message,
                        const std::string& process)
{
    const bool isPast = deviation.leap != Leap::None;
    const std::string server = serverText(deviation.message.server);
    switch (deviation.kind) {
    case Interference::ServerDown:
        return isPast ? KernelText::tr("%1 is down for longer than the lease", server)
                      : KernelText::tr("%1 is down for a while", server);
    case Interference::FailOver:
        return KernelText::tr("%1 fails over to a replica that has not got %2", server, message);
    case Interference::LagReplicas:
        return KernelText::tr("the replicas of %1 get nothing for a while, from %2 on", server,
                              message);
    case Interference::DelayRequest:
        if (deviation.leap == Leap::AtEnd) {
            return KernelText::tr("%1 is delayed until long after the others are done", message);
        }
        return isPast ? KernelText::tr("%1 is under way for longer than the lease", message)
                      : KernelText::tr("%1 is delayed", message);
    case Interference::DelayReply:
        return isPast ? KernelText::tr("the answer to %1 is under way for longer than the lease",
                                       message)
                      : KernelText::tr("the answer to %1 is delayed", message);
    case Interference::Pause:
        return isPast ? KernelText::tr("%1 stands still for longer than the lease", process)
                      : KernelText::tr("%1 stands still for a while", process);
    default:
        return isPast ? KernelText::tr("%1 is cut off for longer than the lease", process)
                      : KernelText::tr("%1 is cut off for a while", process);
    }
}

/// "A", or "A@2" of one of several servers. False: neither.
bool readPlace(std::string_view text, MessageName& message)
{
    constexpr int kServersMax = 99;
    if (text.empty() || text[0] < 'A' || text[0] > 'Z') {
        return false;
    }
    message.process = text[0] - 'A';
    if (text.size() == 1) {
        return true;
    }
    const std::string_view digits = text.substr(2);
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(),
                                              message.server);
    return text[1] == kServerMark && error == std::errc() && end == digits.data() + digits.size()
           && message.server > 0 && message.server <= kServersMax;
}

} // namespace

std::string messageKindOf(const store::Command& command)
{
    if (command.words.empty()) {
        return {};
    }
    std::string kind = escaped(uppered(command.words.front()));
    if (command.words.size() < 2) {
        return kind;
    }
    const Bytes& second = command.words[1];
    if (kind == "EVALSHA" || kind == "EVALSHA_RO") {
        return kind + ' ' + shownDigest(second);
    }
    if (kind == "EVAL" || kind == "EVAL_RO") {
        return kind + ' ' + shownDigest(sha1Hex(second));
    }
    constexpr std::array<std::string_view, 5> kContainers{"CLIENT", "SCRIPT", "PUBSUB", "CONFIG",
                                                          "COMMAND"};
    for (const std::string_view container : kContainers) {
        if (kind == container) {
            return kind + ' ' + escaped(uppered(second));
        }
    }
    return kind;
}

bool isHousekeeping(std::string_view kind)
{
    constexpr std::array<std::string_view, 10> kCommands{"PING",    "HELLO",  "CLIENT",  "INFO",
                                                         "AUTH",    "SELECT", "COMMAND", "CONFIG",
                                                         "CLUSTER", "ROLE"};
    return std::ranges::find(kCommands, kind.substr(0, kind.find(' '))) != kCommands.end();
}

std::string describe(const MessageName& name)
{
    const std::string process = world::clientName(name.process);
    const std::string kind = name.server == 0
                                 ? name.kind
                                 : KernelText::tr("%1 to server %2", name.kind, name.server);
    return name.occurrence <= 1
               ? KernelText::tr("%1's %2", process, kind)
               : KernelText::tr("%1's %2 (number %3)", process, kind, name.occurrence);
}

FaultKind faultOf(Interference kind)
{
    return infoOf(kind).fault;
}

bool isBehindRequest(Interference kind)
{
    return kind == Interference::DelayReply || kind == Interference::LoseReply
           || kind == Interference::KillAfter || kind == Interference::InterruptAfter;
}

std::vector<FaultKind> possibleFaults()
{
    std::set<FaultKind> faults{FaultKind::Interleaving};
    for (const KindInfo& kind : kKinds) {
        faults.insert(kind.fault);
    }
    return {faults.begin(), faults.end()};
}

bool isOrderOnly(const Deviation& deviation)
{
    return deviation.leap == Leap::None
           && (deviation.kind == Interference::DelayRequest
               || deviation.kind == Interference::DelayReply);
}

bool isDeath(Interference kind)
{
    return faultOf(kind) == FaultKind::Crash;
}

bool isOfServer(Interference kind)
{
    return kind == Interference::ForgetScripts || kind == Interference::RestartServer
           || kind == Interference::ServerDown || kind == Interference::FailOver
           || kind == Interference::LagReplicas;
}

std::string_view idOf(Interference kind)
{
    return infoOf(kind).id;
}

bool lasts(Interference kind)
{
    return infoOf(kind).lasts;
}

bool isAtMessage(Interference kind)
{
    return infoOf(kind).isAtMessage;
}

bool areApart(const Deviation& a, const Deviation& b)
{
    return a.message != b.message || a.act != b.act;
}

bool isKilledBy(std::span<const Deviation> deviations, int process)
{
    return std::ranges::any_of(deviations, [process](const Deviation& deviation) {
        return deviation.message.process == process && isDeath(deviation.kind);
    });
}

int stepsOf(const Deviation& deviation)
{
    return infoOf(deviation.kind).steps + (deviation.leap == Leap::None ? 0 : 1);
}

int stepsOf(std::span<const Deviation> deviations)
{
    return std::accumulate(deviations.begin(), deviations.end(), 0,
                           [](int sum, const Deviation& one) { return sum + stepsOf(one); });
}

std::string describe(const Deviation& deviation)
{
    const std::string message = describe(deviation.message);
    const std::string process = world::clientName(deviation.message.process);
    switch (deviation.kind) {
    case Interference::LoseRequest:
        return KernelText::tr("the connection breaks and %1 is lost", message);
    case Interference::LoseReply:
        return KernelText::tr("the connection breaks and the answer to %1 is lost", message);
    case Interference::KillAfter:
        return KernelText::tr("%1 is killed as soon as %2 is carried out", process, message);
    case Interference::KillIdle: return KernelText::tr("%1 is killed", process);
    case Interference::InterruptBefore:
        return KernelText::tr("the call of %1 is interrupted, and %2 is lost with the connection",
                              process, message);
    case Interference::InterruptAfter:
        return KernelText::tr("the call of %1 is interrupted, and the answer to %2 comes after",
                              process, message);
    case Interference::PassTime: return KernelText::tr("more time passes than a lease");
    case Interference::ForgetScripts:
        return KernelText::tr("%1 forgets its scripts before %2",
                              serverText(deviation.message.server), message);
    case Interference::RestartServer:
        return KernelText::tr("%1 restarts with its data", serverText(deviation.message.server));
    default: return lastingText(deviation, message, process);
    }
}

std::string toText(const Deviation& deviation)
{
    std::string text(idOf(deviation.kind));
    text += ' ' + world::clientName(deviation.message.process);
    if (deviation.message.server > 0) {
        text += kServerMark + std::to_string(deviation.message.server);
    }
    text += ' ' + std::to_string(deviation.act) + ' ' + std::to_string(deviation.untilAct) + ' '
            + std::string(kLeapNames[static_cast<std::size_t>(deviation.leap)]);
    if (isAtMessage(deviation.kind)) {
        text += ' ' + std::to_string(deviation.message.occurrence) + ' ' + deviation.message.kind;
    }
    return text;
}

std::optional<Deviation> parseDeviation(std::string_view text)
{
    std::istringstream words{std::string(text)};
    std::string id;
    std::string process;
    std::string span;
    Deviation deviation;
    words >> id >> process >> deviation.act >> deviation.untilAct >> span;
    const auto known = std::ranges::find(kKinds, id, &KindInfo::id);
    const auto leap = std::ranges::find(kLeapNames, span);
    const bool isWhole = words && known != kKinds.end() && readPlace(process, deviation.message)
                         && leap != kLeapNames.end();
    if (!isWhole) {
        return std::nullopt;
    }
    deviation.kind = static_cast<Interference>(known - kKinds.begin());
    deviation.leap = static_cast<Leap>(leap - kLeapNames.begin());
    if (known->isAtMessage) {
        words >> deviation.message.occurrence >> std::ws;
        std::getline(words, deviation.message.kind);
        if (deviation.message.kind.empty() || deviation.message.occurrence < 1) {
            return std::nullopt;
        }
        return deviation;
    }
    const bool isAll = (words >> std::ws).eof();
    return isAll ? std::optional(deviation) : std::nullopt;
}

} // namespace lockscope::conduct
