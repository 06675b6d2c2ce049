#include "ui/models/lab/scenario_draft.h"

#include "core/kernel/report/run/world_plan_json.h"
#include "core/kernel/search/default_plans.h"
#include "core/kernel/world/fault_info.h"
#include "ui/models/formatting.h"
#include "ui/models/typed_values.h"
#include "ui/models/ui_text.h"

#include <QStringList>

#include <algorithm>

namespace lockscope::models {

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;
using world::FaultKind;
using world::FaultPlan;
using world::WorldPlan;

namespace {

// What a person may want, and a search can still do. Files may ask for a little more.
constexpr int kClientsMax = 26;
constexpr int kKeysMax = 26;
constexpr int kRoundsMax = 100;
constexpr int kDepthMax = 10;
constexpr int kServersMax = 15;
constexpr int kFaultsMax = 1000;
constexpr int kTriesMax = 1'000'000;
constexpr Duration kSpanMax = 24h;
constexpr Duration kHorizonMax = 24h * 366;

/// Fields that say what every client does.
bool isAboutClients(ScenarioField field)
{
    switch (field) {
    case ScenarioField::Contenders:
    case ScenarioField::Stagger:
    case ScenarioField::Keys:
    case ScenarioField::Hold:
    case ScenarioField::Think:
    case ScenarioField::Rounds:
    case ScenarioField::ReadShare:
    case ScenarioField::ReentryDepth:
    case ScenarioField::Lease: return true;
    default: return false;
    }
}

QString noneAtAll()
{
    return UiText::tr("0 allows no faults: enter at least 1, or select no fault.");
}

/// Reads one field after the other and collects what is wrong with them.
class Reader {
public:
    Reader(const ScenarioDraft& draft, const FaultDrafts& faults,
           const protocol::ProtocolInfo& info)
        : m_draft(draft),
          m_faults(faults),
          m_info(info)
    {
        m_parsed.plan = draft.base();
    }

    ParsedScenario read()
    {
        readLimits();
        readClients();
        readFaults();
        if (m_parsed.complaints.empty()) {
            fitUnreachable();
            if (const auto sentence = report::complaintAbout(m_parsed.plan, m_info)) {
                m_parsed.complaints.push_back({{}, {}, toQString(*sentence)});
            }
        }
        return std::move(m_parsed);
    }

private:
    void readClients()
    {
        SimulatedWorkload workload;
        number(ScenarioField::Contenders, workload.clientCount, 1, kClientsMax);
        span(ScenarioField::Stagger, workload.stagger, 0ms, kSpanMax);
        number(ScenarioField::Keys, workload.keyCount, 1, kKeysMax);
        readField(ScenarioField::Hold, workload.hold, typedDistribution(text(ScenarioField::Hold)));
        readField(ScenarioField::Think, workload.think,
                  typedDistribution(text(ScenarioField::Think)));
        number(ScenarioField::Rounds, workload.roundCount, 1, kRoundsMax);
        number(ScenarioField::ReentryDepth, workload.reentryDepth, 1, kDepthMax);
        span(ScenarioField::Lease, workload.lease, 1ms, kSpanMax);
        if (m_info.hasModes) {
            workload.readShare = 0.0;
            readField(ScenarioField::ReadShare, *workload.readShare,
                      typedShare(text(ScenarioField::ReadShare)));
        }
        if (!m_draft.hasOwnClients() && m_parsed.complaints.empty()) {
            m_parsed.plan.clients = clientsOf(workload, m_parsed.plan.seed);
        }
    }

    void readLimits()
    {
        WorldPlan& plan = m_parsed.plan;
        readField(ScenarioField::Seed, plan.seed, typedSeed(text(ScenarioField::Seed)));
        plan.renewal.period = Duration(0);
        readField(ScenarioField::Renewal, plan.renewal.period,
                  typedPeriod(text(ScenarioField::Renewal), kSpanMax));
        span(ScenarioField::RetryPause, plan.retryPause, 1ms, kSpanMax);
        number(ScenarioField::Tries, plan.triesMax, 1, kTriesMax);
        readField(ScenarioField::WaitLimit, plan.waitMax,
                  typedPeriod(text(ScenarioField::WaitLimit), kSpanMax));
        plan.permits = m_info.hasPermits ? plan.permits : 1;
        number(ScenarioField::Permits, plan.permits, 1, kClientsMax);
        const bool hasServers = m_info.keys == protocol::KeyUse::OnePerServer;
        plan.nodeCount = hasServers ? plan.nodeCount : 1;
        number(ScenarioField::Servers, plan.nodeCount, 1, kServersMax);
        span(ScenarioField::Horizon, plan.horizon, 1s, kHorizonMax);
    }

    void readFaults()
    {
        FaultPlan& faults = m_parsed.plan.faults;
        faults = FaultPlan();
        number(ScenarioField::FaultTotal, faults.totalMax, 0, kFaultsMax);
        for (const auto& [kind, typed] : m_faults) {
            FaultPlan::Fault fault{1, world::usualAmount(kind, m_parsed.plan.leaseMax())};
            if (!typed.count.trimmed().isEmpty()) {
                readField(kind, fault.countMax, typedNumber(typed.count, 1, kFaultsMax));
            }
            if (infoOf(kind).usualAmount != nullptr && !typed.amount.trimmed().isEmpty()) {
                readField(kind, fault.amount, typedSpan(typed.amount, 1ms, kHorizonMax));
            }
            faults.of(kind) = fault;
        }
        if (!m_faults.empty() && faults.totalMax == 0) {
            m_parsed.complaints.push_back({ScenarioField::FaultTotal, {}, noneAtAll()});
        }
    }

    /// Of clients and servers that are there.
    void fitUnreachable()
    {
        WorldPlan& plan = m_parsed.plan;
        std::erase_if(plan.unreachable, [&plan](const std::pair<int, int>& pair) {
            return pair.first >= static_cast<int>(plan.clients.size())
                   || pair.second >= plan.nodeCount;
        });
    }

    QString text(ScenarioField field) const { return m_draft.text(field); }

    template<class Value>
    void readField(ScenarioField field, Value& value, Typed<Value> typed)
    {
        if (!appliesTo(field, m_draft, m_info)) {
            return;
        }
        if (const auto* const taken = std::get_if<Value>(&typed)) {
            value = *taken;
        } else {
            m_parsed.complaints.push_back({field, {}, std::get<QString>(typed)});
        }
    }

    template<class Value>
    void readField(FaultKind kind, Value& value, Typed<Value> typed)
    {
        if (const auto* const taken = std::get_if<Value>(&typed)) {
            value = *taken;
        } else {
            m_parsed.complaints.push_back({{}, kind, std::get<QString>(typed)});
        }
    }

    void number(ScenarioField field, int& value, int least, int most)
    {
        readField(field, value, typedNumber(text(field), least, most));
    }

    void span(ScenarioField field, Duration& value, Duration least, Duration most)
    {
        readField(field, value, typedSpan(text(field), least, most));
    }

    const ScenarioDraft& m_draft;
    const FaultDrafts& m_faults;
    const protocol::ProtocolInfo& m_info;
    ParsedScenario m_parsed;
};

/// The texts of the faults of a plan.
FaultDrafts faultDraftsOf(const WorldPlan& plan)
{
    FaultDrafts drafts;
    for (std::size_t i = 0; i < plan.faults.faults.size(); ++i) {
        const auto kind = static_cast<FaultKind>(i);
        const FaultPlan::Fault& fault = plan.faults.of(kind);
        if (fault.countMax > 0) {
            const bool isUsual = fault.amount == world::usualAmount(kind, plan.leaseMax());
            drafts[kind] = {isUsual ? QString() : spanWord(fault.amount),
                            fault.countMax == 1 ? QString() : QString::number(fault.countMax)};
        }
    }
    return drafts;
}

} // namespace

ScenarioDraft ScenarioDraft::usual(const protocol::ProtocolInfo& info)
{
    WorldPlan plan = search::defaultShapes(info).front();
    SimulatedWorkload workload;
    workload.lease = plan.leaseMax();
    workload.clientCount = static_cast<int>(plan.clients.size());
    workload.readShare = info.hasModes ? std::optional(0.5) : std::nullopt;
    plan.name = UiText::tr("my scenario").toStdString();
    plan.clients = clientsOf(workload, plan.seed);
    plan.faults.totalMax = 1;
    ScenarioDraft draft;
    draft.m_base = plan;
    draft.writeWorkload(workload);
    draft.writeLimits();
    return draft;
}

ScenarioDraft ScenarioDraft::of(const WorldPlan& plan, FaultDrafts& faults)
{
    ScenarioDraft draft;
    draft.m_base = plan;
    const auto workload = workloadOf(plan.clients, plan.seed);
    draft.m_hasOwnClients = !workload;
    draft.writeWorkload(workload.value_or(SimulatedWorkload()));
    draft.writeLimits();
    faults = faultDraftsOf(plan);
    return draft;
}

void ScenarioDraft::writeWorkload(const SimulatedWorkload& workload)
{
    setText(ScenarioField::Contenders, QString::number(workload.clientCount));
    setText(ScenarioField::Stagger, spanWord(workload.stagger));
    setText(ScenarioField::Keys, QString::number(workload.keyCount));
    setText(ScenarioField::Hold, toQString(workload::toText(workload.hold)));
    setText(ScenarioField::Think, toQString(workload::toText(workload.think)));
    setText(ScenarioField::Rounds, QString::number(workload.roundCount));
    setText(ScenarioField::ReadShare, shareWord(workload.readShare.value_or(0.5)));
    setText(ScenarioField::ReentryDepth, QString::number(workload.reentryDepth));
    setText(ScenarioField::Lease, spanWord(workload.lease));
}

void ScenarioDraft::writeLimits()
{
    setText(ScenarioField::Renewal, periodWord(m_base.renewal.period));
    setText(ScenarioField::RetryPause, spanWord(m_base.retryPause));
    setText(ScenarioField::Tries, QString::number(m_base.triesMax));
    setText(ScenarioField::WaitLimit, periodWord(m_base.waitMax));
    setText(ScenarioField::Permits, QString::number(m_base.permits));
    setText(ScenarioField::Servers, QString::number(m_base.nodeCount));
    setText(ScenarioField::FaultTotal, QString::number(m_base.faults.totalMax));
    setText(ScenarioField::Horizon, spanWord(m_base.horizon));
    setText(ScenarioField::Seed, QString::number(m_base.seed));
}

void ScenarioDraft::adoptDefaults(const ScenarioDraft& before, const ScenarioDraft& after)
{
    for (std::size_t i = 0; i < kScenarioFieldCount; ++i) {
        if (m_texts[i] == before.m_texts[i]) {
            m_texts[i] = after.m_texts[i];
        }
    }
    if (!m_hasOwnClients) {
        m_base = after.m_base;
    }
}

bool appliesTo(ScenarioField field, const ScenarioDraft& draft, const protocol::ProtocolInfo& info)
{
    if (draft.hasOwnClients() && isAboutClients(field)) {
        return false;
    }
    switch (field) {
    case ScenarioField::ReadShare: return info.hasModes;
    case ScenarioField::ReentryDepth: return info.isReentrant;
    case ScenarioField::Lease: return info.hasExpiry;
    case ScenarioField::Renewal: return info.canRenew;
    case ScenarioField::Permits: return info.hasPermits;
    case ScenarioField::Servers: return info.keys == protocol::KeyUse::OnePerServer;
    case ScenarioField::Think: {
        const Typed<int> rounds = typedNumber(draft.text(ScenarioField::Rounds), 1, kRoundsMax);
        const int* const count = std::get_if<int>(&rounds);
        return count == nullptr || *count > 1;
    }
    default: return true;
    }
}

QString ParsedScenario::complaintAt(ScenarioField field) const
{
    const auto found = std::ranges::find(complaints, std::optional(field), &Complaint::field);
    return found != complaints.end() ? found->text : QString();
}

QString ParsedScenario::complaintAt(FaultKind fault) const
{
    const auto found = std::ranges::find(complaints, std::optional(fault), &Complaint::fault);
    return found != complaints.end() ? found->text : QString();
}

QString ParsedScenario::generalComplaints() const
{
    QStringList lines;
    for (const Complaint& complaint : complaints) {
        if (!complaint.field && !complaint.fault) {
            lines += complaint.text;
        }
    }
    return lines.join(u'\n');
}

ParsedScenario readScenarioDraft(const ScenarioDraft& draft, const FaultDrafts& faults,
                                 const protocol::ProtocolInfo& info)
{
    return Reader(draft, faults, info).read();
}

} // namespace lockscope::models
