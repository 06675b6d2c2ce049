#include "report/lock_json.h"

#include "report/csv_text.h"
#include "report/json_text.h"
#include "store/command.h"
#include "store/problem.h"

#include <algorithm>
#include <array>
#include <cstdio>

namespace lockscope::report {

using inspect::Flag;
using inspect::Holder;
using inspect::LockRecord;

namespace {

std::optional<std::int64_t> ttlMs(const std::optional<Instant>& expiresAt, Instant now)
{
    if (!expiresAt) {
        return std::nullopt;
    }
    return std::max<std::int64_t>(0, toMs(*expiresAt - now));
}

/// The holder's own end, or the lock's, unless it is known that this holder has none.
std::optional<std::int64_t> ttlMs(const Holder& holder, const LockRecord& record, Instant now)
{
    const bool mayLastForEver = record.flags.has(Flag::MissingExpiryOfReader);
    const bool hasOwnEnd = holder.expiresAt.has_value() || mayLastForEver;
    return ttlMs(hasOwnEnd ? holder.expiresAt : record.expiresAt, now);
}

std::int64_t seenForMs(const LockRecord& record, Instant now)
{
    return std::max<std::int64_t>(0, toMs(now - record.firstSeen));
}

/// How long it has been held: only known when we saw it being taken.
std::optional<std::int64_t> heldForMs(const LockRecord& record, Instant now)
{
    return record.isTakenWhileWatching ? std::optional(seenForMs(record, now)) : std::nullopt;
}

template<class T>
Json valueOrNull(const std::optional<T>& value)
{
    return value ? Json(*value) : Json(nullptr);
}

Json clientJson(const Holder& holder)
{
    if (!holder.client) {
        return nullptr;
    }
    return Json{{"address", textOrNull(holder.client->address)},
                {"name", textOrNull(holder.client->name)},
                {"how", textOrNull(holder.client->how)}};
}

/// Who holds alone may also write: below the lock the mode only tells readers from writers.
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
                {"ttlMs", valueOrNull(ttlMs(holder, record, now))},
                {"client", clientJson(holder)}};
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
    case inspect::WaiterSource::Queue: return "the queue of the lock";
    case inspect::WaiterSource::Value: return "the lock's own value";
    case inspect::WaiterSource::Channel: // counts listeners of the wake-up channel
    case inspect::WaiterSource::None: break;
    }
    return "PUBSUB NUMSUB";
}

Json waitersJson(const LockRecord& record)
{
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

Json escapedAll(const std::vector<Bytes>& words)
{
    Json array = Json::array();
    for (const Bytes& word : words) {
        array.push_back(escaped(word));
    }
    return array;
}

Json evidenceJson(const inspect::Evidence& evidence)
{
    Json sentences = Json::array();
    for (std::size_t i = 0; i < evidence.count(); ++i) {
        sentences.push_back(evidence.at(i));
    }
    return sentences;
}

Json checkJson(const inspect::ReleaseRecipe::KeyCheck& check,
               const std::optional<std::int64_t>& expiresAtMs)
{
    using Kind = inspect::ReleaseRecipe::KeyCheck::Kind;
    Json json{{"key", escaped(check.key)}};
    if (check.kind == Kind::Value) {
        json["value"] = escaped(check.value);
    } else {
        json[check.kind == Kind::Members ? "members" : "fields"] = escapedAll(check.fields);
    }
    if (!check.fieldValues.empty()) {
        json["fieldValues"] = escapedAll(check.fieldValues);
    }
    json["partOnly"] = check.isPart;
    json["comparesExpiry"] = check.comparesExpiry;
    json["expiresAtMs"] = valueOrNull(expiresAtMs);
    return json;
}

/// Who loses what.
Json endedHoldersJson(const inspect::ReleasePlan& plan)
{
    Json holders = Json::array();
    for (const Holder& holder : plan.holders) {
        holders.push_back(Json{{"owner", textOrNull(holder.owner)},
                               {"mode", inspect::idOf(holder.mode)},
                               {"holds", holder.holds}});
    }
    return holders;
}

Json checksJson(const inspect::ReleasePlan& plan)
{
    Json checks = Json::array();
    for (std::size_t i = 0; i < plan.recipe.checks.size(); ++i) {
        const bool isKnown = i < plan.expiresAtMs.size();
        checks.push_back(checkJson(plan.recipe.checks[i],
                                   isKnown ? plan.expiresAtMs[i] : std::nullopt));
    }
    return checks;
}

Json publishJson(const inspect::ReleaseRecipe& recipe)
{
    if (recipe.channel.empty()) {
        return nullptr;
    }
    return Json{{"channel", escaped(recipe.channel)}, {"payload", escaped(recipe.payload)}};
}

template<class Words>
std::string joined(const Words& words, std::string_view separator)
{
    std::string out;
    for (const auto& word : words) {
        out += out.empty() ? std::string_view() : separator;
        out += word;
    }
    return out;
}

template<class T>
std::string numberText(const std::optional<T>& number)
{
    return number ? std::to_string(*number) : std::string();
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

} // namespace

Json lockJson(const LockRecord& record, std::string_view serverName, int database, Instant now)
{
    Json json{{"server", escaped(serverName)},
              {"db", database},
              {"key", escaped(record.id.name)},
              {"format", textOrNull(record.format)},
              {"library", textOrNull(record.library)},
              {"confidence", inspect::idOf(record.confidence)},
              {"mode", inspect::idOf(record.mode)},
              {"holders", holdersJson(record, now)},
              {"ttlMs", valueOrNull(ttlMs(record.expiresAt, now))},
              {"waiters", waitersJson(record)},
              {"heldForMs", valueOrNull(heldForMs(record, now))},
              {"renewals", record.renewals},
              {"flags", flagIds(record.flags)},
              {"keys", escapedAll(record.keys())},
              {"evidence", evidenceJson(record.evidence)},
              {"seenForMs", seenForMs(record, now)},
              {"acquiredAt", record.acquiredAt ? Json(isoTime(*record.acquiredAt)) : Json(nullptr)},
              {"confirmed", record.isConfirmed}};
    if (record.quorum.total > 0) {
        json["quorum"] = Json{{"held", record.quorum.held},
                              {"total", record.quorum.total},
                              {"unknown", record.quorum.unknown}};
    }
    return json;
}

Json nearMissJson(const inspect::NearMiss& miss, std::string_view serverName, int database,
                  Instant now)
{
    return Json{{"server", escaped(serverName)},
                {"db", database},
                {"key", escaped(miss.key)},
                {"type", inspect::nameOf(miss.type)},
                {"ttlMs", valueOrNull(ttlMs(miss.expiresAt, now))},
                {"why", miss.why}};
}

Json changeJson(const inspect::LockChange& change, WallTime at, std::string_view serverName,
                int database, Instant now)
{
    return Json{{"at", isoTime(at)},
                {"change", inspect::idOf(change.kind)},
                {"lock", lockJson(*change.lock, serverName, database, now)}};
}

Json planJson(const inspect::ReleasePlan& plan)
{
    return Json{{"action", idOf(plan.action)},
                {"key", escaped(plan.lock->id.name)},
                {"owner", textOrNull(plan.owner())},
                {"holders", endedHoldersJson(plan)},
                {"companions", escapedAll(plan.recipe.companions)},
                {"supported", plan.recipe.isSupported},
                {"checks", checksJson(plan)},
                {"capMs", plan.action == inspect::ReleaseAction::CapTtl ? Json(toMs(plan.cap))
                                                                        : Json(nullptr)},
                {"publishes", publishJson(plan.recipe)},
                {"warnings", plan.recipe.warnings},
                {"command", escapedAll(plan.command.words)},
                {"commandText", store::toText(plan.command)}};
}

std::string csvHeader()
{
    return "server,db,key,format,library,confidence,mode,owners,holds,ttlMs,waiters,heldForMs,"
           "seenForMs,"
           "renewals,flags";
}

std::string csvLine(const LockRecord& record, std::string_view serverName, int database,
                    Instant now)
{
    const std::array<std::string, 15> fields{escaped(serverName),
                                             std::to_string(database),
                                             escaped(record.id.name),
                                             std::string(record.format),
                                             std::string(record.library),
                                             std::string(inspect::idOf(record.confidence)),
                                             std::string(inspect::idOf(record.mode)),
                                             ownersText(record),
                                             std::to_string(record.holds()),
                                             numberText(ttlMs(record.expiresAt, now)),
                                             numberText(record.waiters),
                                             numberText(heldForMs(record, now)),
                                             std::to_string(seenForMs(record, now)),
                                             std::to_string(record.renewals),
                                             joined(flagIds(record.flags), ";")};
    std::string line;
    for (const std::string& field : fields) {
        line += (&field == fields.data() ? "" : ",") + csvField(field);
    }
    return line;
}

std::string isoTime(WallTime time)
{
    using namespace std::chrono;
    // Foreign values may hold any number; what four digits of a year cannot say is shown as their
    // limit.
    constexpr WallTime kEarliest = sys_days(year(0) / January / 1);
    constexpr WallTime kLatest = sys_days(year(10000) / January / 1) - milliseconds(1);
    const WallTime shown = std::clamp(time, kEarliest, kLatest);
    const sys_days day = floor<days>(shown);
    const year_month_day date(day);
    const hh_mm_ss<milliseconds> clock(shown - day);
    std::array<char, 64> buffer{};
    std::snprintf(buffer.data(), buffer.size(), "%04d-%02u-%02uT%02d:%02d:%02d.%03dZ",
                  static_cast<int>(date.year()), static_cast<unsigned>(date.month()),
                  static_cast<unsigned>(date.day()), static_cast<int>(clock.hours().count()),
                  static_cast<int>(clock.minutes().count()),
                  static_cast<int>(clock.seconds().count()),
                  static_cast<int>(clock.subseconds().count()));
    return buffer.data();
}

} // namespace lockscope::report
