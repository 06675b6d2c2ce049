#include "app/cli/output/lock_explanation.h"

#include "app/cli/output/format.h" // before a Json that it would shadow
#include "app/cli/output/lock_table.h"
#include "app/cli/output/plan_text.h"
#include "app/cli/session/server_link.h"
#include "core/kernel/diagnosis/diagnosis_text.h"
#include "core/kernel/report/explanation_text.h"
#include "core/kernel/report/lock_fields.h"
#include "core/kernel/report/wording.h"

#include <algorithm>
#include <utility>

namespace lockscope::cli {

using inspect::DecodedLock;
using inspect::Holder;
using inspect::LockRecord;
using inspect::LockSnapshot;
using inspect::Observation;
using report::Json;

namespace {

constexpr std::size_t kShownValueLength = 200;
constexpr std::size_t kLabelWidth = 14;
constexpr std::size_t kLineLength = 96;

std::string section(std::string_view title, const std::string& body)
{
    return body.empty() ? std::string() : '\n' + std::string(title) + '\n' + body;
}

/// Words filled into lines, each behind `indent`.
std::string paragraph(std::string_view text, const std::string& indent)
{
    std::string out;
    std::string line = indent;
    while (!text.empty()) {
        const std::size_t space = std::min(text.find(' '), text.size());
        const std::string_view word = text.substr(0, space);
        if (line.size() > indent.size() && line.size() + 1 + word.size() > kLineLength) {
            out += line + '\n';
            line = indent;
        }
        line += (line.size() > indent.size() ? " " : "") + std::string(word);
        text.remove_prefix(std::min(space + 1, text.size()));
    }
    return line.size() > indent.size() ? out + line + '\n' : out;
}

std::string field(std::string_view label, const std::string& value)
{
    std::string line = "  " + std::string(label);
    line.resize(std::max(line.size() + 2, kLabelWidth), ' ');
    return line + value + '\n';
}

std::string_view typeText(inspect::ValueType type)
{
    using Type = inspect::ValueType;
    switch (type) {
    case Type::None: return "none";
    case Type::String: return "string";
    case Type::Hash: return "hash";
    case Type::List: return "list";
    case Type::Set: return "set";
    case Type::SortedSet: return "zset";
    case Type::Stream: return "stream";
    case Type::Other: break;
    }
    return "other";
}

std::string sizeText(const Observation& seen)
{
    switch (seen.type) {
    case inspect::ValueType::String: return counted(seen.size, "byte", "bytes");
    case inspect::ValueType::Hash: return counted(seen.size, "field", "fields");
    case inspect::ValueType::SortedSet: return counted(seen.size, "member", "members");
    default: return {};
    }
}

std::string holderText(const LockRecord& record, const Holder& holder)
{
    std::string text = holder.owner.empty() ? "not recorded by this format" : escaped(holder.owner);
    if (record.holders.size() > 1) {
        text += " (" + report::modeText(holder.mode) + ')';
    }
    if (holder.holds != 1) {
        text += ", held " + std::to_string(holder.holds) + " times";
    }
    if (holder.client()) {
        const std::string name = holder.client()->name.empty()
                                     ? ""
                                     : " \"" + escaped(holder.client()->name) + '"';
        text += ", client " + escaped(holder.client()->address) + name + " (by "
                + holder.client()->how + ')';
    }
    return text;
}

std::string fieldsText(const LockExplanation& explanation, Instant now)
{
    const LockRecord& record = *explanation.lock;
    std::string text = field("format", report::formatText(record) + " ("
                                           + std::string(inspect::idOf(record.confidence))
                                           + " confidence)");
    if (!record.library().empty()) {
        text += field("library", std::string(record.library()));
    }
    text += field("mode", report::modeText(record.mode));
    for (const Holder& holder : record.holders) {
        text += field("owner", holderText(record, holder));
        if (const auto known = explanation.owners.find(holder.owner)) {
            text += field("who", known->who + " (" + known->how + ')');
        }
    }
    text += field("expires in", report::expiresText(record, now));
    if (record.acquiredAt()) {
        text += field("taken at", report::isoTime(*record.acquiredAt()));
    }
    text += field("waiters", report::waitersInWords(record));
    for (const auto& [label, fact] : explanation.facts) {
        text += field(label, escaped(fact));
    }
    return text;
}

/// The calls that release what else the owners hold.
std::vector<std::string> callsForTheOthers(const LockExplanation& explanation,
                                           const std::vector<store::Endpoint>& endpoints)
{
    std::vector<std::string> calls;
    if (!explanation.lock || !explanation.release) {
        return calls;
    }
    for (const Holder& holder : explanation.lock->holders) {
        const std::vector<Bytes> names = holder.tie()
                                             ? holder.tie()->namesBeside(explanation.lock->id.name)
                                             : std::vector<Bytes>();
        for (const Bytes& name : names) {
            LockRecord other;
            other.id = {explanation.lock->id.server, name};
            LockExplanation ofOther;
            ofOther.release = inspect::ReleasePlan();
            ofOther.release->lock = makeShared<const LockRecord>(std::move(other));
            ofOther.release->holders = {holder};
            calls.push_back(releaseCall(ofOther, endpoints));
        }
    }
    return calls;
}

std::string tiesText(const LockExplanation& explanation,
                     const std::vector<store::Endpoint>& endpoints)
{
    std::string text;
    for (const Holder& holder : explanation.lock->holders) {
        text += paragraph(report::tieSentence(holder, explanation.lock->id.name), "  ");
    }
    const std::vector<std::string> calls = callsForTheOthers(explanation, endpoints);
    text += calls.empty() ? "" : "  To release these as well:\n";
    for (const std::string& call : calls) {
        text += "    " + call + '\n';
    }
    return text;
}

std::string verdictText(const LockExplanation& explanation, Instant now)
{
    const report::Verdict verdict = report::verdictOf(*explanation.lock, now);
    return verdict.headline + '\n' + paragraph(verdict.reason, "  ")
           + paragraph(verdict.doubt, "  ");
}

diagnosis::Diagnosis diagnosisOf(const LockExplanation& explanation, Instant now)
{
    const diagnosis::Observed observed{.record = *explanation.lock,
                                       .decoded = explanation.decodedLocks.empty()
                                                      ? nullptr
                                                      : &explanation.decodedLocks.front(),
                                       .servers = explanation.serverFacts,
                                       .now = now};
    return diagnosis::diagnose(observed);
}

std::string diagnosisText(const diagnosis::Diagnosis& found)
{
    std::string text = paragraph(diagnosis::nothingFoundText(found), "  ");
    int number = 0;
    for (const diagnosis::FindingText& finding : diagnosis::textsOf(found)) {
        text += "  " + std::to_string(++number) + ". " + finding.title + '\n';
        for (const std::string& sentence : {finding.evidence, finding.risk, finding.remedy}) {
            text += paragraph(sentence, "     ");
        }
    }
    for (const std::string& unknown : diagnosis::unknownTexts(found)) {
        text += paragraph("- " + unknown, "  ");
    }
    return text;
}

std::string observationText(const Observation& seen, const std::string& where)
{
    std::string head = "  " + escaped(seen.key) + where + ": ";
    if (!seen.exists()) {
        return head + "no such key\n";
    }
    head += typeText(seen.type);
    const std::string size = sizeText(seen);
    head += (size.empty() ? "" : ", " + size) + ", "
            + (seen.ttl ? "expires in " + report::durationText(*seen.ttl) : "no expiry") + '\n';
    if (!seen.unreadable.empty()) {
        return head + "    could not be read: " + escaped(seen.unreadable) + '\n';
    }
    if (seen.type == inspect::ValueType::String) {
        head += "    \"" + elidedMiddle(escaped(seen.value), kShownValueLength) + "\"\n";
    }
    for (const inspect::HashField& pair : seen.fields) {
        head += "    " + elidedMiddle(escaped(pair.name), kShownValueLength) + " = "
                + elidedMiddle(escaped(pair.value), kShownValueLength) + '\n';
    }
    return seen.isComplete || seen.type != inspect::ValueType::String
               ? head
               : head + "    (only the beginning was read)\n";
}

std::string keysText(const LockExplanation& explanation, const std::vector<std::string>& names)
{
    std::string text;
    for (const LockSnapshot& snapshot : explanation.snapshots) {
        for (const Observation& seen : snapshot.keys) {
            text += observationText(seen, names.size() > 1 ? " on " + names[snapshot.server]
                                                           : std::string());
        }
    }
    return text;
}

std::string evidenceText(const inspect::Evidence& evidence, std::string_view indent)
{
    std::string text;
    for (std::size_t i = 0; i < evidence.count(); ++i) {
        text += std::string(indent) + "- " + std::string(evidence.at(i)) + '\n';
    }
    return text;
}

std::string otherDecodedLocksText(const LockExplanation& explanation)
{
    std::string text;
    for (std::size_t i = 1; i < explanation.decodedLocks.size(); ++i) {
        const DecodedLock& decoded = explanation.decodedLocks[i];
        text += "  " + std::string(decoded.format) + " ("
                + std::string(inspect::idOf(decoded.confidence)) + " confidence)\n"
                + evidenceText(decoded.because, "    ");
    }
    return text;
}

std::string releaseText(const LockExplanation& explanation,
                        const std::vector<store::Endpoint>& endpoints)
{
    std::string text;
    if (explanation.release && explanation.release->needsFormat) {
        text += paragraph("Neither its name nor its value shows that it is a lock. Only if you "
                          "know that it is one:",
                          "  ");
    }
    if (explanation.release) {
        text += "  " + releaseCall(explanation, endpoints) + '\n';
    } else {
        text += "  Locks of this format cannot be released safely.\n";
    }
    for (const std::string& warning : explanation.warnings) {
        text += paragraph(warning, "  ");
    }
    if (explanation.release) {
        text += "  It runs one script, in which nothing can happen between the steps:\n"
                + planText(*explanation.release, "  ");
    }
    return text;
}

std::string setText(const LockExplanation& explanation, const std::vector<std::string>& names,
                    Instant now)
{
    if (explanation.nodes.empty()) {
        return {};
    }
    std::string text = "  " + diagnosis::votesText(*explanation.lock) + '\n';
    for (const diagnosis::SetNode& node : explanation.nodes) {
        text += field(names[node.server], diagnosis::nodeText(node, now));
    }
    return text;
}

Json nodesJson(const LockExplanation& explanation, const std::vector<std::string>& names,
               Instant now)
{
    if (explanation.nodes.empty()) {
        return nullptr;
    }
    Json nodes = Json::array();
    for (const diagnosis::SetNode& node : explanation.nodes) {
        nodes.push_back(diagnosis::nodeJson(node, names[node.server], now));
    }
    return nodes;
}

Json observationJson(const Observation& seen, const std::string& server)
{
    Json json{{"server", server}, {"key", escaped(seen.key)}, {"type", typeText(seen.type)}};
    json["ttlMs"] = seen.ttl ? Json(toMs(*seen.ttl)) : Json(nullptr);
    json["size"] = seen.size;
    json["value"] = seen.type == inspect::ValueType::String ? Json(escaped(seen.value))
                                                            : Json(nullptr);
    Json fields = Json::array();
    for (const inspect::HashField& pair : seen.fields) {
        fields.push_back(Json{{"name", escaped(pair.name)}, {"value", escaped(pair.value)}});
    }
    const bool hasFields = seen.type == inspect::ValueType::Hash
                           || seen.type == inspect::ValueType::SortedSet;
    json["fields"] = hasFields ? std::move(fields) : Json(nullptr);
    json["complete"] = seen.isComplete;
    json["unreadable"] = seen.unreadable.empty() ? Json(nullptr) : Json(escaped(seen.unreadable));
    return json;
}

Json decodedLockJson(const DecodedLock& decoded)
{
    Json evidence = Json::array();
    for (std::size_t i = 0; i < decoded.because.count(); ++i) {
        evidence.push_back(decoded.because.at(i));
    }
    return Json{{"format", decoded.format},
                {"library", decoded.library.empty() ? Json(nullptr) : Json(decoded.library)},
                {"confidence", inspect::idOf(decoded.confidence)},
                {"mode", inspect::idOf(decoded.mode)},
                {"evidence", std::move(evidence)}};
}

Json factsJson(const LockExplanation& explanation)
{
    Json facts = Json::array();
    for (const auto& [label, fact] : explanation.facts) {
        facts.push_back(Json{{"label", label}, {"text", escaped(fact)}});
    }
    return facts;
}

/// Who is behind the owners, in the words of the user.
Json whoJson(const LockExplanation& explanation)
{
    Json who = Json::array();
    for (const Holder& holder : explanation.lock->holders) {
        if (const auto known = explanation.owners.find(holder.owner)) {
            who.push_back(Json{
                {"owner", escaped(holder.owner)}, {"who", known->who}, {"how", known->how}});
        }
    }
    return who;
}

/// Redlock rows are explained by what one of their servers has.
std::optional<report::Explanation> explanationInWords(const LockExplanation& explanation,
                                                      Instant now)
{
    if (!explanation.lock || explanation.snapshots.empty()) {
        return std::nullopt;
    }
    const auto isReleased = [&explanation](const LockSnapshot& snapshot) {
        return explanation.release
               && std::ranges::find(explanation.release->servers, snapshot.server)
                      != explanation.release->servers.end();
    };
    const auto snapshot = std::ranges::find_if(explanation.snapshots, isReleased);
    return report::explain(*explanation.lock,
                           snapshot != explanation.snapshots.end() ? *snapshot
                                                                   : explanation.snapshots.front(),
                           explanation.release ? &*explanation.release : nullptr, now,
                           explanation.formats->recognisers());
}

Json verdictJson(const LockRecord& record, Instant now)
{
    const report::Verdict verdict = report::verdictOf(record, now);
    return Json{{"severity", verdict.severity},
                {"headline", verdict.headline},
                {"reason", verdict.reason},
                {"doubt", verdict.doubt.empty() ? Json(nullptr) : Json(verdict.doubt)}};
}

} // namespace

std::string releaseCall(const LockExplanation& explanation,
                        const std::vector<store::Endpoint>& endpoints)
{
    if (!explanation.release) {
        return {};
    }
    return report::releaseCommandLine(endpoints, *explanation.release);
}

std::string explanationText(const LockExplanation& explanation,
                            const std::vector<store::Endpoint>& endpoints, Instant now)
{
    const std::vector<std::string> names = serverNames(endpoints);
    std::string text = escaped(explanation.name);
    if (!explanation.lock) {
        return text + "\nNot recognised as a lock.\n"
               + section("Keys", keysText(explanation, names));
    }
    text += " on " + serverNameOf(*explanation.lock, names);
    if (const auto& place = explanation.lock->place) {
        text += ", slot " + std::to_string(place->slot)
                + (place->node.empty() ? ", which no node serves" : " on " + place->node);
    }
    const int database = jsonPlaceOf(*explanation.lock, endpoints).database;
    text += database != 0 ? ", database " + std::to_string(database) + "\n" : "\n";
    text += verdictText(explanation, now) + '\n' + fieldsText(explanation, now);
    text += section("Redlock set", setText(explanation, names, now));
    text += section("Why is it stuck?", diagnosisText(diagnosisOf(explanation, now)));
    text += section("Keys", keysText(explanation, names));
    text += section("Recognised by", evidenceText(explanation.lock->evidence(), "  "));
    text += section("Could also be", otherDecodedLocksText(explanation));
    if (const auto inWords = explanationInWords(explanation, now)) {
        text += section("Explained", report::explanationText(*inWords));
    }
    text += section("Locks of the same owner", tiesText(explanation, endpoints));
    return text + section("To release it", releaseText(explanation, endpoints));
}

Json explanationJson(const LockExplanation& explanation,
                     const std::vector<store::Endpoint>& endpoints, Instant now)
{
    const std::vector<std::string> names = serverNames(endpoints);
    Json json;
    json["key"] = escaped(explanation.name);
    const inspect::LockPtr& lock = explanation.lock;
    json["lock"] = nullptr;
    if (lock) {
        const JsonPlace place = jsonPlaceOf(*lock, endpoints);
        json["lock"] = report::lockJson(*lock, place.server, place.database, now);
    }
    json["set"] = nodesJson(explanation, names, now);
    json["verdict"] = lock ? verdictJson(*lock, now) : Json(nullptr);
    json["diagnosis"] = lock ? diagnosis::diagnosisJson(diagnosisOf(explanation, now))
                             : Json(nullptr);
    json["who"] = lock ? whoJson(explanation) : Json(nullptr);
    json["facts"] = factsJson(explanation);
    json["keys"] = Json::array();
    for (const LockSnapshot& snapshot : explanation.snapshots) {
        for (const Observation& seen : snapshot.keys) {
            json["keys"].push_back(observationJson(seen, names[snapshot.server]));
        }
    }
    json["readings"] = Json::array();
    for (const DecodedLock& decoded : explanation.decodedLocks) {
        json["readings"].push_back(decodedLockJson(decoded));
    }
    json["release"] = explanation.release ? report::planJson(*explanation.release) : Json(nullptr);
    json["warnings"] = explanation.warnings;
    const auto inWords = explanationInWords(explanation, now);
    json["explanation"] = inWords ? report::explanationJson(*inWords) : Json(nullptr);
    const std::string call = releaseCall(explanation, endpoints);
    json["releaseCall"] = call.empty() ? Json(nullptr) : Json(call);
    json["releaseCallsOfOthers"] = callsForTheOthers(explanation, endpoints);
    return json;
}

Json explanationsJson(const std::vector<LockExplanation>& explanations,
                      const std::vector<store::Endpoint>& endpoints, Instant now)
{
    Json json = explanationJson(explanations.front(), endpoints, now);
    if (explanations.size() > 1) {
        json["others"] = Json::array();
    }
    for (std::size_t i = 1; i < explanations.size(); ++i) {
        json["others"].push_back(explanationJson(explanations[i], endpoints, now));
    }
    return json;
}

} // namespace lockscope::cli
