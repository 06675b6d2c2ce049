#include "kernel/inspect/capture.h"

#include "support/source_tree.h"

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
    if (name == "zset") {
        return ValueType::SortedSet;
    }
    if (name == "none") {
        return ValueType::None;
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
    for (const json& member : seen.value("members", json::array())) {
        key.fields.push_back(HashField{bytesOf(member.at(0)), bytesOf(member.at(1))});
        key.size = key.fields.size();
    }
    return key;
}

Capture captureOf(const QString& path, const json& document)
{
    Capture capture;
    capture.path = path;
    const WallTime serverTime = wallTimeOfMs(document.at("serverTimeMs").get<std::int64_t>());
    for (const json& seen : document.at("keys")) {
        capture.sighting.keys.push_back(observationOf(seen, serverTime));
    }
    capture.sighting.name = document.contains("name") ? bytesOf(document.at("name"))
                                                      : capture.sighting.keys.at(0).key;
    capture.sighting.isNamedByUser = document.value("namedByUser", false);
    capture.expected = document.at("expect");
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
        captures.push_back(captureOf(root.relativeFilePath(file.fileName()),
                                     json::parse(file.readAll().toStdString())));
    }
    std::ranges::sort(captures, {}, &Capture::path);
    return captures;
}

json describe(const Reading& reading)
{
    json holders = json::array();
    for (const Holder& holder : reading.holders) {
        holders.push_back({{"owner", escaped(holder.owner)},
                           {"mode", idOf(holder.mode)},
                           {"holds", holder.holds}});
    }
    json flags = json::array();
    for (int i = 0; i < static_cast<int>(Flag::FlagCount); ++i) {
        if (reading.flags.has(static_cast<Flag>(i))) {
            flags.push_back(idOf(static_cast<Flag>(i)));
        }
    }
    json words{{"format", reading.format},
               {"library", reading.library},
               {"confidence", idOf(reading.confidence)},
               {"mode", idOf(reading.mode)},
               {"holders", holders},
               {"flags", flags}};
    if (reading.acquiredAt) {
        words["acquiredAtMs"] = toEpochMs(*reading.acquiredAt);
    }
    if (reading.deadline) {
        words["deadlineMs"] = toEpochMs(*reading.deadline);
    }
    if (reading.waiters) {
        words["waiters"] = *reading.waiters;
    }
    if (!reading.waiterChannel.empty()) {
        words["channel"] = escaped(reading.waiterChannel);
    }
    return words;
}

} // namespace lockscope::testing
