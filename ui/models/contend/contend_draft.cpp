#include "ui/models/contend/contend_draft.h"

#include "ui/models/formatting.h"
#include "ui/models/typed_values.h"

#include <algorithm>

namespace lockscope::models {

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;
using workload::Scenario;
using Kind = Scenario::Kind;

namespace {

constexpr int kContendersMax = 10'000;
constexpr int kThreadsMax = 32;
constexpr int kPrivateServersMax = 15;
constexpr int kPrivateServersOfASet = 5;
constexpr Duration kRunMax = 24h;

/// Numbers with which the scenario shows what it is about.
Scenario defaultScenario(const protocol::ProtocolInfo& info, Kind kind)
{
    Scenario scenario = Scenario::withDefaults(info);
    scenario.kind = kind;
    if (kind == Kind::HotStandby) {
        scenario.contenderCount = 5;
        scenario.hold = workload::Distribution::uniform(1s, 3s);
        scenario.lease = 2s;
        scenario.retry.interval = 250ms;
        scenario.duration = 30s;
        if (info.canRenew) { // whoever works stays in office until it dies
            scenario.renewal.period = 500ms;
        }
    } else if (kind == Kind::Draw) {
        scenario.contenderCount = 50;
    }
    return scenario;
}

/// Reads one field after the other and collects what is wrong with them.
class Reader {
public:
    Reader(const ContendDraft& draft, const protocol::ProtocolInfo& info, ContendPlace place)
        : m_draft(draft),
          m_info(info),
          m_place(place)
    {
        m_parsed.scenario = Scenario::withDefaults(info);
        m_parsed.scenario.kind = draft.kind();
    }

    ParsedDraft read()
    {
        readLoad();
        readLimits();
        readFaults();
        readRetry();
        number(ContendField::Threads, m_parsed.threadCount, kThreadsMax);
        number(ContendField::PrivateServers, m_parsed.privateServerCount, kPrivateServersMax);
        readField(ContendField::Seed, m_parsed.scenario.seed, typedSeed(text(ContendField::Seed)));
        if (m_parsed.complaints.empty()) {
            for (const std::string& sentence :
                 workload::complaintsAbout(m_parsed.scenario, m_info)) {
                m_parsed.complaints.push_back({std::nullopt, toQString(sentence)});
            }
        }
        return std::move(m_parsed);
    }

private:
    void readLoad()
    {
        Scenario& scenario = m_parsed.scenario;
        number(ContendField::Contenders, scenario.contenderCount, kContendersMax);
        number(ContendField::Keys, scenario.keyCount, 10'000);
        distribution(ContendField::Think, scenario.think);
        distribution(ContendField::Hold, scenario.hold);
        share(ContendField::ReadShare, scenario.readShare);
        number(ContendField::ReentryDepth, scenario.reentryDepth, 100);
        number(ContendField::Permits, scenario.permits, kContendersMax);
    }

    void readLimits()
    {
        Scenario& scenario = m_parsed.scenario;
        span(ContendField::Duration, scenario.duration, 100ms, kRunMax);
        span(ContendField::Lease, scenario.lease, 1ms, kRunMax);
        span(ContendField::WaitLimit, scenario.waitLimit, 0ms, kRunMax);
        scenario.renewal.period = Duration(0);
        readField(ContendField::Renewal, scenario.renewal.period,
                  typedPeriod(text(ContendField::Renewal), kRunMax));
    }

    void readFaults()
    {
        Scenario& scenario = m_parsed.scenario;
        share(ContendField::CrashShare, scenario.crashProbability);
        share(ContendField::PauseShare, scenario.pauseProbability);
        if (!text(ContendField::PauseLength).isEmpty()) {
            span(ContendField::PauseLength, scenario.pauseFor, 1ms, kRunMax);
        }
    }

    void readRetry()
    {
        protocol::Retry& retry = m_parsed.scenario.retry;
        if (applies(ContendField::RetryKind)) {
            retry.kind = text(ContendField::RetryKind) == u"exponential"_s
                             ? protocol::Retry::Kind::Exponential
                             : protocol::Retry::Kind::Fixed;
        }
        span(ContendField::RetryInterval, retry.interval, 0ms, kRunMax);
        span(ContendField::RetryIntervalMax, retry.intervalMax, 0ms, kRunMax);
        span(ContendField::RetryJitter, retry.jitter, 0ms, kRunMax);
        if (!applies(ContendField::RetryTries)) {
            return;
        }
        retry.triesMax.reset();
        if (!text(ContendField::RetryTries).isEmpty()) {
            int tries = 1;
            number(ContendField::RetryTries, tries, 1'000'000);
            retry.triesMax = tries;
        }
    }

    bool applies(ContendField field) const { return appliesTo(field, m_draft, m_info, m_place); }
    QString text(ContendField field) const { return m_draft.text(field).trimmed(); }

    void complain(ContendField field, const QString& sentence)
    {
        m_parsed.complaints.push_back({field, sentence});
    }

    template<class Value>
    void readField(ContendField field, Value& value, Typed<Value> typed)
    {
        if (!applies(field)) {
            return;
        }
        if (const auto* const taken = std::get_if<Value>(&typed)) {
            value = *taken;
        } else {
            complain(field, std::get<QString>(typed));
        }
    }

    void number(ContendField field, int& value, int most)
    {
        readField(field, value, typedNumber(text(field), 1, most));
    }

    void share(ContendField field, double& value)
    {
        readField(field, value, typedShare(text(field)));
    }

    void distribution(ContendField field, workload::Distribution& value)
    {
        readField(field, value, typedDistribution(text(field)));
    }

    void span(ContendField field, Duration& value, Duration least, Duration most)
    {
        readField(field, value, typedSpan(text(field), least, most));
    }

    const ContendDraft& m_draft;
    const protocol::ProtocolInfo& m_info;
    ContendPlace m_place;
    ParsedDraft m_parsed;
};

bool isOfKinds(Kind kind, std::initializer_list<Kind> kinds)
{
    return std::find(kinds.begin(), kinds.end(), kind) != kinds.end();
}

} // namespace

ContendDraft ContendDraft::withDefaults(const protocol::ProtocolInfo& info, Kind kind)
{
    const Scenario scenario = defaultScenario(info, kind);
    const protocol::Retry& retry = scenario.retry;
    ContendDraft draft;
    const auto set = [&draft](ContendField field, const QString& text) {
        draft.setText(field, text);
    };
    set(ContendField::Kind, toQString(workload::idOf(kind)));
    set(ContendField::Contenders, QString::number(scenario.contenderCount));
    set(ContendField::Keys, QString::number(scenario.keyCount));
    set(ContendField::Think, toQString(workload::toText(scenario.think)));
    set(ContendField::Hold, toQString(workload::toText(scenario.hold)));
    set(ContendField::Duration, spanWord(scenario.duration));
    set(ContendField::ReadShare, shareWord(info.hasModes ? 0.5 : 0));
    set(ContendField::ReentryDepth, QString::number(scenario.reentryDepth));
    set(ContendField::Permits, QString::number(info.hasPermits ? 3 : 1));
    set(ContendField::Lease, spanWord(scenario.lease));
    set(ContendField::WaitLimit, spanWord(scenario.waitLimit));
    set(ContendField::Renewal, periodWord(scenario.renewal.period));
    set(ContendField::CrashShare, shareWord(0));
    set(ContendField::PauseShare, shareWord(0));
    set(ContendField::RetryKind,
        retry.kind == protocol::Retry::Kind::Exponential ? u"exponential"_s : u"fixed"_s);
    set(ContendField::RetryInterval, spanWord(retry.interval));
    set(ContendField::RetryIntervalMax, spanWord(retry.intervalMax));
    set(ContendField::RetryJitter, spanWord(retry.jitter));
    set(ContendField::RetryTries, retry.triesMax ? QString::number(*retry.triesMax) : QString());
    set(ContendField::Threads, u"2"_s);
    set(ContendField::PrivateServers, QString::number(kPrivateServersOfASet));
    set(ContendField::Seed, QString::number(scenario.seed));
    return draft;
}

void ContendDraft::adoptDefaults(const ContendDraft& before, const ContendDraft& after)
{
    for (std::size_t i = 0; i < kContendFieldCount; ++i) {
        if (m_texts[i] == before.m_texts[i]) {
            m_texts[i] = after.m_texts[i];
        }
    }
}

Kind ContendDraft::kind() const
{
    return workload::scenarioKindOf(text(ContendField::Kind).toStdString())
        .value_or(Kind::Contention);
}

bool appliesTo(ContendField field, const ContendDraft& draft, const protocol::ProtocolInfo& info,
               ContendPlace place)
{
    const Kind kind = draft.kind();
    const bool isContention = kind == Kind::Contention;
    switch (field) {
    case ContendField::Think:
    case ContendField::WaitLimit:
    case ContendField::CrashShare: // of a hot standby, every holder crashes
    case ContendField::RetryKind:
    case ContendField::RetryTries: return isContention;
    case ContendField::Hold:
    case ContendField::Duration:
    case ContendField::PauseShare:
    case ContendField::RetryInterval:
    case ContendField::RetryJitter: return isOfKinds(kind, {Kind::Contention, Kind::HotStandby});
    case ContendField::PauseLength:
        return kind != Kind::Draw && parseShare(draft.text(ContendField::PauseShare)) != 0.0;
    case ContendField::Renewal: return kind != Kind::Draw && info.canRenew;
    case ContendField::ReadShare: return isContention && info.hasModes;
    case ContendField::ReentryDepth: return isContention && info.isReentrant;
    case ContendField::Permits: return info.hasPermits;
    case ContendField::Lease: return info.hasExpiry;
    case ContendField::RetryIntervalMax:
        return isContention && draft.text(ContendField::RetryKind) == u"exponential"_s;
    case ContendField::PrivateServers:
        return place.isPrivate && info.keys == protocol::KeyUse::OnePerServer;
    default: return true;
    }
}

QString ParsedDraft::complaintAt(ContendField field) const
{
    const auto found = std::find_if(complaints.begin(), complaints.end(),
                                    [field](const Complaint& c) { return c.field == field; });
    return found != complaints.end() ? found->text : QString();
}

ParsedDraft readDraft(const ContendDraft& draft, const protocol::ProtocolInfo& info,
                      ContendPlace place)
{
    return Reader(draft, info, place).read();
}

} // namespace lockscope::models
