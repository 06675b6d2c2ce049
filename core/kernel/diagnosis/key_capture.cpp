#include "core/kernel/diagnosis/key_capture.h"

#include "core/kernel/base/characters.h"
#include "core/kernel/base/duration_text.h"
#include "core/kernel/base/kernel_text.h"
#include "core/kernel/base/listed.h"
#include "core/kernel/report/release_call.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <utility>

namespace lockscope::diagnosis {

using report::Json;

namespace {

constexpr std::string_view kOfScript = "lua";
/// What makes another command of SET.
constexpr std::array<std::string_view, 2> kSetConditions{"NX", "XX"};

std::string labelOf(const std::vector<Bytes>& words)
{
    std::string label = escaped(uppered(words.front()));
    if (label == "SET") {
        for (std::size_t i = 3; i < words.size(); ++i) {
            const std::string word = uppered(words[i]);
            label += std::ranges::find(kSetConditions, word) != kSetConditions.end() ? ' ' + word
                                                                                     : "";
        }
    }
    return label;
}

bool has(const std::vector<Bytes>& words, const Bytes& word)
{
    return std::ranges::find(words, word) != words.end();
}

std::uint64_t countOf(const KeyVisitor& visitor)
{
    std::uint64_t sum = 0;
    for (const auto& [label, count] : visitor.commands) {
        sum += count;
    }
    return sum;
}

std::string nameOf(const KeyVisitor& visitor, std::span<const inspect::ClientEntry> clients)
{
    const auto client = std::ranges::find(clients, visitor.client, &inspect::ClientEntry::address);
    return client != clients.end() ? client->name : std::string();
}

std::string_view idOf(CaptureEnd::Kind kind)
{
    switch (kind) {
    case CaptureEnd::Kind::BytesOver: return "bytes";
    case CaptureEnd::Kind::ConnectionLost: return "lost";
    case CaptureEnd::Kind::Stopped: return "stopped";
    case CaptureEnd::Kind::TimeOver: break;
    }
    return "time";
}

std::string endText(const CaptureEnd& end)
{
    switch (end.kind) {
    case CaptureEnd::Kind::BytesOver:
        return KernelText::tr(" It was stopped early, because the server sends so much.");
    case CaptureEnd::Kind::ConnectionLost:
        return KernelText::tr(" It ended early, because the connection was lost.");
    case CaptureEnd::Kind::Stopped: return KernelText::tr(" It was stopped early, as asked.");
    case CaptureEnd::Kind::TimeOver: break;
    }
    return {};
}

std::string visitorText(const KeyVisitor& visitor, const std::string& name)
{
    std::vector<std::string> did;
    for (const auto& [label, count] : visitor.commands) {
        did.push_back(label + " ×" + std::to_string(count));
    }
    std::string text = escaped(visitor.client);
    text += name.empty() ? "" : " (" + escaped(name) + ')';
    text += ": " + listed(did);
    for (const Bytes& owner : visitor.owners) {
        text += "\n    " + KernelText::tr("sent the token of the owner %1", escaped(owner));
    }
    return text + '\n';
}

} // namespace

KeyCapture::KeyCapture(int database, std::vector<Bytes> keys, std::vector<Bytes> owners)
    : m_database(database),
      m_keys(std::move(keys)),
      m_owners(std::move(owners))
{
    std::erase(m_owners, Bytes());
}

/// Names of channels and of further keys have the name of the lock in braces.
bool KeyCapture::isAbout(const MonitorLine& line) const
{
    return std::ranges::any_of(m_keys, [&line](const Bytes& key) {
        const Bytes inBraces = '{' + key + '}';
        return std::ranges::any_of(line.words, [&](const Bytes& word) {
            return word == key || word.find(inBraces) != Bytes::npos;
        });
    });
}

void KeyCapture::take(std::string_view text)
{
    const std::optional<MonitorLine> line = readMonitorLine(text);
    if (!line || line->words.empty() || line->client == kOfScript) {
        return;
    }
    ++m_commandCount;
    if (line->database != m_database || !isAbout(*line)) {
        return;
    }
    KeyVisitor& visitor = m_visitors[line->client];
    visitor.client = line->client;
    ++visitor.commands[labelOf(line->words)];
    for (const Bytes& owner : m_owners) {
        if (has(line->words, owner) && !has(visitor.owners, owner)) {
            visitor.owners.push_back(owner);
        }
    }
}

std::vector<KeyVisitor> KeyCapture::visitors() const
{
    std::vector<KeyVisitor> visitors;
    for (const auto& [client, visitor] : m_visitors) {
        visitors.push_back(visitor);
    }
    std::ranges::stable_sort(visitors, [](const KeyVisitor& a, const KeyVisitor& b) {
        return a.owners.size() != b.owners.size() ? a.owners.size() > b.owners.size()
                                                  : countOf(a) > countOf(b);
    });
    return visitors;
}

std::string captureText(const KeyCapture& capture, const CaptureEnd& end,
                        std::span<const inspect::ClientEntry> clients)
{
    const std::vector<KeyVisitor> visitors = capture.visitors();
    std::string text = KernelText::tr("Listened for %1: %2 commands of all clients, %3 bytes.",
                                      durationText(end.span), capture.commandCount(), end.byteCount)
                       + endText(end) + '\n';
    for (const KeyVisitor& visitor : visitors) {
        text += visitorText(visitor, nameOf(visitor, clients));
    }
    if (visitors.empty()) {
        text += KernelText::tr("No client sent a command about the keys of this lock.") + '\n';
    } else if (visitors.front().owners.empty() && !capture.owners().empty()) {
        text += KernelText::tr("No client sent the token of the owner: it neither renewed nor "
                               "released the lock in this time.")
                + '\n';
    }
    return text;
}

Json captureJson(const KeyCapture& capture, const CaptureEnd& end,
                 std::span<const inspect::ClientEntry> clients)
{
    const auto escapedAll = [](const std::vector<Bytes>& words) {
        Json texts = Json::array();
        for (const Bytes& word : words) {
            texts.push_back(escaped(word));
        }
        return texts;
    };
    Json visitors = Json::array();
    for (const KeyVisitor& visitor : capture.visitors()) {
        const std::string name = nameOf(visitor, clients);
        visitors.push_back({{"address", escaped(visitor.client)},
                            {"name", name.empty() ? Json() : Json(escaped(name))},
                            {"owners", escapedAll(visitor.owners)},
                            {"commands", visitor.commands}});
    }
    return Json{{"end", idOf(end.kind)},
                {"spanMs", std::chrono::duration_cast<std::chrono::milliseconds>(end.span).count()},
                {"bytes", end.byteCount},
                {"commands", capture.commandCount()},
                {"owners", escapedAll(capture.owners())},
                {"clients", std::move(visitors)}};
}

std::string captureCommandLine(std::span<const store::Endpoint> endpoints,
                               const inspect::LockId& id, Duration span)
{
    const auto seconds = std::chrono::ceil<std::chrono::seconds>(span).count();
    std::string line = "lockscope-cli who --for " + std::to_string(seconds) + 's';
    if (!endpoints.empty()) {
        const std::size_t server = id.server < endpoints.size() ? id.server : 0;
        line += " --url " + report::shellQuoted(store::toUrl(endpoints[server]));
    }
    const std::string key = escaped(id.name);
    return line + (key.starts_with('-') ? " -- " : " ") + report::shellQuoted(key);
}

} // namespace lockscope::diagnosis
