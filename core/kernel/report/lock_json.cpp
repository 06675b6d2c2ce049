#include "core/kernel/report/lock_json.h"

#include "core/kernel/report/csv_text.h"
#include "core/kernel/report/json_text.h"
#include "core/kernel/report/lock_fields.h"
#include "core/kernel/report/release_steps.h"
#include "core/kernel/report/wording.h"
#include "core/kernel/store/command.h"
#include "core/kernel/store/problem.h"

#include <algorithm>
#include <array>
#include <cstdio>

namespace lockscope::report {

using inspect::Holder;

namespace {

std::string csvText(const Json& value)
{
    if (value.is_string()) {
        return value.get<std::string>();
    }
    return value.is_null() ? std::string() : value.dump();
}

Json checkJson(const inspect::ReleaseRecipe::KeyCheck& check,
               const std::optional<std::int64_t>& expiresAtMs)
{
    using Kind = inspect::ReleaseRecipe::KeyCheck::Kind;
    Json json{{"key", escaped(check.key)}};
    if (check.kind == Kind::Value) {
        json["value"] = escaped(check.value);
    } else {
        json[check.kind == Kind::Fields ? "fields" : "members"] = escapedAll(check.fields);
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

} // namespace

Json lockJson(const inspect::LockRecord& record, std::string_view serverName, int database,
              Instant now)
{
    Json json;
    for (const LockField& field : lockFields()) {
        if (field.json.value == nullptr) {
            continue;
        }
        Json member = field.json.value({record, serverName, database, now});
        if (!member.is_discarded()) {
            json[std::string(field.json.name)] = std::move(member);
        }
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
                {"ttlMs", valueOrNull(remainingMs(miss.expiresAt, now))},
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
                {"ofMinority", plan.isOfMinority},
                {"checks", checksJson(plan)},
                {"capMs", plan.action == inspect::ReleaseAction::Release ? Json(nullptr)
                                                                         : Json(toMs(plan.cap))},
                {"tombstone", textOrNull(plan.tombstone)},
                {"publishes", publishJson(plan.recipe)},
                {"warnings", plan.recipe.warnings},
                {"steps", releaseSteps(plan)},
                {"command", escapedAll(plan.command.words)},
                {"commandText", store::toText(plan.command)}};
}

Json votesJson(const inspect::ReleaseReport& report)
{
    if (!report.votesLeft) {
        return nullptr;
    }
    return Json{{"held", report.votesLeft->held},
                {"total", report.votesLeft->total},
                {"unknown", report.votesLeft->unknown},
                {"sentence", votesSentence(report)}};
}

std::string csvHeader()
{
    std::string line;
    for (const LockField& field : lockFields()) {
        if (!field.csvName().empty()) {
            line += (line.empty() ? "" : ",") + std::string(field.csvName());
        }
    }
    return line;
}

std::string csvLine(const inspect::LockRecord& record, std::string_view serverName, int database,
                    Instant now)
{
    const LockView view{record, serverName, database, now};
    std::string line;
    for (const LockField& field : lockFields()) {
        if (!field.csvName().empty()) {
            line += (&field == lockFields().data() ? "" : ",")
                    + csvField(field.json.isInCsv ? csvText(field.json.value(view))
                                                  : field.csv.text(view));
        }
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
