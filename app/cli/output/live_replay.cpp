#include "app/cli/output/live_replay.h"

#include "app/cli/exit_code.h"
#include "core/kernel/search/wording.h"
#include "core/kernel/world/world_plan.h"

#include <csignal>
#include <cstdio>
#include <utility>

namespace lockscope::cli {

using wire::MirrorDifference;
using wire::MirrorResult;
using MirrorStatus = MirrorResult::Status;

namespace {

std::string_view idOf(MirrorStatus status)
{
    switch (status) {
    case MirrorStatus::Agrees: return "agrees";
    case MirrorStatus::Differs: return "differs";
    case MirrorStatus::NotRepeatable: return "not-repeatable";
    case MirrorStatus::NoServer: return "no-server";
    }
    return {};
}

std::string secondsText(Duration time)
{
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%.1f s", static_cast<double>(toMs(time)) / 1000);
    return text.data();
}

std::string realAnswer(const MirrorDifference& difference)
{
    return difference.real ? search::answerText(*difference.real) : "nothing";
}

std::string text(const MirrorDifference& difference)
{
    std::string line = difference.step ? "step " + std::to_string(*difference.step + 1) : "the end";
    if (difference.client >= 0) {
        line += ", " + world::clientName(difference.client);
    }
    line += ", " + search::commandText(difference.command) + ": the simulated server answered "
            + search::answerText(difference.simulated) + ", the real one ";
    return line + realAnswer(difference);
}

std::string speedText(const MirrorResult& result)
{
    return result.speedFactor == 1
               ? std::string("at its own speed")
               : "with all times divided by " + std::to_string(result.speedFactor);
}

} // namespace

LiveReplay::LiveReplay(const report::CounterexampleFile& example, Output& output)
    : m_relay({SIGINT, SIGTERM, SIGHUP, SIGQUIT}, output),
      m_mirror(std::make_unique<wire::RedisMirror>())
{
    connect(&m_relay, &SignalRelay::received, this, [this](int signalNumber) {
        m_signal = signalNumber;
        m_mirror.reset();
        m_end.complete(std::nullopt);
    });
    connect(m_mirror.get(), &wire::RedisMirror::finished, this,
            [this](const MirrorResult& result) { m_end.complete(result); });
    m_mirror->start(*example.protocol.protocol, example.plan, example.steps);
}

int LiveReplay::interruptCode() const
{
    return ExitBySignal + m_signal;
}

std::string liveReplayText(const MirrorResult& result)
{
    switch (result.status) {
    case MirrorStatus::NoServer: return "Could not replay on a real Redis: " + result.reason + '\n';
    case MirrorStatus::NotRepeatable:
        return "This run cannot be replayed on a real Redis. " + result.reason + '\n';
    case MirrorStatus::Agrees:
        return "A real Redis gave the same " + std::to_string(result.exchangeCount) + " answers, "
               + speedText(result) + ", in " + secondsText(result.realTime)
               + ": real clients would have been in the same state.\n";
    case MirrorStatus::Differs: break;
    }
    std::string lines = "A real Redis gave different answers, " + speedText(result) + ":\n";
    for (const MirrorDifference& difference : result.differences) {
        lines += "  " + text(difference) + '\n';
    }
    return lines;
}

report::Json liveReplayJson(const MirrorResult& result)
{
    report::Json json;
    json["status"] = idOf(result.status);
    json["reason"] = result.reason;
    json["answers"] = result.exchangeCount;
    json["timesDividedBy"] = result.speedFactor;
    json["realMs"] = toMs(result.realTime);
    json["differences"] = report::Json::array();
    for (const MirrorDifference& difference : result.differences) {
        report::Json entry;
        entry["step"] = difference.step ? report::Json(*difference.step + 1) : report::Json();
        entry["client"] = difference.client >= 0
                              ? report::Json(world::clientName(difference.client))
                              : report::Json();
        entry["server"] = difference.node;
        entry["command"] = search::commandText(difference.command);
        entry["simulated"] = search::answerText(difference.simulated);
        entry["real"] = realAnswer(difference);
        json["differences"].push_back(std::move(entry));
    }
    return json;
}

int exitCodeOf(const MirrorResult& result, bool reproduced)
{
    switch (result.status) {
    case MirrorStatus::Agrees: return reproduced ? ExitPromiseBroken : ExitDone;
    case MirrorStatus::Differs: return ExitDone;
    case MirrorStatus::NotRepeatable: return ExitBadArguments;
    case MirrorStatus::NoServer: return ExitUnreachable;
    }
    return ExitDone;
}

} // namespace lockscope::cli
