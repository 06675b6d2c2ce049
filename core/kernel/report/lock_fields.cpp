#include "core/kernel/report/lock_fields.h"

#include "core/kernel/base/joined.h"
#include "core/kernel/base/kernel_text.h"
#include "core/kernel/inspect/text_pattern.h"
#include "core/kernel/inspect/watch/renewal_rhythm.h"
#include "core/kernel/report/csv_text.h"
#include "core/kernel/report/json_text.h"
#include "core/kernel/report/wording.h"

#include <algorithm>
#include <array>

namespace lockscope::report {

using inspect::Confidence;
using inspect::FilterField;
using inspect::Flag;
using inspect::Holder;
using inspect::LockRecord;
using inspect::LockState;
using inspect::Mode;

namespace {

// What filters ask

bool keyMatches(const LockRecord& record, const inspect::FilterContext&,
                const inspect::TextPattern& pattern)
{
    const auto isMatch = [&](const Bytes& key) { return pattern.matches(key); };
    return isMatch(record.id.name)
           || std::any_of(record.otherKeys().begin(), record.otherKeys().end(), isMatch);
}

bool ownerMatches(const LockRecord& record, const inspect::FilterContext&,
                  const inspect::TextPattern& pattern)
{
    return std::any_of(record.holders.begin(), record.holders.end(),
                       [&](const Holder& holder) { return pattern.matches(holder.owner); });
}

bool clientMatches(const LockRecord& record, const inspect::FilterContext&,
                   const inspect::TextPattern& pattern)
{
    return std::any_of(record.holders.begin(), record.holders.end(), [&](const Holder& holder) {
        return holder.client()
               && (pattern.matches(holder.client()->name)
                   || pattern.matches(holder.client()->address));
    });
}

/// A row that spans the servers of a set is on each of them.
bool serverMatches(const LockRecord& record, const inspect::FilterContext& context,
                   const inspect::TextPattern& pattern)
{
    const auto isMatch = [&](const std::string& name) { return pattern.matches(name); };
    if (record.id.server == inspect::LockId::kWholeSet) {
        return std::any_of(context.serverNames.begin(), context.serverNames.end(), isMatch);
    }
    return record.id.server < context.serverNames.size()
           && isMatch(context.serverNames[record.id.server]);
}

bool nodeMatches(const LockRecord& record, const inspect::FilterContext&,
                 const inspect::TextPattern& pattern)
{
    return record.place && pattern.matches(record.place->node);
}

template<class Enum>
std::string_view enumeratorId(std::size_t index)
{
    return idOf(static_cast<Enum>(index));
}

template<class Enum>
constexpr std::uint32_t bitOf(Enum value)
{
    return std::uint32_t{1} << static_cast<std::size_t>(value);
}

std::uint32_t flagBits(const LockRecord& record)
{
    std::uint32_t bits = 0;
    for (std::size_t i = 0; i < static_cast<std::size_t>(Flag::FlagCount); ++i) {
        bits |= record.flags.has(static_cast<Flag>(i)) ? bitOf(i) : 0;
    }
    return bits;
}

Duration timeToLive(const LockRecord& record, Instant now)
{
    return record.expiresAt ? std::max(*record.expiresAt - now, Duration(0)) : Duration::max();
}

Duration timeHeld(const LockRecord& record, Instant now)
{
    return std::max(now - record.firstSeen, Duration(0));
}

// What JSON and CSV say

std::int64_t seenForMs(const LockRecord& record, Instant now)
{
    return std::max<std::int64_t>(0, toMs(now - record.firstSeen));
}

/// How long it has been held: only known when we saw it being taken.
std::optional<std::int64_t> heldForMs(const LockRecord& record, Instant now)
{
    return record.isTakenWhileWatching ? std::optional(seenForMs(record, now)) : std::nullopt;
}

/// The holder's own end, or the lock's, unless it is known that this holder has none.
std::optional<std::int64_t> remainingMsOf(const Holder& holder, const LockRecord& record,
                                          Instant now)
{
    const bool mayLastForEver = record.flags.has(Flag::MissingExpiryOfReader);
    const bool hasOwnEnd = holder.expiresAt.has_value() || mayLastForEver;
    return remainingMs(hasOwnEnd ? holder.expiresAt : record.expiresAt, now);
}

Json clientJson(const Holder& holder)
{
    if (!holder.client()) {
        return nullptr;
    }
    return Json{{"address", textOrNull(holder.client()->address)},
                {"name", textOrNull(holder.client()->name)},
                {"how", textOrNull(holder.client()->how)}};
}

/// The other locks that this owner has.
Json tieJson(const Holder& holder, const LockRecord& record)
{
    if (!holder.tie()) {
        return nullptr;
    }
    return Json{{"keys", escapedAll(holder.tie()->namesBeside(record.id.name))},
                {"sameThread", holder.tie()->isOfThread},
                {"takenTogether", holder.tie()->isTakenTogether}};
}

/// A sole holder may also write: below the lock the mode only tells readers from writers.
std::string_view holderMode(const Holder& holder)
{
    return inspect::idOf(holder.mode == inspect::Mode::Exclusive ? inspect::Mode::Write
                                                                 : holder.mode);
}

Json holderJson(const Holder& holder, const LockRecord& record, Instant now)
{
    return Json{{"owner", textOrNull(holder.owner)},
                {"mode", holderMode(holder)},
                {"holds", holder.holds},
                {"ttlMs", valueOrNull(remainingMsOf(holder, record, now))},
                {"client", clientJson(holder)},
                {"alsoHolds", tieJson(holder, record)}};
}

Json holdersJson(const LockRecord& record, Instant now)
{
    Json holders = Json::array();
    for (const Holder& holder : record.holders) {
        holders.push_back(holderJson(holder, record, now));
    }
    return holders;
}

std::string_view sourceText(inspect::WaiterSource source)
{
    switch (source) {
    case inspect::WaiterSource::Queue:
        return QT_TRANSLATE_NOOP("KernelText", "the queue of the lock");
    case inspect::WaiterSource::Value:
        return QT_TRANSLATE_NOOP("KernelText", "the lock's own value");
    case inspect::WaiterSource::BlockedList: return "CLIENT LIST";
    case inspect::WaiterSource::Channel: // counts listeners of the wake-up channel
    case inspect::WaiterSource::SomeOnChannel:
    case inspect::WaiterSource::None: break;
    }
    return "PUBSUB NUMSUB";
}

template<class T>
std::string numberText(const std::optional<T>& number, std::string_view unknown = {})
{
    return number ? std::to_string(*number) : std::string(unknown);
}

std::string waitersText(const LockRecord& record)
{
    return record.waitersAtMost() ? "≤ " + std::to_string(*record.waitersAtMost())
                                  : numberText(record.waiters, "?");
}

Json waitersJson(const LockRecord& record)
{
    if (record.waitersAtMost()) {
        return Json{{"count", nullptr},
                    {"atMost", *record.waitersAtMost()},
                    {"how", sourceText(record.waiterSource)},
                    {"exact", false}};
    }
    if (!record.waiters) {
        return nullptr;
    }
    const bool isExact = record.waiterSource == inspect::WaiterSource::Queue
                         || record.waiterSource == inspect::WaiterSource::Value;
    return Json{{"count", *record.waiters},
                {"how", sourceText(record.waiterSource)},
                {"exact", isExact}};
}

std::vector<std::string_view> flagIds(inspect::FlagSet flags)
{
    std::vector<std::string_view> ids;
    for (int i = 0; i < static_cast<int>(Flag::FlagCount); ++i) {
        const auto flag = static_cast<Flag>(i);
        if (flags.has(flag)) {
            ids.push_back(inspect::idOf(flag));
        }
    }
    return ids;
}

Json evidenceJson(const inspect::Evidence& evidence)
{
    Json sentences = Json::array();
    for (std::size_t i = 0; i < evidence.count(); ++i) {
        sentences.push_back(evidence.at(i));
    }
    return sentences;
}

/// For CSV.
std::string ownersText(const LockRecord& record)
{
    std::vector<std::string> owners;
    for (const Holder& holder : record.holders) {
        owners.push_back(csvGuarded(escaped(holder.owner)));
    }
    return joined(owners, ";");
}

Json quorumJson(const LockRecord& record)
{
    const inspect::Quorum& quorum = record.quorum();
    return quorum.total == 0 ? Json(Json::value_t::discarded)
                             : Json{{"held", quorum.held},
                                    {"total", quorum.total},
                                    {"unknown", quorum.unknown},
                                    {"needed", quorum.needed()},
                                    {"state", idOf(inspect::quorumStateOf(record))}};
}

Json renewalJson(const std::optional<inspect::RenewalRhythm>& rhythm)
{
    return rhythm ? Json{{"everyMs", toMs(rhythm->every)}, {"missed", rhythm->missed}}
                  : Json(nullptr);
}

bool haveOtherOwners(const LockRecord& before, const LockRecord& after)
{
    return !std::ranges::equal(before.holders, after.holders, {}, &Holder::owner, &Holder::owner);
}

std::string_view firstOwner(const LockRecord& record)
{
    return record.holders.empty() ? std::string_view() : record.holders.front().owner;
}

// Of a lock in a cluster

std::optional<std::int64_t> slotOf(const LockRecord& record)
{
    return record.place ? std::optional<std::int64_t>(record.place->slot) : std::nullopt;
}

std::string_view nodeOf(const LockRecord& record)
{
    return record.place ? std::string_view(record.place->node) : std::string_view();
}

bool areElsewhere(const LockRecord& before, const LockRecord& after)
{
    return before.place && nodeOf(before) != nodeOf(after);
}

Json placeJson(const LockRecord& record, Json value)
{
    return record.place ? std::move(value) : Json(Json::value_t::discarded);
}

// The fields, in the order of the JSON members

using View = const LockView&;
using Record = const LockRecord&;

constexpr auto kFields = std::to_array<LockField>({
    {.column = {.column = ServerColumn,
                .title = [] { return KernelText::tr("Server"); },
                .explanation = [] { return KernelText::tr("The server that stores the lock"); },
                .width = {17, 9},
                .givesWay = 4,
                .sortNumber = [](Record r) { return sortKeyOf(r.id.server); }},
     .text = [](View v) { return std::string(v.serverName); },
     .terminal = {.place = 9, .title = "SERVER", .isForSeveralServers = true},
     .filter = {"server", &serverMatches},
     .json = {"server", [](View v) { return Json(escaped(v.serverName)); }, true}},
    {.json = {"db", [](View v) { return Json(v.database); }, true}},
    {.column = {.column = KeyColumn,
                .title = [] { return KernelText::tr("Key"); },
                .explanation = [] { return KernelText::tr("The lock's key, with its state"); },
                .width = {28, 24, 3},
                .sortText = [](Record r) { return std::string_view(r.id.name); }},
     .text = [](View v) { return escaped(v.record.id.name); },
     .terminal = {.place = 1, .title = "KEY"},
     .filter = {"key", &keyMatches, true},
     .json = {"key", [](View v) { return Json(escaped(v.record.id.name)); }, true}},
    {.column = {.column = FormatColumn,
                .title = [] { return KernelText::tr("Format"); },
                .explanation =
                    [] {
                        return KernelText::tr("How the lock is stored, or the library "
                                              "that stores it this way");
                    },
                .width = {14, 13},
                .givesWay = 3,
                .sortText = [](Record r) { return r.format(); },
                .isNews = [](Record a,
                             Record b) { return a.format() != b.format() || a.quorum() != b.quorum(); }},
     .text = [](View v) { return formatText(v.record); },
     .terminal = {.place = 3, .title = "FORMAT"},
     .filter = {"format",
                [](Record r, const inspect::FilterContext&, const inspect::TextPattern& pattern) {
                    return pattern.matches(r.format());
                },
                true},
     .json = {"format", [](View v) { return textOrNull(v.record.format()); }, true}},
    {.filter = {"library",
                [](Record r, const inspect::FilterContext&, const inspect::TextPattern& pattern) {
                    return pattern.matches(r.library());
                },
                true},
     .json = {"library", [](View v) { return textOrNull(v.record.library()); }, true}},
    {.column = {.column = ConfidenceColumn,
                .title = [] { return KernelText::tr("Confidence"); },
                .explanation =
                    [] {
                        return KernelText::tr("How certain it is that this is a lock of this "
                                              "format");
                    },
                .width = {14, 13},
                .givesWay = 2,
                .sortNumber =
                    [](Record r) { return sortKeyOf(static_cast<std::int64_t>(r.confidence)); },
                .isNews = [](Record a, Record b) { return a.confidence != b.confidence; }},
     .text = [](View v) { return std::string(idOf(v.record.confidence)); },
     .terminal = {.place = 4, .title = "CONFIDENCE"},
     .filter = {"confidence", FilterField::Values{3, enumeratorId<Confidence>,
                                                  [](Record r) { return bitOf(r.confidence); }}},
     .json = {"confidence", [](View v) { return Json(idOf(v.record.confidence)); }, true}},
    {.column = {.column = ModeColumn,
                .title = [] { return KernelText::tr("Mode"); },
                .explanation = [] { return KernelText::tr("Exclusive, read, write or semaphore"); },
                .width = {9, 9},
                .sortNumber =
                    [](Record r) {
                        return SortKey{static_cast<std::int64_t>(r.mode), std::ssize(r.holders)};
                    },
                .isNews = [](Record a, Record b) { return a.mode != b.mode; }},
     .text = [](View v) { return modeText(v.record.mode); },
     .terminal = {.place = 5, .title = "MODE", .usual = "exclusive"},
     .filter = {"mode",
                FilterField::Values{4, enumeratorId<Mode>, [](Record r) { return bitOf(r.mode); }}},
     .json = {"mode", [](View v) { return Json(idOf(v.record.mode)); }, true}},
    {.column = {.column = OwnerColumn,
                .title = [] { return KernelText::tr("Owner"); },
                .explanation =
                    [] {
                        return KernelText::tr("The owner's token, and its client if "
                                              "known");
                    },
                .width = {20, 11, 1},
                .sortText = &firstOwner,
                .isNews = &haveOtherOwners},
     .text = [](View v) { return ownerText(v.record); },
     .terminal = {.place = 2, .title = "OWNER"},
     .filter = {"owner", &ownerMatches, true},
     .json = {"holders", [](View v) { return holdersJson(v.record, v.now); }},
     .csv = {"owners", [](View v) { return ownersText(v.record); }}},
    {.filter = {"client", &clientMatches, true}},
    {.filter = {"tied",
                [](Record r) {
                    return std::optional(static_cast<std::int64_t>(r.tiedCount()));
                }}},
    {.column = {.column = HoldsColumn,
                .title = [] { return KernelText::tr("Holds"); },
                .explanation =
                    [] {
                        return KernelText::tr("Number of holds, including reentrant "
                                              "ones");
                    },
                .isNumber = true,
                .width = {5, 5},
                .sortNumber = [](Record r) { return sortKeyOf(r.holds()); },
                .isNews = [](Record a, Record b) { return a.holds() != b.holds(); }},
     .text = [](View v) { return std::to_string(v.record.holds()); },
     .terminal = {.place = 6, .title = "HOLDS", .usual = "1"},
     .filter = {"holds", [](Record r) { return std::optional<std::int64_t>(r.holds()); }},
     .csv = {"holds", [](View v) { return std::to_string(v.record.holds()); }}},
    {.column = {.column = ExpiresColumn,
                .title = [] { return KernelText::tr("Expires in"); },
                .explanation =
                    [] {
                        return KernelText::tr("Remaining lease; ticks mark "
                                              "renewals");
                    },
                .isNumber = true,
                .width = {14, 9},
                // "never" is last
                .sortNumber =
                    [](Record r) { return sortKeyOf(r.expiresAt.value_or(Instant::max())); }},
     .text = [](View v) { return expiresText(v.record, v.now); },
     .terminal = {.place = 7, .title = "EXPIRES IN"},
     .filter = {"ttl", FilterField::Time{&timeToLive, true}},
     .json = {"ttlMs", [](View v) { return valueOrNull(remainingMs(v.record.expiresAt, v.now)); }, true}},
    {.column = {.column = WaitersColumn,
                .title = [] { return KernelText::tr("Waiters"); },
                .explanation =
                    [] {
                        return KernelText::tr("Clients waiting for the release; ? if "
                                              "the server cannot tell");
                    },
                .isNumber = true,
                .width = {7, 7},
                .givesWay = 5,
                // unknown before none
                .sortNumber = [](Record r) { return sortKeyOf(r.waiters.value_or(-1)); },
                .isNews = [](Record a, Record b) { return a.waiters && a.waiters != b.waiters; }},
     .text = [](View v) { return waitersText(v.record); },
     .terminal = {.place = 8, .title = "WAITERS", .usual = "?"},
     .filter = {"waiters", [](Record r) { return std::optional<std::int64_t>(r.waiters); }},
     .json = {"waiters", [](View v) { return waitersJson(v.record); }},
     .csv = {"waiters", [](View v) { return numberText(v.record.waiters); }}},
    {.column = {.column = HeldColumn,
                .title = [] { return KernelText::tr("Held for"); },
                .explanation =
                    [] {
                        return KernelText::tr("Time since this owner was first "
                                              "seen");
                    },
                .isNumber = true,
                .width = {10, 9},
                .givesWay = 6,
                .sortNumber = [](Record r) { return sortKeyOf(-sortKeyOf(r.firstSeen).first); }},
     .filter = {"held", FilterField::Time{&timeHeld}},
     .json = {"heldForMs", [](View v) { return valueOrNull(heldForMs(v.record, v.now)); }, true}},
    // In JSON it stands at the end.
    {.csv = {"seenForMs", [](View v) { return std::to_string(seenForMs(v.record, v.now)); }}},
    {.column = {.column = RenewalsColumn,
                .title = [] { return KernelText::tr("Renewals"); },
                .explanation = [] { return KernelText::tr("Renewals seen for this owner"); },
                .isNumber = true,
                .width = {8, 7},
                .givesWay = 1,
                .sortNumber = [](Record r) { return sortKeyOf(r.renewals); }},
     .filter = {"renewals", [](Record r) { return std::optional<std::int64_t>(r.renewals); }},
     .json = {"renewals", [](View v) { return Json(v.record.renewals); }, true}},
    {.filter = {"state", FilterField::Values{static_cast<std::size_t>(LockState::StateCount),
                                             enumeratorId<LockState>,
                                             [](Record r) { return bitOf(stateOf(r)); }}}},
    {.column = {.column = WhyColumn,
                .title = [] { return KernelText::tr("Warnings"); },
                .explanation = [] { return KernelText::tr("Anything unusual about the lock"); },
                .width = {24, 17, 2},
                .sortNumber = &sortKeyOfWarnings,
                .isNews = [](Record a, Record b) { return a.flags != b.flags; }},
     .text = [](View v) { return whyLook(v.record, v.now); },
     .terminal = {.place = 12, .title = "WARNINGS", .usual = ""},
     .filter = {"flag", FilterField::Values{static_cast<std::size_t>(Flag::FlagCount),
                                            enumeratorId<Flag>, &flagBits, true}},
     .json = {"flags", [](View v) { return Json(flagIds(v.record.flags)); }},
     .csv = {"flags", [](View v) { return joined(flagIds(v.record.flags), ";"); }}},
    {.json = {"keys", [](View v) { return escapedAll(v.record.keys()); }}},
    {.json = {"evidence", [](View v) { return evidenceJson(v.record.evidence()); }}},
    {.json = {"seenForMs", [](View v) { return Json(seenForMs(v.record, v.now)); }}},
    {.json = {"acquiredAt", [](View v) {
             return v.record.acquiredAt() ? Json(isoTime(*v.record.acquiredAt())) : Json(nullptr);
         }}},
    {.json = {"confirmed", [](View v) { return Json(v.record.isConfirmed); }}},
    {.json = {"quorum", [](View v) { return quorumJson(v.record); }}},
    {.json = {"renewal", [](View v) { return renewalJson(inspect::rhythmOf(v.record, v.now)); }}},
    {.column = {.column = NodeColumn,
                .title = [] { return KernelText::tr("Node"); },
                .explanation =
                    [] { return KernelText::tr("The node of the cluster that has the lock's slot"); },
                .width = {17, 16},
                .givesWay = 8,
                .sortText = &nodeOf,
                .isNews = &areElsewhere,
                .isForClusters = true},
     .text = [](View v) { return std::string(nodeOf(v.record)); },
     .terminal = {.place = 10, .title = "NODE", .usual = ""},
     .filter = {"node", &nodeMatches},
     .json = {"node", [](View v) { return placeJson(v.record, textOrNull(nodeOf(v.record))); }},
     .csv = {"node", [](View v) { return std::string(nodeOf(v.record)); }}},
    {.column = {.column = SlotColumn,
                .title = [] { return KernelText::tr("Slot"); },
                .explanation = [] { return KernelText::tr("The hash slot of the lock's key"); },
                .isNumber = true,
                .width = {6, 6},
                .givesWay = 7,
                .sortNumber = [](Record r) { return sortKeyOf(slotOf(r).value_or(-1)); },
                .isForClusters = true},
     .text = [](View v) { return numberText(slotOf(v.record)); },
     .terminal = {.place = 11, .title = "SLOT", .usual = ""},
     .filter = {"slot", [](Record r) { return slotOf(r); }},
     .json = {"slot", [](View v) { return placeJson(v.record, valueOrNull(slotOf(v.record))); }},
     .csv = {"slot", [](View v) { return numberText(slotOf(v.record)); }}},
});

} // namespace

std::span<const LockField> lockFields()
{
    return kFields;
}

const LockField& lockField(LockColumn column)
{
    static const auto kByColumn = [] {
        std::array<const LockField*, ColumnCount> all{};
        for (const LockField& field : kFields) {
            if (field.hasColumn()) {
                all.at(field.column.column) = &field;
            }
        }
        return all;
    }();
    return *kByColumn.at(column);
}

std::span<const FilterField> lockFilterFields()
{
    static const auto kFilters = [] {
        std::vector<FilterField> all;
        for (const LockField& field : kFields) {
            if (!field.filter.name.empty()) {
                all.push_back(field.filter);
            }
        }
        std::ranges::sort(all, {}, &FilterField::name);
        return all;
    }();
    return kFilters;
}

std::string ownerText(const LockRecord& record)
{
    if (record.holders.size() > 1) {
        return std::to_string(record.holders.size()) + " holders";
    }
    return firstOwner(record).empty() ? "–" : escaped(firstOwner(record));
}

std::string expiresText(const LockRecord& record, Instant now)
{
    return record.expiresAt ? durationText(*record.expiresAt - now) : "never";
}

std::string formatText(const LockRecord& record)
{
    std::string text(record.format());
    if (record.quorum().total > 0) {
        text += ' ' + std::to_string(record.quorum().held) + " of "
                + std::to_string(record.quorum().total);
        text += record.quorum().unknown > 0
                    ? ", " + std::to_string(record.quorum().unknown) + " unknown"
                    : std::string();
    }
    return text;
}

} // namespace lockscope::report
