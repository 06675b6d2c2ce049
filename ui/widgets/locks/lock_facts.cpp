#include "ui/widgets/locks/lock_facts.h"

#include "core/kernel/base/kernel_text.h"
#include "core/kernel/diagnosis/set_nodes.h"
#include "core/kernel/inspect/decoder.h"
#include "core/kernel/report/wording.h"
#include "ui/models/formatting.h"
#include "ui/models/ui_text.h"

#include <algorithm>

namespace lockscope::widgets {

using namespace Qt::StringLiterals;

namespace {

using Look = Fact::Look;

constexpr qsizetype kConfirmationLength = 6;

QString printable(std::string_view bytes)
{
    return QString::fromStdString(escaped(bytes));
}

QString byteCountText(std::uint64_t count)
{
    return count == 1
               ? UiText::tr("1 byte")
               : UiText::tr("%1 bytes").arg(models::countText(static_cast<std::int64_t>(count)));
}

QString clockText(WallTime time, WallTime now)
{
    const QDateTime shown = models::shownTime(time);
    const bool isToday = shown.date() == models::shownTime(now).date();
    return shown.toString(isToday ? u"HH:mm:ss"_s : u"yyyy-MM-dd HH:mm:ss"_s);
}

QString clockText(Instant instant, const FactContext& context)
{
    const auto ago = std::chrono::duration_cast<std::chrono::milliseconds>(context.now - instant);
    return clockText(context.wallNow - ago, context.wallNow);
}

QString titleOfFormat(std::string_view format, const FactContext& context)
{
    return models::toQString(report::formatTitle(format, context.formats->recognisers()));
}

QString typeText(inspect::ValueType type)
{
    using inspect::ValueType;
    switch (type) {
    case ValueType::None: return UiText::tr("missing");
    case ValueType::String: return UiText::tr("string");
    case ValueType::Hash: return UiText::tr("hash");
    case ValueType::List: return UiText::tr("list");
    case ValueType::Set: return UiText::tr("set");
    case ValueType::SortedSet: return UiText::tr("sorted set");
    case ValueType::Stream: return UiText::tr("stream");
    case ValueType::Other: break;
    }
    return UiText::tr("other type");
}

QString sizeText(const inspect::Observation& key)
{
    if (key.type == inspect::ValueType::String) {
        return byteCountText(key.size);
    }
    if (key.type == inspect::ValueType::Hash) {
        return key.size == 1 ? UiText::tr("1 field")
                             : UiText::tr("%1 fields")
                                   .arg(models::countText(static_cast<std::int64_t>(key.size)));
    }
    return key.size == 1 ? UiText::tr("1 member")
                         : UiText::tr("%1 members")
                               .arg(models::countText(static_cast<std::int64_t>(key.size)));
}

Fact ownerFact(const inspect::Holder& holder, const QString& label)
{
    if (holder.owner.empty()) {
        return {label, UiText::tr("not recorded by this format"), Look::Quiet};
    }
    return {label, printable(holder.owner), Look::Mono};
}

/// As the user calls the owner.
void addName(std::vector<Fact>& facts, const inspect::Holder& holder, const FactContext& context)
{
    if (const auto known = context.owners ? context.owners->find(holder.owner) : std::nullopt) {
        facts.push_back({UiText::tr("Who"), models::toQString(known->who + " (" + known->how + ')'),
                         Look::Plain});
    }
}

void addClient(std::vector<Fact>& facts, const inspect::Holder& holder)
{
    if (holder.client() == nullptr) {
        return;
    }
    const QString name = printable(holder.client()->name);
    const QString address = printable(holder.client()->address);
    QString text = name;
    if (!address.isEmpty()) {
        text += (name.isEmpty() ? QString() : u" · "_s) + address;
    }
    if (!holder.client()->how.empty()) {
        text += u" ("_s + models::toQString(KernelText::lookUp(holder.client()->how)) + u')';
    }
    facts.push_back({UiText::tr("Client"), text, Look::Plain});
}

/// The other locks of the same owner.
void addTie(std::vector<Fact>& facts, const inspect::Holder& holder, const Bytes& name)
{
    if (holder.tie() == nullptr) {
        return;
    }
    constexpr std::size_t kNamesShown = 6;
    const std::vector<Bytes> others = holder.tie()->namesBeside(name);
    QStringList names;
    for (std::size_t i = 0; i < std::min(others.size(), kNamesShown); ++i) {
        names += printable(others[i]);
    }
    const QString label = holder.tie()->isOfThread ? UiText::tr("Same thread also holds")
                                                   : UiText::tr("Same owner also holds");
    facts.push_back({label, names.join(u'\n'), Look::Mono});
    if (others.size() > kNamesShown) {
        facts.push_back({{},
                         UiText::tr("and %1 more").arg(others.size() - kNamesShown),
                         Look::Quiet});
    }
    if (const std::string remark = report::tieRemark(*holder.tie()); !remark.empty()) {
        facts.push_back({{}, models::toQString(remark), Look::Quiet});
    }
}

void addHolders(std::vector<Fact>& facts, const inspect::LockRecord& lock,
                const FactContext& context)
{
    const bool several = lock.holders.size() > 1;
    if (lock.holders.empty()) {
        facts.push_back({UiText::tr("Owner"), UiText::tr("not recorded by this format"),
                         Look::Quiet});
    }
    constexpr std::size_t kHoldersShown = 12;
    for (std::size_t i = 0; i < std::min(lock.holders.size(), kHoldersShown); ++i) {
        const inspect::Holder& holder = lock.holders[i];
        QString title = UiText::tr("Owner");
        if (several) {
            title = models::holderTitle(lock, static_cast<int>(i));
            title[0] = title[0].toUpper();
        }
        facts.push_back(ownerFact(holder, title));
        addName(facts, holder, context);
        addClient(facts, holder);
        addTie(facts, holder, lock.id.name);
    }
    if (lock.holders.size() > kHoldersShown) {
        facts.push_back({{},
                         UiText::tr("and %1 more holders").arg(lock.holders.size() - kHoldersShown),
                         Look::Quiet});
    }
    facts.push_back({UiText::tr("Holds"), QString::number(lock.holds()), Look::Plain});
    facts.push_back({UiText::tr("Mode"), models::toQString(report::modeText(lock.mode)),
                     Look::Plain});
}

Fact takenFact(const inspect::LockRecord& lock, const FactContext& context)
{
    const QString label = UiText::tr("Taken");
    if (lock.acquiredAt()) {
        return {label,
                UiText::tr("%1 (according to its own timestamp)")
                    .arg(clockText(*lock.acquiredAt(), context.wallNow)),
                Look::Plain};
    }
    const QString seen = clockText(lock.firstSeen, context);
    return {label,
            lock.isTakenWhileWatching ? UiText::tr("%1 (seen)").arg(seen)
                                      : UiText::tr("before %1 (first seen)").arg(seen),
            Look::Plain};
}

Fact heldForFact(const inspect::LockRecord& lock, const FactContext& context)
{
    Duration held = context.now - lock.firstSeen;
    QString pattern = lock.isTakenWhileWatching ? u"%1"_s : UiText::tr("at least %1");
    if (lock.acquiredAt()) {
        held = context.wallNow - *lock.acquiredAt();
        pattern = u"%1"_s;
    }
    return {UiText::tr("Held for"), pattern.arg(models::durationText(held)), Look::Plain};
}

Fact renewedFact(const inspect::LockRecord& lock, const FactContext& context)
{
    const QString label = UiText::tr("Renewed");
    if (lock.renewals == 0) {
        return {label, UiText::tr("not since it was first seen"), Look::Quiet};
    }
    const QString times = lock.renewals == 1 ? UiText::tr("once")
                                             : UiText::tr("%1 times").arg(lock.renewals);
    return {label,
            UiText::tr("%1, last %2 ago")
                .arg(times, models::durationText(context.now - lock.lastRenewal)),
            Look::Plain};
}

Fact expiresFact(const inspect::LockRecord& lock, const FactContext& context)
{
    const QString label = UiText::tr("Expires");
    if (!lock.expiresAt) {
        return {label, UiText::tr("never"), Look::Alarm};
    }
    if (*lock.expiresAt <= context.now) {
        return {label, UiText::tr("now; waiting for the server to confirm"), Look::Quiet};
    }
    return {label, UiText::tr("in %1").arg(models::durationText(*lock.expiresAt - context.now)),
            Look::Plain};
}

Fact waitersFact(const inspect::LockRecord& lock)
{
    const bool isKnown = lock.waiters || lock.waitersAtMost();
    return {UiText::tr("Waiters"), models::toQString(report::waitersInWords(lock)),
            isKnown ? Look::Plain : Look::Quiet};
}

void addTimes(std::vector<Fact>& facts, const inspect::LockRecord& lock, const FactContext& context)
{
    facts.push_back(takenFact(lock, context));
    facts.push_back(heldForFact(lock, context));
    facts.push_back(renewedFact(lock, context));
    facts.push_back(expiresFact(lock, context));
    facts.push_back(waitersFact(lock));
}

void addFormat(std::vector<Fact>& facts, const inspect::LockRecord& lock,
               const operations::LockDetails* details, const FactContext& context)
{
    QString text = titleOfFormat(lock.format(), context);
    if (!lock.library().empty() && models::toQString(lock.library()) != text) {
        text += u" · "_s + models::toQString(lock.library());
    }
    text += UiText::tr(" (%1 confidence)")
                .arg(models::toQString(report::confidenceText(lock.confidence)));
    facts.push_back({UiText::tr("Format"), text, Look::Plain});
    if (details == nullptr || details->decodedLocks.size() < 2) {
        return;
    }
    QStringList others;
    for (const inspect::DecodedLock& decoded : details->decodedLocks) {
        const QString title = titleOfFormat(decoded.format, context);
        if (decoded.format != lock.format() && !others.contains(title)) {
            others += title;
        }
    }
    if (!others.isEmpty()) {
        facts.push_back({UiText::tr("Could also be"), models::listed(others), Look::Quiet});
    }
}

/// Until the servers have been asked for the details there is only what the table knows.
std::vector<diagnosis::SetNode> unknownNodes(const inspect::Quorum& quorum)
{
    std::vector<diagnosis::SetNode> nodes;
    for (std::uint16_t server = 0; server < quorum.total; ++server) {
        if (quorum.isUnknown(server)) {
            nodes.emplace_back().server = server;
        }
    }
    return nodes;
}

void addServers(std::vector<Fact>& facts, const inspect::LockRecord& lock,
                const operations::LockDetails* details, const FactContext& context)
{
    if (lock.quorum().total == 0) {
        return;
    }
    facts.push_back({UiText::tr("Held on"), models::toQString(diagnosis::votesText(lock)),
                     lock.quorum().isMinority() ? Look::Alarm : Look::Plain});
    const std::vector<std::string> names = store::namesBeside(context.endpoints);
    const bool areKnown = details != nullptr && !details->nodes.empty();
    const std::vector<diagnosis::SetNode> nodes = areKnown ? details->nodes
                                                           : unknownNodes(lock.quorum());
    for (const diagnosis::SetNode& node : nodes) {
        if (node.server < names.size()) {
            const bool isLeader = !lock.holders.empty() && node.owner == lock.holders.front().owner;
            const Look look = node.owner.empty() ? Look::Quiet
                              : isLeader         ? Look::Plain
                                                 : Look::Alarm;
            facts.push_back({models::toQString(names[node.server]),
                             models::toQString(diagnosis::nodeText(node, context.now)), look});
        }
    }
}

void addPlace(std::vector<Fact>& facts, const inspect::LockRecord& lock)
{
    if (!lock.place) {
        return;
    }
    const QString slot = QString::number(lock.place->slot);
    const QString node = QString::fromStdString(lock.place->node);
    facts.push_back({UiText::tr("Slot"),
                     node.isEmpty() ? UiText::tr("%1, which no node serves").arg(slot)
                                    : UiText::tr("%1, on %2").arg(slot, node),
                     Look::Plain});
}

void addKeys(std::vector<Fact>& facts, const inspect::LockRecord& lock)
{
    const std::vector<Bytes> keys = lock.keys();
    if (keys.size() < 2) {
        return;
    }
    QStringList names;
    for (const Bytes& key : keys) {
        names += printable(key);
    }
    facts.push_back({UiText::tr("Keys"), names.join(u'\n'), Look::Mono});
}

QString hashText(const inspect::Observation& key)
{
    QStringList lines;
    for (const inspect::HashField& field : key.fields) {
        lines += printable(field.name) + u" → "_s + printable(field.value);
    }
    return lines.join(u'\n');
}

RawValue rawValueOf(const inspect::Observation& key)
{
    RawValue raw;
    raw.heading = printable(key.key);
    if (!key.unreadable.empty()) {
        raw.remark = UiText::tr("could not be read: %1").arg(printable(key.unreadable));
        return raw;
    }
    if (key.type == inspect::ValueType::String) {
        raw.text = printable(std::string_view(key.value).substr(0, RawValue::kValueBytesMax));
        const std::size_t shown = std::min(key.value.size(), RawValue::kValueBytesMax);
        if (shown < key.size) {
            raw.remark = UiText::tr("the first %1 of %2 bytes")
                             .arg(models::countText(static_cast<std::int64_t>(shown)),
                                  models::countText(static_cast<std::int64_t>(key.size)));
        } else if (key.size == 0) {
            raw.remark = UiText::tr("empty");
        }
        return raw;
    }
    const QString all = hashText(key);
    raw.text = all.left(static_cast<qsizetype>(RawValue::kValueBytesMax));
    if (all.size() > raw.text.size() || key.fields.size() < key.size) {
        raw.remark =
            UiText::tr("the beginning of a %1 with %2").arg(typeText(key.type), sizeText(key));
    }
    return raw;
}

void addRule(std::vector<Fact>& facts, const inspect::LockRecord& lock, const FactContext& context)
{
    const models::ColorRule* const rule = context.ruleOf ? context.ruleOf(lock) : nullptr;
    if (rule != nullptr) {
        facts.push_back({UiText::tr("Colour rule"), rule->name, Look::Plain});
        facts.push_back({{}, rule->filter, Look::Mono});
    }
}

} // namespace

std::vector<Fact> factsOf(const inspect::LockRecord& lock, const operations::LockDetails* details,
                          const FactContext& context)
{
    std::vector<Fact> facts;
    addHolders(facts, lock, context);
    addTimes(facts, lock, context);
    addFormat(facts, lock, details, context);
    addServers(facts, lock, details, context);
    addPlace(facts, lock);
    addKeys(facts, lock);
    addRule(facts, lock, context);
    return facts;
}

std::vector<Fact> holdFactsOf(const inspect::LockRecord& lock, const FactContext& context)
{
    std::vector<Fact> facts;
    addHolders(facts, lock, context);
    facts.push_back(expiresFact(lock, context));
    return facts;
}

std::vector<Fact> releaseFactsOf(const inspect::LockRecord& lock, const FactContext& context)
{
    std::vector<Fact> facts = holdFactsOf(lock, context);
    facts.push_back(heldForFact(lock, context));
    Fact renewed = renewedFact(lock, context);
    if (lock.renewals > 0) {
        renewed.value += UiText::tr(": a client keeps it alive");
        renewed.look = Look::Alarm;
    }
    facts.push_back(renewed);
    facts.push_back(waitersFact(lock));
    addFormat(facts, lock, nullptr, context);
    addServers(facts, lock, nullptr, context);
    addKeys(facts, lock);
    return facts;
}

inspect::LockRecord withHistoryOf(inspect::LockRecord fresh, const inspect::LockRecord& watched)
{
    const bool isSameHold = fresh.id == watched.id && fresh.format() == watched.format()
                            && std::ranges::equal(fresh.holders, watched.holders, {},
                                                  &inspect::Holder::owner, &inspect::Holder::owner);
    if (!isSameHold) {
        return fresh;
    }
    fresh.firstSeen = watched.firstSeen;
    fresh.isTakenWhileWatching = watched.isTakenWhileWatching;
    fresh.renewals = watched.renewals;
    fresh.lastRenewal = watched.lastRenewal;
    fresh.lease = std::max(fresh.lease, watched.lease);
    fresh.flags = fresh.flags.united(watched.flags); // a single look does not find all of them
    fresh.setDeadlock(watched.deadlock());
    fresh.waiters = fresh.waiters ? fresh.waiters : watched.waiters;
    fresh.setWaitersAtMost(watched.waitersAtMost());
    for (std::size_t i = 0; i < fresh.holders.size(); ++i) {
        fresh.holders[i].setTie(watched.holders[i].tie());
        fresh.holders[i].setClient(watched.holders[i].client());
    }
    if (watched.renewals > 0) {
        fresh.expiresAt = watched.expiresAt; // it moved since the reading
    }
    return fresh;
}

QString summaryLine(const inspect::LockRecord& lock, const operations::LockDetails* details,
                    const FactContext& context)
{
    QStringList parts;
    if (details != nullptr && !details->snapshots.empty()) {
        const inspect::Observation& main = details->snapshots.front().main();
        parts << typeText(main.type) << sizeText(main);
    }
    const std::size_t server = lock.id.server == inspect::LockId::kWholeSet ? 0 : lock.id.server;
    if (server < context.endpoints.size()) {
        parts << UiText::tr("db %1").arg(context.endpoints[server].database);
    }
    QStringList evidence;
    for (std::size_t i = 0; i < lock.evidence().count(); ++i) {
        evidence << models::toQString(KernelText::lookUp(lock.evidence().at(i)));
    }
    if (!evidence.isEmpty()) {
        parts << UiText::tr("evidence: %1").arg(models::listed(evidence));
    }
    return parts.join(u" · "_s);
}

std::vector<RawValue> rawValuesOf(const operations::LockDetails& details,
                                  const FactContext& context)
{
    std::vector<RawValue> values;
    for (const inspect::LockSnapshot& snapshot : details.snapshots) {
        for (const inspect::Observation& key : snapshot.keys) {
            if (!key.exists()) {
                continue;
            }
            RawValue value = rawValueOf(key);
            if (details.snapshots.size() > 1 && snapshot.server < context.endpoints.size()) {
                value.heading += UiText::tr(" on %1").arg(serverTextOf({snapshot.server, {}},
                                                                       context.endpoints));
            }
            values.push_back(std::move(value));
        }
    }
    return values;
}

QString nameOf(const inspect::LockRecord& lock)
{
    return printable(lock.id.name);
}

QString ownerOf(const inspect::LockRecord& lock)
{
    return lock.holders.empty() ? QString() : printable(lock.holders.front().owner);
}

QString serverTextOf(const inspect::LockId& id, const std::vector<store::Endpoint>& endpoints)
{
    if (id.server < endpoints.size()) {
        return models::toQString(store::namesBeside(endpoints)[id.server]);
    }
    return id.server == inspect::LockId::kWholeSet
               ? UiText::tr("Redlock set of %1 servers").arg(endpoints.size())
               : QString();
}

QString confirmationOf(const inspect::LockRecord& lock)
{
    const QString owner = ownerOf(lock);
    return (owner.isEmpty() ? nameOf(lock) : owner).right(kConfirmationLength);
}

QString confirmationOf(const inspect::ReleasePlan& plan)
{
    const QString owner = printable(plan.owner());
    const bool isNamed = !owner.isEmpty() && !plan.endsSeveral() && !plan.recipe.isAnonymous();
    return isNamed ? owner.right(kConfirmationLength) : nameOf(*plan.lock);
}

} // namespace lockscope::widgets
