#include "core/kernel/protocol/own_step.h"

#include "core/kernel/base/kernel_text.h"
#include "core/kernel/store/script.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

namespace lockscope::protocol {

namespace {

constexpr std::array<std::pair<std::string_view, Blank>, 7> kBlanks{{
    {"key", Blank::Key},
    {"token", Blank::Token},
    {"leaseMs", Blank::LeaseMs},
    {"nowMs", Blank::NowMs},
    {"clientId", Blank::ClientId},
    {"count", Blank::Count},
    {"holds", Blank::Holds},
}};

Bytes filled(Blank blank, const Filling& filling)
{
    switch (blank) {
    case Blank::Key: return filling.key;
    case Blank::Token: return filling.token;
    case Blank::LeaseMs: return std::to_string(toMs(filling.lease));
    case Blank::NowMs: return std::to_string(toEpochMs(filling.now));
    case Blank::ClientId: return filling.clientId;
    case Blank::Count: return std::to_string(filling.permits);
    case Blank::Holds: return std::to_string(filling.holds);
    }
    return {};
}

/// The first element of a list, or the answer itself.
const store::Reply* partAt(const store::Reply& reply, std::size_t position)
{
    const store::Reply::Array* const parts = reply.array();
    if (parts == nullptr) {
        return position == 0 ? &reply : nullptr;
    }
    return position < parts->size() ? &(*parts)[position] : nullptr;
}

std::optional<AnswerValue> valueOf(const store::Reply* reply)
{
    if (reply == nullptr) {
        return std::nullopt;
    }
    if (reply->isNil()) {
        return AnswerValue();
    }
    if (const auto number = reply->integer()) {
        return AnswerValue(*number);
    }
    return reply->text() != nullptr ? std::optional<AnswerValue>(*reply->text()) : std::nullopt;
}

void appendText(Word& word, std::string_view text)
{
    if (word.empty() || !std::holds_alternative<std::string>(word.back())) {
        word.emplace_back(std::string());
    }
    std::get<std::string>(word.back()) += text;
}

} // namespace

std::optional<Blank> blankNamed(std::string_view name)
{
    const auto* const found = std::find_if(kBlanks.begin(), kBlanks.end(),
                                           [name](const auto& entry) {
                                               return entry.first == name;
                                           });
    return found != kBlanks.end() ? std::optional(found->second) : std::nullopt;
}

std::variant<Word, std::string> readWord(std::string_view text)
{
    Word word;
    while (!text.empty()) {
        if (text.starts_with("{{") || text.starts_with("}}")) {
            appendText(word, text.substr(0, 1));
            text.remove_prefix(2);
        } else if (text.front() == '}') {
            return KernelText::tr("Unmatched closing brace; write }} for a literal brace.");
        } else if (text.front() == '{') {
            const std::size_t end = text.find('}');
            if (end == std::string_view::npos) {
                return KernelText::tr("A brace is not closed; write {{ for a literal brace.");
            }
            const std::string_view name = text.substr(1, end - 1);
            const auto blank = blankNamed(name);
            if (!blank) {
                return KernelText::tr(
                    "Unknown placeholder {%1}; the placeholders are {key}, {token}, "
                    "{leaseMs}, {nowMs}, {clientId}, {count} and {holds}.",
                    name);
            }
            word.emplace_back(*blank);
            text.remove_prefix(end + 1);
        } else {
            const std::size_t length = std::min(text.find_first_of("{}"), text.size());
            appendText(word, text.substr(0, length));
            text.remove_prefix(length);
        }
    }
    return word;
}

std::optional<Meaning> OwnStep::meaningOf(const store::Reply& reply) const
{
    const std::optional<AnswerValue> value = valueOf(partAt(reply, 0));
    std::optional<Meaning> otherwise;
    for (const AnswerRule& rule : answers) {
        if (!rule.value) {
            otherwise = rule.meaning;
        } else if (value && *rule.value == *value) {
            return rule.meaning;
        }
    }
    return otherwise;
}

std::optional<std::int64_t> numberAt(const store::Reply& reply, std::optional<int> position)
{
    const store::Reply* const part = position ? partAt(reply, static_cast<std::size_t>(*position))
                                              : nullptr;
    const std::string* const text = part != nullptr ? part->text() : nullptr;
    if (text == nullptr) {
        return part != nullptr ? part->integer() : std::nullopt;
    }
    std::int64_t number = 0;
    const char* const end = text->data() + text->size();
    const auto [rest, error] = std::from_chars(text->data(), end, number);
    return error == std::errc() && rest == end ? std::optional(number) : std::nullopt;
}

Bytes filled(const Word& word, const Filling& filling)
{
    Bytes text;
    for (const BlankOrText& part : word) {
        const auto* const blank = std::get_if<Blank>(&part);
        text += blank != nullptr ? filled(*blank, filling) : std::get<std::string>(part);
    }
    return text;
}

std::vector<Bytes> filled(const std::vector<Word>& words, const Filling& filling)
{
    std::vector<Bytes> texts;
    texts.reserve(words.size());
    for (const Word& word : words) {
        texts.push_back(filled(word, filling));
    }
    return texts;
}

Filling fillingFor(const Contender& self, const Grant& grant)
{
    Filling filling;
    filling.key = grant.request.key;
    filling.token = grant.token;
    filling.lease = grant.request.lease;
    filling.now = self.clock().wallNow();
    filling.clientId = self.identity().owner();
    filling.permits = grant.request.permits;
    filling.holds = grant.holds;
    return filling;
}

async::Task<store::Outcome> runOwnStep(Contender& self, const OwnStep& step, Grant grant)
{
    const store::Script script{"own", step.script, {}};
    const Filling filling = fillingFor(self, grant);
    return store::runScript(self.node().commands, script, filled(step.keys, filling),
                            filled(step.arguments, filling));
}

} // namespace lockscope::protocol
