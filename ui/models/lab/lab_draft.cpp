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
#include <variant>

namespace lockscope::models {

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;
using world::Act;
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

constexpr double kFaultShare = 0.05;
/// Short enough that a hold outlives it within the run.
constexpr Duration kLeaseWithFaults = 1s;
constexpr int kMasterCount = 3; // of a protocol over several servers

// How long a scenario of the user's own runs.
constexpr int kRoundsPerRun = 10;
constexpr Duration kShortestRun = 10s;
constexpr Duration kLongestRun = 60s;

bool isWanted(const LabDraft& draft, FaultKind fault)
{
    return std::ranges::find(draft.faults, fault) != draft.faults.end();
}

/// What the clients of a plan do, on average.
class Habits {
public:
    explicit Habits(const std::vector<world::ClientPlan>& clients)
    {
        for (const world::ClientPlan& client : clients) {
            m_mayDie = m_mayDie || client.diesHolding;
            m_held.clear();
            std::ranges::for_each(client.acts, [this](const Act& act) { add(act); });
        }
    }

    Duration hold() const { return m_holdCount > 0 ? m_holding / m_holdCount : Duration(0); }
    Duration think() const { return m_sleepCount > 0 ? m_sleeping / m_sleepCount : Duration(0); }
    double readShare() const { return m_holdCount > 0 ? double(m_readCount) / m_holdCount : 0; }
    int reentryDepth() const { return m_reentryDepth; }
    bool mayDie() const { return m_mayDie; }

private:
    void add(const Act& act)
    {
        switch (act.kind) {
        case Act::Kind::Acquire: acquire(act); break;
        case Act::Kind::Release: release(act.key); break;
        case Act::Kind::Work:
        case Act::Kind::Sleep:
            (m_held.empty() ? m_sleeping : m_holding) += act.span;
            m_sleepCount += m_held.empty() ? 1 : 0;
            break;
        }
    }

    void acquire(const Act& act)
    {
        if (m_held.empty()) {
            ++m_holdCount;
            m_readCount += act.mode == protocol::Mode::Read ? 1 : 0;
        }
        m_held.push_back(act.key);
        const auto depth = static_cast<int>(std::ranges::count(m_held, act.key));
        m_reentryDepth = std::max(m_reentryDepth, depth);
    }

    void release(int key)
    {
        if (const auto one = std::ranges::find(m_held, key); one != m_held.end()) {
            m_held.erase(one);
        }
    }

    std::vector<int> m_held; // the keys that the client has by now, as often as it took them
    Duration m_holding{0};
    Duration m_sleeping{0};
    int m_holdCount = 0;
    int m_readCount = 0;
    int m_sleepCount = 0;
    int m_reentryDepth = 1;
    bool m_mayDie = false;
};

/// The plan as a workload that is repeated for a while. Faults that only a simulated world can make
/// happen are left out.
workload::Scenario workloadOf(const WorldPlan& plan, const protocol::ProtocolInfo& info)
{
    const Habits habits(plan.clients);
    workload::Scenario scenario = workload::Scenario::withDefaults(info);
    scenario.contenderCount = static_cast<int>(plan.clients.size());
    scenario.keyCount = plan.keyCount();
    scenario.lease = plan.leaseMax();
    scenario.hold = workload::Distribution::constant(habits.hold());
    if (habits.think() > Duration(0)) {
        scenario.think = workload::Distribution::constant(habits.think());
    }
    scenario.retry.interval = plan.retryPause;
    scenario.retry.triesMax = plan.triesMax;
    scenario.waitLimit = plan.waitMax > Duration(0) ? plan.waitMax
                                                    : plan.retryPause * plan.triesMax;
    scenario.renewal = plan.renewal;
    scenario.readShare = habits.readShare();
    scenario.reentryDepth = info.isReentrant ? habits.reentryDepth() : 1;
    scenario.permits = plan.permits;
    scenario.areWritersPreferred = plan.areWritersPreferred;
    scenario.seed = plan.seed;
    if (plan.faults.allows(FaultKind::Crash) || habits.mayDie()) {
        scenario.crashProbability = kFaultShare;
    }
    if (plan.faults.allows(FaultKind::Pause)) {
        scenario.pauseProbability = kFaultShare;
        scenario.pauseFor = plan.faults.of(FaultKind::Pause).amount;
    }
    const Duration round = std::max(habits.hold() + habits.think(), scenario.lease);
    scenario.duration = std::clamp(kRoundsPerRun * round, kShortestRun, kLongestRun);
    return scenario;
}

} // namespace

std::vector<FaultKind> faultsFor(const protocol::ProtocolInfo& info)
{
    std::vector<FaultKind> faults;
    for (const world::FaultInfo& fault : world::allFaults()) {
        const bool isFault = fault.kind != FaultKind::Interleaving && !isMisuse(fault.kind);
        if (isFault && search::isApplicable(fault.kind, info)) {
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

QString runName(const service::SearchOrder& order)
{
    const search::SearchTask& first = order.tasks.front();
    const QString protocol = toQString(first.protocol->info().id);
    if (std::holds_alternative<search::RandomSearch>(first.method)) {
        return UiText::tr("%1, random runs").arg(protocol);
    }
    if (!first.fault) {
        return UiText::tr("%1, custom scenario").arg(protocol);
    }
    std::vector<FaultKind> faults; // the order of the steps is always looked at
    for (const search::SearchTask& task : order.tasks) {
        if (task.fault && *task.fault != FaultKind::Interleaving) {
            faults.push_back(*task.fault);
        }
    }
    if (faults.empty()) {
        return UiText::tr("%1, no faults").arg(protocol);
    }
    return faults.size() == 1 ? protocol + u", "_s + toQString(world::infoOf(faults[0]).name())
                              : UiText::tr("%1, %2 faults").arg(protocol).arg(faults.size());
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

workload::LiveRunOrder liveOrderOf(const LabDraft& draft)
{
    const protocol::ProtocolInfo& info = draft.protocol->info();
    workload::LiveRunOrder order;
    order.protocol = draft.protocol;
    const bool isSpread = info.keys == protocol::KeyUse::OnePerServer;
    if (draft.scenario) {
        order.privateServerCount = isSpread ? draft.scenario->nodeCount : 1;
        order.scenario = workloadOf(*draft.scenario, info);
        return order;
    }
    order.privateServerCount = isSpread ? kMasterCount : 1;
    workload::Scenario& scenario = order.scenario;
    scenario = workload::Scenario::withDefaults(info);
    if (draft.clientCount > 0) {
        scenario.contenderCount = draft.clientCount;
    }
    if (isWanted(draft, FaultKind::Crash)) {
        scenario.crashProbability = kFaultShare;
    }
    if (isWanted(draft, FaultKind::Pause)) {
        scenario.pauseProbability = kFaultShare;
    }
    if (scenario.crashProbability > 0 || scenario.pauseProbability > 0) {
        scenario.lease = std::min(scenario.lease, kLeaseWithFaults);
        scenario.renewal.period = std::min(scenario.renewal.period, scenario.lease / 3);
    }
    return order;
}

} // namespace lockscope::models
