#include "ui/models/lab/scenario_fields.h"

#include "ui/models/formatting.h"
#include "ui/models/typed_values.h"
#include "ui/models/ui_text.h"

#include <algorithm>

namespace lockscope::models {

using namespace std::chrono_literals;
using protocol::ProtocolInfo;

namespace {

using Values = ScenarioValues;
using Info = ScenarioFieldInfo;
using enum ScenarioFieldInfo::Group;

// What a person may want, and a search can still do. Files may ask for a little more.
constexpr int kScenarioClientsMax = 26;
constexpr int kKeysMax = 26;
constexpr int kRoundsMax = 100;
constexpr int kDepthMax = 10;
constexpr int kMastersMax = 15;
constexpr int kFaultTotalMax = 1000;
constexpr int kTriesMax = 1'000'000;
constexpr Duration kSpanMax = 24h;
constexpr Duration kHorizonMax = 24h * 366;

constexpr Info kFields[] = {
    {ScenarioField::Contenders, Clients, "labContendersEdit",
     [] { return UiText::tr("Contenders"); },
     [] { return UiText::tr("Number of clients with the same workload: acquire, work, release."); },
     Info::Number{[](Values& v) -> int& { return v.workload.clientCount; }, 1,
                  kScenarioClientsMax}},
    {ScenarioField::Stagger, Clients, "staggerEdit", [] { return UiText::tr("Start offset"); },
     [] {
         return UiText::tr("Delay between the starts of two clients. 0s: all at once. 12s: each "
                           "starts after a lease of 10s has ended.");
     },
     Info::Span{[](Values& v) -> Duration& { return v.workload.stagger; }, 0ms, kSpanMax}},
    {ScenarioField::Rounds, Clients, "roundsEdit", [] { return UiText::tr("Rounds"); },
     [] { return UiText::tr("How many times each client acquires the lock."); },
     Info::Number{[](Values& v) -> int& { return v.workload.roundCount; }, 1, kRoundsMax}},
    {ScenarioField::Hold, Clients, "labHoldEdit", [] { return UiText::tr("Hold time"); },
     [] { return UiText::tr("How long a lock is held: 4s, 2s..6s, or ~4s for a mean."); },
     Info::Spread{[](Values& v) -> workload::Distribution& { return v.workload.hold; }}},
    {ScenarioField::Think, Clients, "labThinkEdit", [] { return UiText::tr("Think time"); },
     [] { return UiText::tr("Time between two rounds: 4s, 2s..6s, or ~4s for a mean."); },
     Info::Spread{[](Values& v) -> workload::Distribution& { return v.workload.think; }}},
    {ScenarioField::Keys, Clients, "labKeysEdit", [] { return UiText::tr("Keys"); },
     [] { return UiText::tr("Number of locks. Each round picks one at random."); },
     Info::Number{[](Values& v) -> int& { return v.workload.keyCount; }, 1, kKeysMax}},
    {ScenarioField::ReadShare, Clients, "labReadShareEdit", [] { return UiText::tr("Read share"); },
     [] { return UiText::tr("Share of rounds that only read, distributed evenly: 50%."); },
     Info::Share{[](Values& v) -> double& {
         return v.workload.readShare.emplace(v.workload.readShare.value_or(0.5));
     }},
     [](const ProtocolInfo& info) { return info.hasModes; }},
    {ScenarioField::ReentryDepth, Clients, "labDepthEdit",
     [] { return UiText::tr("Reentry depth"); },
     [] { return UiText::tr("How many times a holder acquires the lock in nested calls."); },
     Info::Number{[](Values& v) -> int& { return v.workload.reentryDepth; }, 1, kDepthMax},
     [](const ProtocolInfo& info) { return info.isReentrant; }},
    {ScenarioField::Permits, Lock, "labPermitsEdit", [] { return UiText::tr("Permits"); },
     [] { return UiText::tr("Maximum number of concurrent holders."); },
     Info::Number{[](Values& v) -> int& { return v.plan.permits; }, 1, kScenarioClientsMax},
     [](const ProtocolInfo& info) { return info.hasPermits; }},
    {ScenarioField::Servers, Lock, "labServersEdit", [] { return UiText::tr("Servers"); },
     [] { return UiText::tr("Number of independent masters. A majority must agree."); },
     Info::Number{[](Values& v) -> int& { return v.plan.nodeCount; }, 1, kMastersMax},
     [](const ProtocolInfo& info) { return info.keys == protocol::KeyUse::OnePerServer; }},
    {ScenarioField::Lease, Lock, "labLeaseEdit", [] { return UiText::tr("Lease"); },
     [] { return UiText::tr("How long a grant lasts unless it is renewed."); },
     Info::Span{[](Values& v) -> Duration& { return v.workload.lease; }, 1ms, kSpanMax},
     [](const ProtocolInfo& info) { return info.hasExpiry; }},
    {ScenarioField::Renewal, Lock, "labRenewalEdit", [] { return UiText::tr("Renew every"); },
     [] { return UiText::tr("A duration such as 3s, or off."); },
     Info::Period{[](Values& v) -> Duration& { return v.plan.renewal.period; }},
     [](const ProtocolInfo& info) { return info.canRenew; }},
    {ScenarioField::RetryPause, Lock, "labRetryEdit", [] { return UiText::tr("Retry interval"); },
     [] {
         return UiText::tr("Protocols with wake-ups use it only when they cannot wait for "
                           "one.");
     },
     Info::Span{[](Values& v) -> Duration& { return v.plan.retryPause; }, 1ms, kSpanMax}},
    {ScenarioField::Tries, Lock, "labTriesEdit", [] { return UiText::tr("Maximum attempts"); },
     [] { return UiText::tr("Per acquisition."); },
     Info::Number{[](Values& v) -> int& { return v.plan.triesMax; }, 1, kTriesMax}},
    {ScenarioField::WaitLimit, Lock, "labWaitEdit", [] { return UiText::tr("Maximum wait"); },
     [] {
         return UiText::tr("Per acquisition. A duration such as 30s, or off: limited by the "
                           "attempts only.");
     },
     Info::Period{[](Values& v) -> Duration& { return v.plan.waitMax; }}},
    {ScenarioField::FaultTotal, Faults, "faultTotalEdit",
     [] { return UiText::tr("Faults per run"); },
     [] {
         return UiText::tr("Maximum number of faults of all kinds in one run. Each additional "
                           "fault makes the search much larger.");
     },
     Info::Number{[](Values& v) -> int& { return v.plan.faults.totalMax; }, 0, kFaultTotalMax}},
    {ScenarioField::Horizon, Bounds, "horizonEdit", [] { return UiText::tr("Virtual time"); },
     [] { return UiText::tr("Duration of one run in virtual time."); },
     Info::Span{[](Values& v) -> Duration& { return v.plan.horizon; }, 1s, kHorizonMax}},
    {ScenarioField::Seed, Bounds, "labSeedEdit", [] { return UiText::tr("Seed"); },
     [] { return UiText::tr("Seed of all random choices. The same seed gives the same runs."); },
     Info::Seed{[](Values& v) -> std::uint64_t& { return v.plan.seed; }}},
};
static_assert(std::size(kFields) == kScenarioFieldCount);

QString textOf(const Info::Number& number, Values& values)
{
    return QString::number(number.of(values));
}

QString textOf(const Info::Span& span, Values& values)
{
    return spanWord(span.of(values));
}

QString textOf(const Info::Period& period, Values& values)
{
    return periodWord(period.of(values));
}

QString textOf(const Info::Spread& spread, Values& values)
{
    return toQString(workload::toText(spread.of(values)));
}

QString textOf(const Info::Share& share, Values& values)
{
    return shareWord(share.of(values));
}

QString textOf(const Info::Seed& seed, Values& values)
{
    return QString::number(seed.of(values));
}

Typed<int> typedAs(const Info::Number& number, const QString& text)
{
    return typedNumber(text, number.least, number.most);
}

Typed<Duration> typedAs(const Info::Span& span, const QString& text)
{
    return typedSpan(text, span.least, span.most);
}

Typed<Duration> typedAs(const Info::Period&, const QString& text)
{
    return typedPeriod(text, kSpanMax);
}

Typed<workload::Distribution> typedAs(const Info::Spread&, const QString& text)
{
    return typedDistribution(text);
}

Typed<double> typedAs(const Info::Share&, const QString& text)
{
    return typedShare(text);
}

Typed<std::uint64_t> typedAs(const Info::Seed&, const QString& text)
{
    return typedSeed(text);
}

} // namespace

QString ScenarioFieldInfo::text(ScenarioValues& values) const
{
    return std::visit([&values](const auto& kind) { return textOf(kind, values); }, value);
}

QString ScenarioFieldInfo::read(ScenarioValues& values, const QString& text) const
{
    const auto readAs = [&](const auto& kind) {
        auto typed = typedAs(kind, text);
        if (auto* const complaint = std::get_if<QString>(&typed)) {
            return std::move(*complaint);
        }
        kind.of(values) = std::move(std::get<0>(typed));
        return QString();
    };
    return std::visit(readAs, value);
}

std::span<const ScenarioFieldInfo> scenarioFields()
{
    return kFields;
}

const ScenarioFieldInfo& infoOf(ScenarioField field)
{
    return *std::ranges::find(kFields, field, &ScenarioFieldInfo::field);
}

} // namespace lockscope::models
