#include "core/kernel/exports/example_run.h"

#include "core/kernel/exports/verdict_run.h"
#include "core/kernel/report/run/replay_verdicts.h"

#include <utility>

namespace lockscope::exports {

using report::CounterexampleFile;
using report::RunFile;
using search::ReplayedRun;

RunFile runFileOf(const CounterexampleFile& example, const ReplayedRun& run,
                  std::vector<search::StoryLine> story)
{
    using Status = search::PromiseResult::Status;
    report::CellVerdict verdict;
    verdict.result.promise = example.promise;
    verdict.result.status = report::violationIn(run, example) != nullptr ? Status::Broken
                                                                         : Status::Held;
    verdict.result.finding = report::findingOf(run, example);
    verdict.plan = example.plan;
    verdict.story = std::move(story);
    RunFile file = runFileOf(example.protocol, verdict);
    file.mode = "replay";
    file.promises = report::verdictsOf(run, example);
    return file;
}

std::variant<RunFile, std::string> replayed(const CounterexampleFile& example,
                                            std::string_view name)
{
    std::string complaint = report::complaintAbout(example, name);
    if (!complaint.empty()) {
        return complaint;
    }
    sim::LuaEngine lua;
    const protocol::LockProtocol& protocol = *example.protocol.protocol;
    const ReplayedRun run = search::replaySteps(protocol, example.plan, example.steps, lua);
    complaint = report::complaintAbout(example, run, name);
    if (!complaint.empty()) {
        return complaint;
    }
    return runFileOf(example, run, report::storyOf(run, example, lua));
}

} // namespace lockscope::exports
