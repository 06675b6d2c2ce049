#include "core/kernel/exports/verdict_run.h"

#include "core/kernel/exports/ticket_story.h"
#include "core/kernel/report/run/replay_verdicts.h"

#include <algorithm>
#include <utility>

namespace lockscope::exports {

report::RunFile runFileOf(const report::SavedProtocol& protocol, const report::CellVerdict& verdict)
{
    sim::LuaEngine lua;
    const std::vector<world::Step>& steps = verdict.result.finding->steps;
    report::RunFile run = report::runFileOf(protocol, verdict.plan,
                                            search::recordRun(*protocol.protocol, verdict.plan,
                                                              steps, lua));
    Ticket ticket = ticketOf(protocol.info(), verdict, {});
    // Of this run, whatever others broke; the end of a run, which some promises are about, is
    // looked at only where the run was found to be over.
    const search::ReplayedRun replayed = search::replaySteps(*protocol.protocol, verdict.plan,
                                                             steps, lua);
    run.promises = report::verdictsOf({protocol.info(), verdict.plan, steps, replayed.violations,
                                       replayed.chances});
    if (verdict.isBroken()) {
        report::PromiseVerdict& line =
            run.promises.at(static_cast<std::size_t>(verdict.result.promise));
        const std::uint64_t chances = std::max(line.chances, std::uint64_t(1));
        line = ticket.verdicts.front();
        line.chances = chances; // of this run
    }
    run.faults = std::move(ticket.faults);
    run.story = std::move(ticket.story);
    run.assumptions = std::move(ticket.assumptions);
    if (run.story.empty() && verdict.isBroken()) { // the search was stopped before the story
        run.story = search::tellStory(*protocol.protocol, verdict.plan, *verdict.result.finding,
                                      lua);
    }
    return run;
}

} // namespace lockscope::exports
