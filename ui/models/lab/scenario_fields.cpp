#include "ui/models/lab/scenario_fields.h"

#include "ui/models/formatting.h"
#include "ui/models/typed_values.h"
#include "ui/models/ui_text.h"

#include <algorithm>
#include <type_traits>
#include <vector>

namespace lockscope::models {

using namespace std::chrono_literals;
using protocol::ProtocolInfo;
using report::PlanMember;

namespace {

using Info = ScenarioFieldInfo;
using Field = ScenarioField;
using Workload = SimulatedWorkload;
using enum ScenarioFieldInfo::Group;

// What a person may want, and a search can still do.
constexpr int kClientsMax = 26;
constexpr int kKeysMax = 26;
constexpr int kRoundsMax = 100;
constexpr int kDepthMax = 10;
constexpr double kReadShareUsual = 0.5;
constexpr Duration kSpanMax = 24h;

/// What the clients do. Files list it act by act.
std::vector<Info> workloadFields()
{
    return {
        {Field::kContenders, Clients, [] { return UiText::tr("Contenders"); },
         [] {
             return UiText::tr("Number of clients with the same workload: acquire, work, release.");
         },
         Info::Number{&Workload::clientCount, kClientsMax}},
        {Field::kStagger, Clients, [] { return UiText::tr("Start offset"); },
         [] {
             return UiText::tr("Delay between the starts of two clients. 0s: all at once. 12s: "
                               "each starts after a lease of 10s has ended.");
         },
         Info::Span{&Workload::stagger, 0ms}},
        {Field::kRounds, Clients, [] { return UiText::tr("Rounds"); },
         [] { return UiText::tr("How many times each client acquires the lock."); },
         Info::Number{&Workload::roundCount, kRoundsMax}},
        {Field::kHold, Clients, [] { return UiText::tr("Hold time"); },
         [] { return UiText::tr("How long a lock is held: 4s, 2s..6s, or ~4s for a mean."); },
         Info::Spread{&Workload::hold}},
        {Field::kThink, Clients, [] { return UiText::tr("Think time"); },
         [] { return UiText::tr("Time between two rounds: 4s, 2s..6s, or ~4s for a mean."); },
         Info::Spread{&Workload::think}},
        {Field::kKeys, Clients, [] { return UiText::tr("Keys"); },
         [] { return UiText::tr("Number of locks. Each round picks one at random."); },
         Info::Number{&Workload::keyCount, kKeysMax}},
        {Field::kReadShare, Clients, [] { return UiText::tr("Read share"); },
         [] { return UiText::tr("Share of rounds that only read, distributed evenly: 50%."); },
         Info::ReadShare{}, [](const ProtocolInfo& info) { return info.hasModes; }},
        {Field::kReentryDepth, Clients, [] { return UiText::tr("Reentry depth"); },
         [] { return UiText::tr("How many times a holder acquires the lock in nested calls."); },
         Info::Number{&Workload::reentryDepth, kDepthMax},
         [](const ProtocolInfo& info) { return info.isReentrant; }},
        {Field::kLease, Lock, [] { return UiText::tr("Lease"); },
         [] { return UiText::tr("How long a grant lasts unless it is renewed."); },
         Info::Span{&Workload::lease, 1ms},
         [](const ProtocolInfo& info) { return info.hasExpiry; }},
    };
}

Info::Group groupOf(PlanMember::Form::Group group)
{
    using PlanGroup = PlanMember::Form::Group;
    return group == PlanGroup::Lock ? Lock : group == PlanGroup::Faults ? Faults : Bounds;
}

Info fieldOf(const PlanMember& member)
{
    return {Field{member.name},
            groupOf(member.form.group),
            [&member] { return toQString(member.form.label()); },
            [&member] { return toQString(member.form.hint()); },
            &member,
            member.appliesTo};
}

std::vector<Info> allFields()
{
    std::vector<Info> fields = workloadFields();
    for (const PlanMember& member : report::planMembers()) {
        if (member.isOnForm()) {
            fields.push_back(fieldOf(member));
        }
    }
    return fields;
}

QString valueText(int number)
{
    return QString::number(number);
}

QString valueText(std::uint64_t seed)
{
    return QString::number(seed);
}

QString valueText(Duration span)
{
    return spanWord(span);
}

QString valueText(const workload::Distribution& spread)
{
    return toQString(workload::toText(spread));
}

/// A member of the plan as it is typed.
QString memberText(const PlanMember& member, world::WorldPlan plan)
{
    const auto text = [&plan](const auto& kind) {
        using Kind = std::decay_t<decltype(kind)>;
        if constexpr (std::is_same_v<Kind, PlanMember::Span>) {
            return kind.mayBeOff ? periodWord(kind.of(plan)) : spanWord(kind.of(plan));
        } else {
            return valueText(kind.of(plan));
        }
    };
    return std::visit(text, member.value);
}

/// The value, or what is wrong with the text.
template<class Value, class Target>
QString take(Typed<Value> typed, Target& target)
{
    if (auto* const complaint = std::get_if<QString>(&typed)) {
        return std::move(*complaint);
    }
    target = std::move(std::get<0>(typed));
    return {};
}

Typed<int> typedAs(const PlanMember::Number& number, const QString& text)
{
    return typedNumber(text, number.least, number.most);
}

Typed<Duration> typedAs(const PlanMember::Span& span, const QString& text)
{
    return span.mayBeOff ? typedPeriod(text, report::kPlanSpanMax)
                         : typedSpan(text, span.least, report::kPlanSpanMax);
}

Typed<std::uint64_t> typedAs(const PlanMember::Seed&, const QString& text)
{
    return typedSeed(text);
}

QString readMember(const PlanMember& member, world::WorldPlan& plan, const QString& text)
{
    const auto read = [&](const auto& kind) {
        if constexpr (std::is_same_v<std::decay_t<decltype(kind)>, PlanMember::Flag>) {
            return QString(); // no switch is on the form
        } else {
            return take(typedAs(kind, text), kind.of(plan));
        }
    };
    return std::visit(read, member.value);
}

} // namespace

QString ScenarioFieldInfo::editor() const
{
    QString name = toQString(field.name);
    name[0] = name[0].toUpper();
    return QStringLiteral("lab%1Edit").arg(name);
}

QString ScenarioFieldInfo::text(const ScenarioValues& values) const
{
    const auto text = [&values](const auto& kind) {
        using Kind = std::decay_t<decltype(kind)>;
        if constexpr (std::is_same_v<Kind, const PlanMember*>) {
            return memberText(*kind, values.plan);
        } else if constexpr (std::is_same_v<Kind, ReadShare>) {
            return shareWord(values.workload.readShare.value_or(kReadShareUsual));
        } else {
            return valueText(values.workload.*kind.of);
        }
    };
    return std::visit(text, value);
}

QString ScenarioFieldInfo::read(ScenarioValues& values, const QString& text) const
{
    Workload& workload = values.workload;
    const auto readAs = [&](const auto& kind) {
        using Kind = std::decay_t<decltype(kind)>;
        if constexpr (std::is_same_v<Kind, const PlanMember*>) {
            return readMember(*kind, values.plan, text);
        } else if constexpr (std::is_same_v<Kind, Number>) {
            return take(typedNumber(text, 1, kind.most), workload.*kind.of);
        } else if constexpr (std::is_same_v<Kind, Span>) {
            return take(typedSpan(text, kind.least, kSpanMax), workload.*kind.of);
        } else if constexpr (std::is_same_v<Kind, Spread>) {
            return take(typedDistribution(text), workload.*kind.of);
        } else {
            return take(typedShare(text), workload.readShare);
        }
    };
    return std::visit(readAs, value);
}

std::span<const ScenarioFieldInfo> scenarioFields()
{
    static const std::vector<Info> kFields = allFields();
    return kFields;
}

const ScenarioFieldInfo& infoOf(ScenarioField field)
{
    return *std::ranges::find(scenarioFields(), field, &ScenarioFieldInfo::field);
}

} // namespace lockscope::models
