#include "tests/kernel/inspect/capture.h"

#include "tests/support/source_tree.h"

#include <QDir>
#include <QDirIterator>
#include <QFile>

#include <algorithm>
#include <stdexcept>

namespace lockscope::testing {

using nlohmann::json;
using namespace inspect;

namespace {

Bytes bytesOf(const json& text)
{
    const std::optional<Bytes> bytes = unescaped(text.get<std::string>());
    if (!bytes) {
        throw std::runtime_error("malformed escape: " + text.get<std::string>());
    }
    return *bytes;
}

ValueType typeOf(const std::string& name)
{
    if (name == "string") {
        return ValueType::String;
    }
    if (name == "hash") {
        return ValueType::Hash;
    }
    if (name == "list") {
        return ValueType::List;
    }
    if (name == "set") {
        return ValueType::Set;
    }
    if (name == "zset") {
        return ValueType::SortedSet;
    }
    if (name == "none") {
        return ValueType::None;
    }
    if (name == "stream") {
        return ValueType::Stream;
    }
    throw std::runtime_error("unknown type: " + name);
}

Observation observationOf(const json& seen, WallTime serverTime)
{
    Observation key;
    key.key = bytesOf(seen.at("key"));
    key.type = typeOf(seen.at("type"));
    key.isComplete = true;
    key.serverTime = serverTime;
    if (seen.contains("ttlMs")) {
        key.ttl = std::chrono::milliseconds(seen.at("ttlMs").get<std::int64_t>());
    }
    if (seen.contains("value")) {
        key.value = bytesOf(seen.at("value"));
        key.size = key.value.size();
    }
    const json fields = seen.value("fields", json::object());
    for (const auto& [name, value] : fields.items()) {
        key.fields.push_back(HashField{bytesOf(name), bytesOf(value)});
        key.size = key.fields.size();
    }
    for (const json& item : seen.value("items", json::array())) {
        key.fields.push_back(HashField{bytesOf(item), {}});
        key.size = key.fields.size();
    }
    for (const json& member : seen.value("members", json::array())) {
        key.fields.push_back(member.is_string()
                                 ? HashField{bytesOf(member), {}}
                                 : HashField{bytesOf(member.at(0)), bytesOf(member.at(1))});
        key.size = key.fields.size();
    }
    return key;
}

/// Who listened, as the suite recorded it, to the channels that decoders ask about.
void takeListeners(const json& pubsub, LockSnapshot& snapshot)
{
    const ChannelQuestions questions = channelQuestionsOf(snapshot);
    for (const Bytes& channel : questions.channels) {
        const std::string name = escaped(channel);
        snapshot.channels.push_back({channel, pubsub.at("channels").value(name, 0)
                                                  + pubsub.at("shardChannels").value(name, 0)});
    }
    if (questions.asksForPatterns) {
        snapshot.patternCount = pubsub.at("patterns").get<int>();
    }
}

/// All keys but the lock itself stand beside it, and what decoders look for there is read.
void readBesides(const Bytes& lock, LockSnapshot& snapshot)
{
    std::vector<Observation> all = std::move(snapshot.keys);
    const auto main = std::ranges::find(all, lock, &Observation::key);
    if (main == all.end()) {
        throw std::runtime_error("there is no key " + lock);
    }
    snapshot.keys = {*main};
    for (const CompanionKey& wanted : companionsOf(snapshot)) {
        const auto seen = std::ranges::find(all, wanted.key, &Observation::key);
        Observation none;
        none.key = wanted.key;
        snapshot.companions.push_back(seen != all.end() ? *seen : none);
    }
}

Capture captureOf(const QString& path, const json& document)
{
    Capture capture;
    capture.path = path;
    const WallTime serverTime = wallTimeOfMs(document.at("serverTimeMs").get<std::int64_t>());
    for (const json& seen : document.at("keys")) {
        capture.snapshot.keys.push_back(observationOf(seen, serverTime));
    }
    for (const json& seen : document.value("companions", json::array())) {
        capture.snapshot.companions.push_back(observationOf(seen, serverTime));
    }
    capture.snapshot.name = document.contains("name") ? bytesOf(document.at("name"))
                                                      : capture.snapshot.keys.at(0).key;
    if (document.contains("main")) {
        capture.snapshot.name = bytesOf(document.at("main"));
        readBesides(capture.snapshot.name, capture.snapshot);
        takeListeners(document.at("pubsub"), capture.snapshot);
    }
    capture.snapshot.isNamedByUser = document.value("namedByUser", false);
    if (document.contains("treatedAs")) {
        capture.treatments = {{"*", document.at("treatedAs").get<std::string>()}};
    }
    capture.expected = document.at("expect");
    if (document.contains("version")) {
        capture.provenWith = document.at("library").get<std::string>() + ' '
                             + document.at("version").get<std::string>();
    }
    capture.isBookkeeping = document.value("bookkeeping", false);
    return capture;
}

} // namespace

std::vector<Capture> allCaptures()
{
    const QDir root(inSourceTree(QStringLiteral("tests/data")));
    std::vector<Capture> captures;
    QDirIterator files(root.path(), {QStringLiteral("*.json")}, QDir::Files,
                       QDirIterator::Subdirectories);
    while (files.hasNext()) {
        QFile file(files.next());
        if (!file.open(QIODevice::ReadOnly)) {
            throw std::runtime_error("cannot read " + file.fileName().toStdString());
        }
        const json document = json::parse(file.readAll().toStdString());
        // What the interoperation suite recorded is a case as soon as somebody judged it.
        if (document.contains("expect")) {
            captures.push_back(captureOf(root.relativeFilePath(file.fileName()), document));
        }
    }
    std::ranges::sort(captures, {}, &Capture::path);
    return captures;
}

json describe(const DecodedLock& decoded)
{
    json holders = json::array();
    for (const Holder& holder : decoded.holders) {
        holders.push_back({{"owner", escaped(holder.owner)},
                           {"mode", idOf(holder.mode)},
                           {"holds", holder.holds}});
    }
    json flags = json::array();
    for (int i = 0; i < static_cast<int>(Flag::FlagCount); ++i) {
        if (decoded.flags.has(static_cast<Flag>(i))) {
            flags.push_back(idOf(static_cast<Flag>(i)));
        }
    }
    json words{{"format", decoded.format},
               {"library", decoded.library},
               {"confidence", idOf(decoded.confidence)},
               {"mode", idOf(decoded.mode)},
               {"holders", holders},
               {"flags", flags}};
    if (decoded.acquiredAt) {
        words["acquiredAtMs"] = toEpochMs(*decoded.acquiredAt);
    }
    if (decoded.deadline) {
        words["deadlineMs"] = toEpochMs(*decoded.deadline);
    }
    if (decoded.waiters) {
        words["waiters"] = *decoded.waiters;
    }
    if (!decoded.waiterChannel.empty()) {
        words["channel"] = escaped(decoded.waiterChannel);
    }
    return words;
}

} // namespace lockscope::testing
