#include "core/kernel/inspect/lock_naming.h"

#include "core/kernel/base/characters.h"
#include "core/kernel/inspect/lock_names.h"
#include "core/kernel/inspect/name_words.h"
#include "core/kernel/inspect/naming_words.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <string>

namespace lockscope::inspect {

namespace {

using namespace naming_words;

using Words = std::span<const std::string_view>;

constexpr std::string_view kDigits = "0123456789";
constexpr std::string_view kJoints = "-_";

bool isOneOf(std::string_view word, Words words)
{
    return std::ranges::binary_search(words, word);
}

/// The words of a name in small letters; of a longer one the first.
class NameWords {
public:
    explicit NameWords(std::string_view key) : m_key(lowered(key))
    {
        forEachWord(key, [this](std::size_t begin, std::size_t end) {
            if (end > begin) {
                m_words[m_count++] = std::string_view(m_key).substr(begin, end - begin);
            }
            return m_count == m_words.size();
        });
    }

    std::size_t count() const { return m_count; }
    std::string_view at(std::size_t index) const { return m_words[index]; }
    std::string_view last() const { return m_words[m_count - 1]; }
    std::size_t beginOf(std::size_t index) const
    {
        return static_cast<std::size_t>(at(index).data() - m_key.data());
    }
    std::size_t endOf(std::size_t index) const { return beginOf(index) + at(index).size(); }
    bool hasAny(Words words) const { return hasBetween(0, m_count, words); }
    bool hasBetween(std::size_t begin, std::size_t end, Words words) const
    {
        return std::any_of(m_words.begin() + static_cast<std::ptrdiff_t>(begin),
                           m_words.begin() + static_cast<std::ptrdiff_t>(end),
                           [words](std::string_view word) { return isOneOf(word, words); });
    }
    /// Both are parts of one expression: locked_until, lockedUntil; not lock:until.
    bool areJoined(std::size_t index) const
    {
        return textBehind(index, beginOf(index + 1)).find_first_not_of(kJoints)
               == std::string_view::npos;
    }
    /// Nothing but punctuation is between the two: smart:lock.
    bool areNeighbours(std::size_t index) const
    {
        return textBehind(index, beginOf(index + 1)).find_first_of(kDigits)
               == std::string_view::npos;
    }
    /// The name ends with a word, and not with a number behind it.
    bool isEnd(std::size_t index) const { return endOf(index) == m_key.size(); }
    bool hasNumber() const { return m_key.find_first_of(kDigits) != std::string::npos; }
    std::string_view textBehind(std::size_t index, std::size_t end = std::string_view::npos) const
    {
        const std::size_t begin = endOf(index);
        return std::string_view(m_key).substr(begin, std::min(end, m_key.size()) - begin);
    }

private:
    std::string m_key;
    std::array<std::string_view, 24> m_words{};
    std::size_t m_count = 0;
};

bool isLetter(char c)
{
    return lowered(c) >= 'a' && lowered(c) <= 'z';
}

bool isCapital(char c)
{
    return c >= 'A' && c <= 'Z';
}

/// The characters around `at` that `isOfRun` accepts.
template<class IsOfRun>
std::string_view runAround(std::string_view key, std::size_t at, IsOfRun isOfRun)
{
    std::size_t begin = at;
    std::size_t end = at;
    while (begin > 0 && isOfRun(key[begin - 1])) {
        --begin;
    }
    while (end < key.size() && isOfRun(key[end])) {
        ++end;
    }
    return key.substr(begin, end - begin);
}

/// Capitals, small letters, digits and signs that take turns as nobody would write them.
bool isDrawn(std::string_view run)
{
    constexpr std::size_t kShortest = 16;
    const auto classOf = [](char c) {
        return isDigit(c) ? 0 : isCapital(c) ? 1 : isLetter(c) ? 2 : 3;
    };
    std::size_t turns = 0;
    for (std::size_t i = 1; i < run.size(); ++i) {
        turns += classOf(run[i]) != classOf(run[i - 1]) ? 1 : 0;
    }
    return run.size() >= kShortest && turns * 2 >= run.size() && std::ranges::any_of(run, isDigit)
           && std::ranges::any_of(run, isCapital);
}

/// "cart:x7mtx2Qa91": among the random characters of an id, words come about by chance.
bool isByChance(std::string_view key, std::size_t begin, std::size_t length)
{
    const std::string_view run = runAround(key, begin,
                                           [](char c) { return isDigit(c) || isLetter(c); });
    std::size_t digitGroups = 0;
    for (std::size_t i = 0; i < run.size(); ++i) {
        digitGroups += isDigit(run[i]) && (i == 0 || !isDigit(run[i - 1])) ? 1 : 0;
    }
    constexpr std::size_t kShortWord = 3;
    return digitGroups > 1 || (length <= kShortWord && digitGroups > 0)
           || isDrawn(runAround(key, begin, [](char c) {
                  return isDigit(c) || isLetter(c) || c == '-' || c == '_';
              }));
}

/// A number, a UUID or another id of hexadecimal digits; a network address.
bool isId(std::string_view segment)
{
    constexpr std::size_t kShortestHex = 8;
    const auto isOfHexId = [](char c) {
        return isDigit(c) || (c >= 'a' && c <= 'f') || c == '-' || c == '.' || c == ':';
    };
    return std::ranges::any_of(segment, isDigit)
           && (std::ranges::all_of(segment, isDigit)
               || (segment.size() >= kShortestHex && std::ranges::all_of(segment, isOfHexId)));
}

/// What follows behind the punctuation behind a word; empty where something else does.
std::string_view idBehind(const NameWords& words, std::size_t index)
{
    const std::string_view behind = words.textBehind(index);
    const std::size_t begin = behind.find_first_not_of(":/|.-_");
    return begin == 0 || begin == std::string_view::npos ? std::string_view()
                                                         : behind.substr(begin);
}

/// lock:7:room, but not lock:room:7: what follows speaks of the lock with this number.
bool isNumbered(const NameWords& words, std::size_t index)
{
    const std::string_view behind = idBehind(words, index);
    const std::size_t end = behind.find_first_of(":/|.");
    return end != std::string_view::npos && isId(behind.substr(0, end))
           && std::ranges::any_of(behind.substr(end), isLetter);
}

bool isAttribute(const NameWords& words, std::size_t index)
{
    const std::size_t next = index + 1;
    if (next == words.count()) {
        return false;
    }
    const std::string_view last = words.last();
    const bool isEnd = words.isEnd(words.count() - 1);
    const bool hasNumber = words.textBehind(index).find_first_of(kDigits) != std::string_view::npos;
    return words.hasBetween(next, words.count(), kAttributes)
           || (isEnd && index > 0 && isOneOf(last, kEndingAttributes))
           || (isEnd && hasNumber
               && ((isNumbered(words, index) && isOneOf(last, kEndingAttributes)
                    && !isOneOf(last, kEndingStates))
                   || isOneOf(last, kResources)))
           || (words.areJoined(index) && isOneOf(words.at(next), kEndingAttributes));
}

LockNaming leaderNaming(const NameWords& words, std::size_t index)
{
    if (words.hasAny(kTeams)) {
        return LockNaming::Aside;
    }
    return words.hasNumber() || words.at(index) == "leaders" ? LockNaming::Doubtful
                                                             : LockNaming::Clear;
}

/// A contract, the address of a machine, a password for some time; or what it looks like.
LockNaming leaseNaming(const NameWords& words, std::size_t index)
{
    if (words.hasAny(kLettings) || isNumbered(words, index)) {
        return LockNaming::Aside;
    }
    return isId(idBehind(words, index)) ? LockNaming::Doubtful : LockNaming::Clear;
}

bool isThing(const NameWords& words, std::size_t index)
{
    return index > 0 && isOneOf(words.at(index - 1), kKindsOfThings);
}

/// The word is there for the state of something, for a person who is kept out, or for a thing.
bool isDoubtful(const NameWords& words, std::size_t index)
{
    const bool isLast = words.textBehind(index).empty();
    return isOneOf(words.at(index), kStates) || words.hasBetween(0, index, kSubjects)
           || (!isLast && words.hasBetween(0, index, kRecords)) || words.hasAny(kLockouts)
           || isOneOf(words.last(), kEndingStates) || isNumbered(words, index)
           || (isThing(words, index) && words.areNeighbours(index - 1))
           || (isOneOf(words.at(index), kSemaphores) && words.hasAny(kSignals));
}

/// What the word for a lock at `index` says.
LockNaming namingAt(std::string_view key, const NameWords& words, std::size_t index)
{
    const std::string_view word = words.at(index);
    if ((isThing(words, index) && words.areJoined(index - 1))
        || isByChance(key, words.beginOf(index), word.size()) || isOneOf(word, kLockers)
        || isAttribute(words, index)) {
        return LockNaming::Aside;
    }
    if (isOneOf(word, kLeaders)) {
        return leaderNaming(words, index);
    }
    const LockNaming best = isOneOf(word, kLeases) ? leaseNaming(words, index) : LockNaming::Clear;
    return isDoubtful(words, index) ? std::min(best, LockNaming::Doubtful) : best;
}

LockNaming judged(std::string_view key)
{
    if (!soundsLikeLock(key)) {
        return LockNaming::None;
    }
    const NameWords words(key);
    bool isNamedByWord = false;
    bool isAside = false;
    LockNaming best = LockNaming::None;
    for (std::size_t i = 0; i < words.count(); ++i) {
        if (!isLockWord(words.at(i))) {
            continue;
        }
        isNamedByWord = true;
        const LockNaming naming = namingAt(key, words, i);
        isAside = isAside || naming == LockNaming::Aside;
        best = std::max(best, naming);
    }
    if (!isNamedByWord) {
        return LockNaming::Clear; // as a library names its locks
    }
    return isAside ? std::min(best, LockNaming::Doubtful) : best;
}

} // namespace

LockNaming lockNamingOf(std::string_view key)
{
    // A hundred decoders ask about the same name, one after the other.
    thread_local std::string last;
    thread_local LockNaming naming = LockNaming::None;
    if (key != last || key.empty()) {
        naming = judged(key);
        last = key;
    }
    return naming;
}

} // namespace lockscope::inspect
