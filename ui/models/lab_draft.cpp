#include "lab_draft.h"

#include "formatting.h"
#include "report/wording.h"
#include "search/default_plans.h"

#include <QCoreApplication>
#include <QStringList>

#include <algorithm>
#include <iterator>

namespace lockscope::models {

using namespace Qt::StringLiterals;
using world::FaultKind;

namespace {

QString translated(const char* text)
{
    return QCoreApplication::translate("LabDraft", text);
}

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

} // namespace

QString faultTitle(FaultKind fault)
{
    switch (fault) {
    case FaultKind::Interleaving: return translated("Nothing: the order alone");
    case FaultKind::Crash: return translated("Crash");
    case FaultKind::Pause: return translated("Process pause");
    case FaultKind::Hang: return translated("Worker hangs, renewals go on");
    case FaultKind::ConnectionLoss: return translated("Connection lost");
    case FaultKind::MessageDelay: return translated("Message delayed");
    case FaultKind::MessageLoss: return translated("Message or answer lost");
    case FaultKind::MessageCopy: return translated("Message carried out twice");
    case FaultKind::ClockSkew: return translated("Client clocks differ");
    case FaultKind::ClockDrift: return translated("Client clock drifts");
    case FaultKind::ClockStep: return translated("Clock jumps");
    case FaultKind::ServerRestart: return translated("Server restarts");
    case FaultKind::Failover: return translated("Failover, writes lost");
    case FaultKind::Partition: return translated("Network partition");
    case FaultKind::SlowNode: return translated("Slow server");
    case FaultKind::ScriptFlush: return translated("Scripts forgotten");
    case FaultKind::ForceRelease: return translated("Operator deletes the key");
    case FaultKind::Eviction: return translated("Key evicted");
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
    service::SearchOrder order;
    search::Bounds bounds;
    bounds.schedulesMax = draft.schedulesMax;
    for (const FaultKind fault : searched(draft)) {
        service::SearchTask task;
        task.protocol = draft.protocol;
        task.fault = fault;
        task.plans = search::plansFor(draft.protocol->info(), fault, draft.clientCount);
        task.method = service::SystematicSearch{bounds};
        order.tasks.push_back(std::move(task));
    }
    return order;
}

QString exploreCommand(const LabDraft& draft, const QString& protocolFile)
{
    const QString id = toQString(draft.protocol->info().id);
    QStringList words{u"lockscope-cli"_s, u"explore"_s, u"--protocol"_s,
                      protocolFile.isEmpty() ? id : quoted(protocolFile)};
    QStringList faults;
    for (const FaultKind fault : searched(draft)) {
        faults += toQString(idOf(fault));
    }
    words << u"--faults"_s << faults.join(u',');
    if (draft.clientCount > 0) {
        words << u"--clients"_s << QString::number(draft.clientCount);
    }
    words << u"--max-schedules"_s << QString::number(draft.schedulesMax);
    return words.join(u' ');
}

} // namespace lockscope::models
