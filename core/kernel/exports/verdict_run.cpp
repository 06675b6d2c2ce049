#include "core/kernel/exports/verdict_run.h"

#include "core/kernel/exports/ticket_story.h"

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
    run.promises = std::move(ticket.verdicts);
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
