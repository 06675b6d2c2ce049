#include "ui/models/lab/lab_draft.h"

#include "core/kernel/protocol/catalogue.h"
#include "core/kernel/report/wording.h"
#include "core/kernel/search/default_plans.h"
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

service::SearchTask taskFor(
    const LabDraft& draft, std::vector<WorldPlan> plans,
    const std::variant<service::SystematicSearch, service::RandomSearch>& method)
{
    service::SearchTask task;
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

QString faultTitle(FaultKind fault)
{
    switch (fault) {
    case FaultKind::Interleaving: return UiText::tr("None: interleaving only");
    case FaultKind::Crash: return UiText::tr("Crash");
    case FaultKind::Pause: return UiText::tr("Process pause");
    case FaultKind::Hang: return UiText::tr("Worker hangs, renewals continue");
    case FaultKind::ConnectionLoss: return UiText::tr("Connection lost");
    case FaultKind::MessageDelay: return UiText::tr("Message delayed");
    case FaultKind::MessageLoss: return UiText::tr("Message or reply lost");
    case FaultKind::MessageCopy: return UiText::tr("Message duplicated");
    case FaultKind::ClockSkew: return UiText::tr("Client clocks differ");
    case FaultKind::ClockDrift: return UiText::tr("Clocks drift");
    case FaultKind::ClockStep: return UiText::tr("Clock jumps");
    case FaultKind::ServerRestart: return UiText::tr("Server restarts");
    case FaultKind::Failover: return UiText::tr("Failover with lost writes");
    case FaultKind::Partition: return UiText::tr("Network partition");
    case FaultKind::SlowNode: return UiText::tr("Slow server");
    case FaultKind::ScriptFlush: return UiText::tr("Script cache flushed");
    case FaultKind::ForceRelease: return UiText::tr("Operator deletes the key");
    case FaultKind::Eviction: return UiText::tr("Key evicted");
    case FaultKind::FaultKindCount: break;
    }
    return {};
}

std::vector<FaultKind> faultsFor(const protocol::ProtocolInfo& info)
{
    std::vector<FaultKind> faults;
    for (int i = 0; i < static_cast<int>(FaultKind::FaultKindCount); ++i) {
        const auto fault = static_cast<FaultKind>(i);
        if (fault != FaultKind::Interleaving && search::isApplicable(fault, info)) {
            faults.push_back(fault);
        }
    }
    return faults;
}

service::SearchOrder orderOf(const LabDraft& draft)
{
    search::Bounds bounds;
    bounds.schedulesMax = draft.schedulesMax;
    const service::SystematicSearch method{bounds};
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
    const service::RandomSearch method{draft.seed, draft.runCount};
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

QString cellCommand(const service::SearchTask& cell, const QString& protocolFile)
{
    const auto* const method = std::get_if<service::SystematicSearch>(&cell.method);
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
