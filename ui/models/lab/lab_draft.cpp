#include "ui/models/lab/lab_draft.h"

#include "core/kernel/protocol/catalogue.h"
#include "core/kernel/report/wording.h"
#include "core/kernel/search/default_plans.h"
#include "core/kernel/world/fault_info.h"
#include "ui/models/formatting.h"
#include "ui/models/ui_text.h"

#include <QStringList>

#include <algorithm>
#include <iterator>

namespace lockscope::models {

using namespace Qt::StringLiterals;
using world::FaultKind;
using world::WorldPlan;

namespace {

QString quoted(const QString& word)
{
    return toQString(report::shellQuoted(word.toStdString()));
}

std::vector<FaultKind> searched(const LabDraft& draft)
{
    std::vector<FaultKind> faults{FaultKind::Interleaving};
    std::ranges::copy_if(draft.faults, std::back_inserter(faults),
                         [](FaultKind fault) { return fault != FaultKind::Interleaving; });
    return faults;
}

/// What the command line takes for no fault at all.
std::vector<FaultKind> orNothing(const std::vector<FaultKind>& faults)
{
    return faults.empty() ? std::vector{FaultKind::Interleaving} : faults;
}

search::SearchTask taskFor(
    const LabDraft& draft, std::vector<WorldPlan> plans,
    const std::variant<search::SystematicSearch, search::RandomSearch>& method)
{
    search::SearchTask task;
    task.protocol = draft.protocol;
    task.plans = std::move(plans);
    task.method = method;
    return task;
}

QString idsOf(const std::vector<FaultKind>& faults)
{
    QStringList ids;
    for (const FaultKind fault : faults) {
        ids += toQString(idOf(fault));
    }
    return ids.join(u',');
}

/// " --protocol … --faults …", " --scenario …": what is run; empty when it is in no file.
QString subjectWords(const LabDraft& draft, const std::vector<FaultKind>& faults,
                     const QString& protocolFile)
{
    if (draft.scenario) {
        return draft.scenarioFile.isEmpty() ? QString()
                                            : u" --scenario "_s + quoted(draft.scenarioFile);
    }
    const std::string& id = draft.protocol->info().id;
    if (protocolFile.isEmpty() && protocol::findProtocol(id) == nullptr) {
        return {};
    }
    QString words = u" --protocol "_s
                    + (protocolFile.isEmpty() ? toQString(id) : quoted(protocolFile))
                    + u" --faults "_s + idsOf(faults);
    if (draft.clientCount > 0) {
        words += u" --clients "_s + QString::number(draft.clientCount);
    }
    return words;
}

QString exploreCommand(const LabDraft& draft, const std::vector<FaultKind>& faults,
                       const QString& protocolFile)
{
    const QString subject = subjectWords(draft, faults, protocolFile);
    return subject.isEmpty() ? QString()
                             : u"lockscope-cli explore%1 --max-schedules %2"_s.arg(subject).arg(
                                 draft.schedulesMax);
}

} // namespace

std::vector<FaultKind> faultsFor(const protocol::ProtocolInfo& info)
{
    std::vector<FaultKind> faults;
    for (const world::FaultInfo& fault : world::allFaults()) {
        if (fault.kind != FaultKind::Interleaving && search::isApplicable(fault.kind, info)) {
            faults.push_back(fault.kind);
        }
    }
    return faults;
}

service::SearchOrder orderOf(const LabDraft& draft)
{
    search::Bounds bounds;
    bounds.schedulesMax = draft.schedulesMax;
    const search::SystematicSearch method{bounds};
    service::SearchOrder order;
    if (draft.scenario) {
        order.tasks.push_back(taskFor(draft, {*draft.scenario}, method));
        return order;
    }
    for (const FaultKind fault : searched(draft)) {
        order.tasks.push_back(taskFor(
            draft, search::plansFor(draft.protocol->info(), fault, draft.clientCount), method));
        order.tasks.back().fault = fault;
    }
    return order;
}

service::SearchOrder simulateOrderOf(const LabDraft& draft)
{
    const search::RandomSearch method{draft.seed, draft.runCount};
    service::SearchOrder order;
    if (draft.scenario) {
        order.tasks.push_back(taskFor(draft, {*draft.scenario}, method));
        return order;
    }
    const protocol::ProtocolInfo& info = draft.protocol->info();
    std::vector<WorldPlan> plans = search::withClients(search::defaultShapes(info),
                                                       draft.clientCount);
    for (WorldPlan& plan : plans) {
        plan.faults = search::faultsTogether(info, draft.faults, plan.leaseMax());
    }
    order.tasks.push_back(taskFor(draft, std::move(plans), method));
    const std::vector<FaultKind> named = orNothing(draft.faults);
    if (named.size() == 1) {
        order.tasks.back().fault = named.front();
    }
    return order;
}

QString exploreCommand(const LabDraft& draft, const QString& protocolFile)
{
    return exploreCommand(draft, searched(draft), protocolFile);
}

QString cellCommand(const search::SearchTask& cell, const QString& protocolFile)
{
    const auto* const method = std::get_if<search::SystematicSearch>(&cell.method);
    if (method == nullptr || !cell.fault) {
        return {};
    }
    LabDraft draft;
    draft.protocol = cell.protocol;
    draft.schedulesMax = method->bounds.schedulesMax;
    return exploreCommand(draft, {*cell.fault}, protocolFile);
}

QString simulateCommand(const LabDraft& draft, const QString& protocolFile)
{
    const QString subject = subjectWords(draft, orNothing(draft.faults), protocolFile);
    return subject.isEmpty() ? QString()
                             : u"lockscope-cli simulate%1 --seed %2 --runs %3"_s.arg(subject)
                                   .arg(draft.seed)
                                   .arg(draft.runCount);
}

} // namespace lockscope::models
