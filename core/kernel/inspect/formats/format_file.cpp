#include "core/kernel/inspect/formats/format_file.h"

#include "core/kernel/base/kernel_text.h"
#include "core/kernel/inspect/lock_names.h"
#include "core/kernel/protocol/file_section.h"
#include "format_files.h"

#include <algorithm>
#include <array>
#include <functional>
#include <stdexcept>
#include <utility>

namespace lockscope::inspect {

namespace {

using protocol::FileError;
using protocol::FileSection;

template<typename Value, std::size_t Count>
using Words = std::array<std::pair<std::string_view, Value>, Count>;

constexpr Words<Confidence, 3> kConfidences{
    {{"high", Confidence::High}, {"medium", Confidence::Medium}, {"low", Confidence::Low}}};
constexpr Words<FormatFile::Expiry, 2> kExpiries{
    {{"always", FormatFile::Expiry::Always}, {"optional", FormatFile::Expiry::Optional}}};
constexpr Words<FormatFile::TokenOf, 3> kTokens{{{"hold", FormatFile::TokenOf::Hold},
                                                 {"process", FormatFile::TokenOf::Process},
                                                 {"none", FormatFile::TokenOf::None}}};
constexpr Words<FormatFile::Stamp, 2> kStamps{
    {{"acquired", FormatFile::Stamp::Acquired}, {"deadline", FormatFile::Stamp::Deadline}}};
constexpr Words<FormatFile::Kind, 2> kKinds{
    {{"lock", FormatFile::Kind::Lock}, {"job-lease", FormatFile::Kind::JobLease}}};
constexpr Words<Hazard, static_cast<std::size_t>(Hazard::HazardCount)> kHazards{{
    {"blind-delete", Hazard::BlindDelete},
    {"blind-extend", Hazard::BlindExtend},
    {"renewal-recreates", Hazard::RenewalRecreates},
    {"job-runs-again", Hazard::JobRunsAgain},
    {"waiters-sleep", Hazard::WaitersSleep},
    {"part-of-a-set", Hazard::PartOfASet},
}};

template<typename Value, std::size_t Count>
Value valueNamed(const Words<Value, Count>& words, const std::string& word,
                 const FileSection& section, std::string_view member)
{
    const auto* const found = std::ranges::find(words, word,
                                                &std::pair<std::string_view, Value>::first);
    if (found == words.end()) {
        section.fail(member, KernelText::tr("\"%1\" is not known here.", word));
    }
    return found->second;
}

std::vector<TokenPattern> readValues(const FileSection& file)
{
    std::vector<TokenPattern> patterns;
    for (const std::string& text : file.texts("values")) {
        std::string reason;
        std::optional<TokenPattern> pattern = TokenPattern::parse(text, reason);
        if (!pattern) {
            file.fail("values", std::move(reason));
        }
        patterns.push_back(*std::move(pattern));
    }
    if (patterns.empty()) {
        file.fail("values", KernelText::tr("At least one pattern of tokens is needed."));
    }
    return patterns;
}

PushWakeUp readPush(const nlohmann::json& json, const FormatFile& format)
{
    const FileSection section(json, "/push", {"list", "element", "expiry", "trim"});
    PushWakeUp push;
    push.listKey = section.text("list");
    push.element = section.text("element");
    if (section.has("expiry")) {
        push.expiry = section.durationOr("expiry", Duration(0));
    }
    push.isTrimmed = section.flagOr("trim", false);
    if (!std::ranges::all_of(format.keys, &KeyPattern::hasOneStar)) {
        section.fail("list", KernelText::tr("The keys need exactly one star, to name the list."));
    }
    return push;
}

PublishWakeUp readPublish(const nlohmann::json& json, const FormatFile& format)
{
    const FileSection section(json, "/publish", {"channel", "message"});
    PublishWakeUp publish{section.text("channel"), section.text("message")};
    if (!std::ranges::all_of(format.keys, &KeyPattern::hasOneStar)) {
        section.fail("channel",
                     KernelText::tr("The keys need exactly one star, to name the channel."));
    }
    return publish;
}

/// How waiters are woken, and whether it takes one to tell the format.
void readWakeUp(const FileSection& file, FormatFile& format)
{
    if (file.has("push")) {
        format.push = readPush(file.at("push"), format);
    }
    if (file.has("publish")) {
        format.publish = readPublish(file.at("publish"), format);
    }
    format.needsListeners = file.flagOr("needsListeners", false);
    if (format.push && format.publish) {
        file.fail("publish",
                  KernelText::tr("Wake waiters by a push or by a message, not by both."));
    }
    if (format.needsListeners && !format.publish) {
        file.fail("needsListeners",
                  KernelText::tr("Clients listen for a message: \"publish\" has to name it."));
    }
}

FormatFile readFormat(const nlohmann::json& json)
{
    const FileSection file(json, "", {"id",           "library",       "title",          "summary",
                                      "kind",         "keys",          "values",         "expiry",
                                      "confidence",   "needsLockName", "token",          "stamp",
                                      "endsAfter",    "mayVote",       "allOrNothing",   "hazards",
                                      "push",         "publish",       "needsListeners", "renewal",
                                      "ifHolderDies", "waiting"});
    FormatFile format;
    format.id = file.text("id");
    format.library = file.text("library");
    format.title = file.textOr("title", format.library);
    format.summary = file.lines("summary");
    format.kind = valueNamed(kKinds, file.textOr("kind", "lock"), file, "kind");
    for (std::string& glob : file.texts("keys")) {
        format.keys.emplace_back(std::move(glob));
    }
    if (format.keys.empty()) {
        file.fail("keys", KernelText::tr("At least one pattern of keys is needed."));
    }
    format.values = readValues(file);
    format.expiry = valueNamed(kExpiries, file.textOr("expiry", "always"), file, "expiry");
    format.confidence = valueNamed(kConfidences, file.text("confidence"), file, "confidence");
    format.needsLockName = file.flagOr("needsLockName", false);
    format.tokenOf = valueNamed(kTokens, file.textOr("token", "hold"), file, "token");
    format.stamp = valueNamed(kStamps, file.textOr("stamp", "acquired"), file, "stamp");
    if (file.has("endsAfter")) {
        format.endsAfter = file.durationOr("endsAfter", Duration(0));
    }
    format.mayVote = file.flagOr("mayVote", false);
    format.isAllOrNothing = file.flagOr("allOrNothing", false);
    for (const std::string& word : file.texts("hazards")) {
        format.hazards.push_back(valueNamed(kHazards, word, file, "hazards"));
    }
    format.renewal = file.textOr("renewal", {});
    format.ifHolderDies = file.textOr("ifHolderDies", {});
    format.waiting = file.textOr("waiting", {});
    readWakeUp(file, format);
    return format;
}

constexpr std::string_view kSignsOfGlobs = "*?[\\";

/// The longest part of a glob that every text it matches has in it.
std::string longestLiteralIn(std::string_view glob)
{
    std::string_view longest;
    while (!glob.empty()) {
        const std::size_t end = std::min(glob.find_first_of(kSignsOfGlobs), glob.size());
        longest = end > longest.size() ? glob.substr(0, end) : longest;
        if (end == glob.size()) {
            break;
        }
        const std::size_t last = glob[end] == '[' ? glob.find_first_of("]\\", end) : end;
        if (last == std::string_view::npos || glob[last] == '\\') {
            break; // a sign that is quoted: rare, and what was found so far is true
        }
        glob = glob.substr(last + 1);
    }
    return std::string(longest);
}

} // namespace

KeyPattern::KeyPattern(std::string glob)
    : m_glob(std::move(glob)),
      m_prefixLength(std::min(m_glob.find_first_of(kSignsOfGlobs), m_glob.size())),
      m_literal(longestLiteralIn(std::string_view(m_glob).substr(m_prefixLength)))
{}

bool KeyPattern::matches(std::string_view key) const
{
    if (!key.starts_with(prefix())) {
        return false;
    }
    const std::string_view pattern = std::string_view(m_glob).substr(m_prefixLength);
    const std::string_view rest = key.substr(m_prefixLength);
    return pattern == "*"
           || (rest.find(m_literal) != std::string_view::npos && matchesGlob(pattern, rest));
}

bool KeyPattern::hasOneStar() const
{
    const std::size_t star = m_glob.find_first_of(kSignsOfGlobs);
    return star != std::string::npos && m_glob[star] == '*'
           && m_glob.find_first_of(kSignsOfGlobs, star + 1) == std::string::npos;
}

std::string_view KeyPattern::starOf(std::string_view key) const
{
    const std::size_t before = prefix().size();
    const std::size_t after = m_glob.size() - before - 1;
    return key.substr(before, key.size() - before - after);
}

Bytes KeyPattern::withStarOf(std::string_view key, std::string_view text) const
{
    Bytes result(text);
    if (const std::size_t star = result.find('*'); star != Bytes::npos) {
        result.replace(star, 1, starOf(key));
    }
    return result;
}

std::variant<FormatFile, FileError> readFormatFile(std::string_view text)
{
    FormatFile format;
    const std::optional<FileError> error = protocol::readJsonFile(
        text, [&format](const nlohmann::json& json) { format = readFormat(json); });
    if (error) {
        return *error;
    }
    return format;
}

const std::vector<FormatFile>& builtinFormats()
{
    static const std::vector<FormatFile> kFormats = [] {
        std::vector<FormatFile> formats;
        for (const std::string_view text : formats::kAll) {
            auto read = readFormatFile(text);
            if (const auto* const error = std::get_if<FileError>(&read)) {
                throw std::logic_error(protocol::toText(*error)); // a part of the program
            }
            formats.push_back(std::get<FormatFile>(std::move(read)));
        }
        // What goes by a name of its own is more specific than a form that any key may have.
        std::stable_partition(formats.begin(), formats.end(),
                              std::not_fn(&FormatFile::needsLockName));
        return formats;
    }();
    return kFormats;
}

} // namespace lockscope::inspect
