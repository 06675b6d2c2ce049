#include "app/cli/output/prove_text.h"

#include "app/cli/output/lock_table.h"
#include "core/kernel/base/duration_text.h"
#include "core/kernel/conduct/telling.h"
#include "core/kernel/protocol/promise.h"

#include <algorithm>

namespace lockscope::cli {

namespace {

std::string stepsText(int steps)
{
    return steps == 0   ? "by itself"
           : steps == 1 ? "in 1 step"
                        : "in " + std::to_string(steps) + " steps";
}

/// That it is no matter of the simulated server. Empty where nobody can say so.
std::string realText(const conduct::Find& find, const std::string& server)
{
    return server.empty() || find.realCount == 0
               ? std::string()
               : "        On " + server + ": seen in " + std::to_string(find.realHits) + " of "
                     + std::to_string(find.realCount) + " replays\n";
}

std::string findText(const conduct::Find& find, const std::string& realServer)
{
    std::string text = "BROKEN  " + std::string(idOf(find.breach.violation.promise)) + " ("
                       + std::string(idOf(find.breach.violation.kind)) + ") "
                       + stepsText(find.stepCount()) + ", seen again in "
                       + std::to_string(find.replayHits) + " of " + std::to_string(find.replayCount)
                       + " replays\n";
    text += "        " + describe(find) + "\n        Workload: " + find.workload.name + '\n'
            + realText(find, realServer) + '\n';
    for (const std::string& line : search::numbered(tellFind(find))) {
        text += "  " + line + '\n';
    }
    return text + '\n';
}

std::string limitText(const conduct::Find& find)
{
    std::string text = "        " + describe(find) + " (" + stepsText(find.stepCount());
    for (const conduct::Deviation& deviation : find.deviations) {
        text += "; " + describe(deviation);
    }
    return text + ")\n";
}

/// No promise is broken by it, and nobody wants it. Empty: it did not happen.
std::string ownEndText(const conduct::Proof& proof)
{
    if (!proof.ownEnd) {
        return {};
    }
    std::string text = describe(*proof.ownEnd) + ". That happened in "
                       + counted(proof.ownEndCount, "run", "runs")
                       + (proof.ownEnd->lastWords.empty() ? ".\n" : ". It wrote:\n");
    for (const std::string& line : proof.ownEnd->lastWords) {
        text += "        " + line + '\n';
    }
    return text + '\n';
}

/// The errors that the adapter answered with although nothing had been done to its processes.
std::string errorsText(const conduct::Proof& proof)
{
    std::string text;
    for (const conduct::AnsweredError& error : proof.errors) {
        text += describe(error) + '\n';
    }
    return text + (text.empty() ? "" : "\n");
}

/// What a search that was cut short leaves out is said first.
std::string reachText(const conduct::ProofBounds& bounds, const conduct::Proof& proof)
{
    if (bounds.schedule) {
        return "one schedule";
    }
    if (proof.stepsCovered < 1) {
        return "the natural order and some schedules of 1 step";
    }
    return "every schedule of up to " + std::to_string(proof.stepsCovered) + " of "
           + std::to_string(bounds.stepsMax) + " steps";
}

std::string coverageText(const service::ProofOrder& order, const conduct::Proof& proof,
                         Duration elapsed)
{
    const double seconds = std::max(std::chrono::duration<double>(elapsed).count(), 0.001);
    const auto perSecond = static_cast<std::uint64_t>(static_cast<double>(proof.runCount)
                                                      / seconds);
    std::string text = counted(proof.runCount, "run", "runs") + " in " + durationText(elapsed)
                       + " (" + countText(perSecond) + "/s): " + reachText(order.bounds, proof)
                       + ".\n";
    if (proof.singles.planned > 0 && !proof.isTooLittle()) { // which says so itself
        text += describe(proof.singles) + '\n';
    }
    if (proof.divergedCount > 0) {
        text += counted(proof.divergedCount, "run", "runs")
                + " did not meet the message that was to be delayed or lost, which says nothing.\n";
    }
    if (proof.troubleCount > 0) {
        text += counted(proof.troubleCount, "run", "runs")
                + " could not be carried out to the end, the latest because " + proof.latestTrouble
                + ".\n";
    }
    if (proof.randomCount > 0) {
        text += "Of them " + counted(proof.randomCount, "run", "runs")
                + " with several deviations at random.\n";
    }
    return text + "The order of threads between two messages is not controlled.\n";
}

} // namespace

std::string proveText(const service::ProofOrder& order, const service::ProofOutcome& outcome,
                      Duration elapsed)
{
    const conduct::Proof& proof = outcome.proof;
    std::string text = order.isProgram
                           ? "The program enters its protected section and leaves it.\n\n"
                           : "The adapter knows " + describe(outcome.traits) + ".\n\n";
    std::vector<const conduct::Find*> finds;
    for (const conduct::Find& find : proof.bugs) {
        finds.push_back(&find);
    }
    std::ranges::stable_sort(finds, {}, &conduct::Find::stepCount);
    for (const conduct::Find* const find : finds) {
        text += findText(*find, outcome.realServer);
    }
    if (proof.hasSeenNothing()) {
        text += "NOT PLAYED: no run came to what it was to do.\n\n";
    } else if (proof.isTooLittle()) {
        text += "NOT ENOUGH: no promise broke, and too little was tried to say anything.\n        "
                + shortfallOf(proof) + "\n\n";
    } else if (finds.empty()) {
        text +=
            "NOT FOUND: no promise broke within these runs. That does not mean that none can.\n\n";
    }
    if (!proof.limits.empty()) {
        text +=
            "No mistake of the library: a holder that is kept from its work for longer than its "
            "lease needs a fence,\nand a failover loses what the replica has not got.\n";
        for (const conduct::Find& find : proof.limits) {
            text += limitText(find);
        }
        text += '\n';
    }
    return text + errorsText(proof) + ownEndText(proof) + coverageText(order, proof, elapsed);
}

} // namespace lockscope::cli
