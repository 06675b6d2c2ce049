#include "app/cli/session/search_tasks.h"

#include "core/kernel/search/default_plans.h"
#include "core/kernel/search/matrix_tasks.h"

#include <algorithm>
#include <iterator>

namespace lockscope::cli {

using search::SearchTask;
using world::FaultKind;
using world::FaultPlan;
using world::WorldPlan;

namespace {

SearchTask taskFor(const report::SavedProtocol& protocol)
{
    SearchTask task;
    task.protocol = protocol.protocol;
    return task;
}

/// The plan with this kind of fault, and no other.
WorldPlan onlyWith(WorldPlan plan, FaultKind fault)
{
    plan.faults = fault == FaultKind::Interleaving ? FaultPlan{}
                                                   : FaultPlan::only(fault, plan.leaseMax());
    return plan;
}

std::vector<WorldPlan> plansAgainst(const SearchSubject& subject, FaultKind fault)
{
    const protocol::ProtocolInfo& info = subject.protocol.info();
    if (subject.scenario && isMisuse(fault)) {
        return {}; // what its clients do is in the scenario
    }
    if (subject.scenario && search::isApplicable(fault, info)) {
        return {onlyWith(*subject.scenario, fault)};
    }
    return subject.scenario ? std::vector<WorldPlan>()
                            : search::plansFor(info, fault, subject.clientCount);
}

} // namespace

std::vector<SearchTask> tasksOf(const ExploreArguments& arguments)
{
    const SearchSubject& subject = arguments.subject;
    std::vector<SearchTask> tasks;
    for (const FaultKind fault : subject.faults) {
        SearchTask task = taskFor(subject.protocol);
        task.fault = fault;
        task.plans = plansAgainst(subject, fault);
        tasks.push_back(std::move(task));
    }
    if (subject.faults.empty()) {
        tasks.push_back(taskFor(subject.protocol));
        tasks.back().plans = {*subject.scenario};
    }
    for (SearchTask& task : tasks) {
        task.method = search::SystematicSearch{arguments.bounds};
    }
    return tasks;
}

std::vector<SearchTask> tasksOf(const SimulateArguments& arguments)
{
    const SearchSubject& subject = arguments.subject;
    const protocol::ProtocolInfo& info = subject.protocol.info();
    SearchTask task = taskFor(subject.protocol);
    task.method = search::RandomSearch{arguments.seed, arguments.runCount};
    const bool isMisuseAlone = subject.faults.size() == 1 && isMisuse(subject.faults.front());
    if (subject.scenario) {
        task.plans = {*subject.scenario};
    } else if (isMisuseAlone) {
        task.plans = search::plansFor(info, subject.faults.front(), subject.clientCount);
    } else {
        task.plans = search::withClients(search::defaultShapes(info), subject.clientCount);
    }
    for (WorldPlan& plan : task.plans) {
        if (!subject.faults.empty() && !isMisuseAlone) { // otherwise as the scenario has it
            plan.faults = search::faultsTogether(info, subject.faults, plan.leaseMax());
        }
    }
    if (subject.faults.size() == 1) {
        task.fault = subject.faults.front();
    }
    return {std::move(task)};
}

std::vector<SearchTask> tasksOf(const MatrixArguments& arguments)
{
    std::vector<SearchTask> tasks;
    for (const report::SavedProtocol& protocol : arguments.protocols) {
        std::ranges::move(search::matrixRow(protocol.protocol, arguments.faults, arguments.bounds),
                          std::back_inserter(tasks));
    }
    return tasks;
}

std::vector<SearchTask> tasksOf(const AdviseArguments& arguments)
{
    MatrixArguments matrix;
    matrix.faults = searchedFor(arguments.question);
    matrix.bounds = arguments.bounds;
    std::ranges::copy_if(arguments.protocols, std::back_inserter(matrix.protocols),
                         [&arguments](const report::SavedProtocol& protocol) {
                             return !isOutOfQuestion(protocol.info(), arguments.question);
                         });
    return tasksOf(matrix);
}

std::vector<SearchTask> tasksOf(const AdviseArguments& arguments,
                                std::span<const report::RemedyCheck> checks)
{
    std::vector<SearchTask> tasks;
    for (const report::RemedyCheck& check : checks) {
        const auto saved = std::ranges::find_if(arguments.protocols, [&check](const auto& one) {
            return one.info().id == check.protocol;
        });
        std::ranges::move(report::tasksOf(check, saved->protocol, arguments.question,
                                          arguments.bounds),
                          std::back_inserter(tasks));
    }
    return tasks;
}

std::vector<SearchTask> tasksOf(const LintArguments& arguments)
{
    return search::matrixRow(arguments.protocol.protocol, arguments.faults, arguments.bounds);
}

} // namespace lockscope::cli
