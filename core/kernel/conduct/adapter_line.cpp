#include "core/kernel/conduct/adapter_line.h"

#include "core/kernel/base/kernel_text.h"

#include <array>
#include <charconv>

namespace lockscope::conduct {

namespace {

constexpr std::array<std::string_view, static_cast<std::size_t>(Word::WordCount)> kWords{
    "acquire", "release", "extend", "held", "interrupt", "cancel", "reset"};

/// The next word, which is taken off the text.
std::string_view takeWord(std::string_view& text)
{
    const auto isBlank = [](char c) { return c == ' ' || c == '\t' || c == '\r'; };
    while (!text.empty() && isBlank(text.front())) {
        text.remove_prefix(1);
    }
    std::size_t size = 0;
    while (size < text.size() && !isBlank(text[size])) {
        ++size;
    }
    const std::string_view word = text.substr(0, size);
    text.remove_prefix(size);
    return word;
}

Vocabulary vocabularyIn(std::string_view text)
{
    Vocabulary known;
    for (auto id = takeWord(text); !id.empty(); id = takeWord(text)) {
        if (const auto word = wordOf(id)) {
            known.add(*word);
        }
        known.knowsReaders = known.knowsReaders || id == "read";
        known.knowsThreads = known.knowsThreads || id == "threads";
        known.isReentrant = known.isReentrant || id == "reentrant";
        known.isFair = known.isFair || id == "fair";
        known.hasNoLease = known.hasNoLease || id == "no-lease";
    }
    return known;
}

std::optional<std::int64_t> numberIn(std::string_view word)
{
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
    const bool isNumber = error == std::errc() && end == word.data() + word.size();
    return isNumber ? std::optional(number) : std::nullopt;
}

std::optional<Answer> answerIn(std::string_view text)
{
    const std::string_view word = takeWord(text);
    if (word == "error") {
        return Answer{Answer::Kind::Error, std::string(text.substr(text.empty() ? 0 : 1)), {}};
    }
    Answer answer;
    const std::string_view next = takeWord(text);
    if (word == "yes") {
        answer.kind = Answer::Kind::Yes;
        answer.fence = numberIn(next);
    } else if (word != "no") {
        return std::nullopt;
    }
    const bool isWhole = (next.empty() || answer.fence) && takeWord(text).empty();
    return isWhole ? std::optional(answer) : std::nullopt;
}

} // namespace

std::string_view idOf(Word word)
{
    return kWords.at(static_cast<std::size_t>(word));
}

std::optional<Word> wordOf(std::string_view id)
{
    for (std::size_t i = 0; i < kWords.size(); ++i) {
        if (kWords.at(i) == id) {
            return static_cast<Word>(i);
        }
    }
    return std::nullopt;
}

std::string describe(const Answer& answer)
{
    switch (answer.kind) {
    case Answer::Kind::Yes:
        return answer.fence ? KernelText::tr("yes, with the number %1", *answer.fence)
                            : KernelText::tr("yes");
    case Answer::Kind::No: return KernelText::tr("no");
    case Answer::Kind::Error: break;
    }
    return answer.text.empty() ? KernelText::tr("an error")
                               : KernelText::tr("an error (%1)", answer.text);
}

AdapterLine readAdapterLine(std::string_view line)
{
    AdapterLine read;
    std::string_view rest = line;
    const std::string_view first = takeWord(rest);
    if (first == "ready") {
        read.kind = AdapterLine::Kind::Ready;
        read.vocabulary = vocabularyIn(rest);
        return read;
    }
    if (first == "lost") {
        read.thread = takeWord(rest);
        read.key = takeWord(rest);
        read.kind = read.key.empty() ? AdapterLine::Kind::Strange : AdapterLine::Kind::Lost;
        return read;
    }
    if (const auto answer = answerIn(rest); answer && !first.empty()) {
        read.kind = AdapterLine::Kind::Answer;
        read.thread = first;
        read.answer = *answer;
    }
    return read;
}

std::string adapterLine(Word word, std::string_view thread, const std::vector<std::string>& keys,
                        bool isRead)
{
    std::string line(idOf(word));
    line.append(" ").append(thread);
    for (const std::string& key : keys) {
        line.append(" ").append(key);
    }
    return isRead ? line + " read" : line;
}

} // namespace lockscope::conduct
