#include "core/kernel/inspect/lock_names.h"

#include "core/kernel/base/characters.h"
#include "core/kernel/inspect/decoder.h"
#include "core/kernel/inspect/formats/format_table.h"
#include "core/kernel/inspect/name_words.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>
#include <utility>

namespace lockscope::inspect {

namespace {

constexpr std::array<std::string_view, 12> kLockWords{"leader",  "leaders",   "leadership",
                                                      "lease",   "leases",    "locked",
                                                      "locker",  "locking",   "lockv",
                                                      "mutexes", "semaphore", "semaphores"};

/// "tasklock" is a lock, "block" is not.
constexpr auto kOtherWordsInLock = std::to_array<std::string_view>(
    {"block",    "clock",    "unlock",   "deadlock", "gridlock",  "livelock",  "hemlock",
     "wedlock",  "padlock",  "warlock",  "airlock",  "interlock", "flintlock", "fetlock",
     "oarlock",  "antilock", "armlock",  "bullock",  "dreadlock", "firelock",  "flock",
     "forelock", "hashlock", "headlock", "hillock",  "matchlock", "matlock",   "picklock",
     "pollock",  "sherlock", "shylock",  "timelock", "wheellock", "wristlock"});

constexpr std::size_t kShortestWord = 3;
constexpr std::size_t kLongestWord = 24;

bool endsIgnoringCase(std::string_view text, std::string_view lowerCaseWord)
{
    return text.size() >= lowerCaseWord.size()
           && equalsIgnoringCase(text.substr(text.size() - lowerCaseWord.size()), lowerCaseWord);
}

bool endsInLock(std::string_view word)
{
    if (endsIgnoringCase(word, "mutex")) {
        return true;
    }
    if (!endsIgnoringCase(word, "lock")) {
        return false;
    }
    if (endsIgnoringCase(word, "synclock")) {
        return true;
    }
    return std::ranges::none_of(kOtherWordsInLock, [word](std::string_view other) {
        return endsIgnoringCase(word, other);
    });
}

/// What a word says about the name it is part of.
enum class WordKind : std::uint8_t { Other, Lock, Laravel };

bool isListedLockWord(std::string_view word)
{
    return std::ranges::any_of(kLockWords, [word](std::string_view known) {
        return equalsIgnoringCase(word, known);
    });
}

WordKind kindOf(std::string_view word)
{
    if (word.size() < kShortestWord || word.size() > kLongestWord) {
        return WordKind::Other;
    }
    bool isLock = false;
    // One look at the last letter spares most words the comparisons.
    switch (word.back() | 0x20) {
    case 'k':
        if (word == "framework") {
            return WordKind::Laravel;
        }
        isLock = endsInLock(word) || equalsIgnoringCase(word, "lck");
        break;
    case 'x': isLock = endsInLock(word) || equalsIgnoringCase(word, "mtx"); break;
    case 's': isLock = endsInLock(word.substr(0, word.size() - 1)) || isListedLockWord(word); break;
    case 'd':
    case 'e':
    case 'g':
    case 'p':
    case 'r':
    case 'v': isLock = isListedLockWord(word); break;
    case 'l': return word == "laravel" ? WordKind::Laravel : WordKind::Other;
    default: break;
    }
    return isLock ? WordKind::Lock : WordKind::Other;
}

/// Lock as soon as one word says so; otherwise Laravel when one of them hints at it.
WordKind kindOfWords(std::string_view key)
{
    WordKind found = WordKind::Other;
    const auto isLock = [&found, key](std::size_t begin, std::size_t end) {
        const WordKind kind = kindOf(key.substr(begin, end - begin));
        found = kind == WordKind::Other ? found : kind;
        return kind == WordKind::Lock;
    };
    forEachWord(key, isLock);
    return found;
}

/// Words for a lock in scripts that do not part words by spaces or capitals: anywhere in a name
/// they say the same, unless one of the words that are spelt alike is meant.
struct ForeignWord {
    std::string_view word;
    // What makes another word of it: unlock, block, the lock of a door, rock music.
    std::array<std::string_view, 13> unlessAfter;
    std::array<std::string_view, 6> unlessBefore;
};
constexpr std::array<ForeignWord, 10> kForeignWords{{
    {"锁",
     {"解", "死", "开", "封", "门", "车", "码", "能", "反", "连", "枷", "纹", "柜"},
     {"屏", "骨", "链", "匙", "芯", "孔"}},
    {"鎖",
     {"解", "死", "開", "封", "門", "車", "碼", "能", "反", "連", "枷", "紋", "櫃"},
     {"屏", "骨", "鏈", "匙", "芯", "孔"}},
    {"互斥", {}, {}},
    {"信号量", {}, {}},
    {"ロック",
     {"ブ", "ク", "アン", "デッド", "シャー", "スマート", "ドア", "オート", "画面", "キー", "パド",
      "チャイルド", "フ"},
     {"画面", "解除", "バンド", "音楽", "フェス", "スター"}},
    {"セマフォ", {}, {}},
    {"잠금", {"화면", "스마트", "도어"}, {"해제", "화면"}},
    {"분산락", {}, {}},
    {"блокировк", {"раз"}, {}},
    {"мьютекс", {}, {}},
}};

/// What stands around one place of such a word makes another word of it.
bool isOtherWord(const ForeignWord& foreign, std::string_view before, std::string_view behind)
{
    return std::ranges::any_of(foreign.unlessAfter,
                               [before](auto other) {
                                   return !other.empty() && before.ends_with(other);
                               })
           || std::ranges::any_of(foreign.unlessBefore, [behind](auto other) {
                  return !other.empty() && behind.starts_with(other);
              });
}

bool hasForeignLockWord(std::string_view key)
{
    const auto isBeyondAscii = [](char c) { return static_cast<unsigned char>(c) >= 0x80; };
    if (std::ranges::none_of(key, isBeyondAscii)) {
        return false;
    }
    return std::ranges::any_of(kForeignWords, [key](const ForeignWord& foreign) {
        for (std::size_t at = key.find(foreign.word); at != std::string_view::npos;
             at = key.find(foreign.word, at + 1)) {
            if (!isOtherWord(foreign, key.substr(0, at), key.substr(at + foreign.word.size()))) {
                return true;
            }
        }
        return false;
    });
}

/// Names that many programs give to locks, and those of libraries whose format is no file.
constexpr std::array<std::string_view, 12> kWidespreadPrefixes{
    // The most widespread ones first: where not all of them can be tracked, these are.
    "lock:",           "redlock:",   "mutex:",      "lock.",        "lock|",         "semaphore:",
    "SEATA_ROW_LOCK_", "SEMAPHORE:", "RedisMutex:", "rueidislock:", "huey.results.", "t:qslock:",
};

/// Laravel puts prefixes of the application before the names of its own locks.
constexpr std::array<std::string_view, 3> kKnownInfixes{
    "framework/schedule-", "laravel-queue-overlap:", "laravel_unique_job:"};

/// How names end that applications put their own names before.
constexpr std::array<std::string_view, 2> kKnownEndings{"_#RL#", "doing_cron"};

bool hasKnownEnding(std::string_view key)
{
    return std::ranges::any_of(kKnownEndings,
                               [key](std::string_view ending) { return key.ends_with(ending); });
}

/// For every byte, whether one of the words begins with it.
constexpr std::array<bool, 256> firstBytesOf(std::span<const std::string_view> words)
{
    std::array<bool, 256> first{};
    for (const std::string_view word : words) {
        first[static_cast<unsigned char>(word.front())] = true;
    }
    return first;
}

/// Most names already differ in the first byte.
bool startsWithAny(std::string_view key, std::span<const std::string_view> prefixes,
                   const std::array<bool, 256>& firstBytes)
{
    return !key.empty() && firstBytes[static_cast<unsigned char>(key.front())]
           && std::ranges::any_of(prefixes, [key](std::string_view prefix) {
                  return key.starts_with(prefix);
              });
}

/// How the keys of the format files are named.
class FormatKeys {
public:
    FormatKeys()
    {
        for (const FormatFile& format : builtinFormats()) {
            for (const KeyPattern& keys : format.keys) {
                if (keys.isName()) {
                    m_patterns.push_back(&keys);
                    m_prefixes.push_back(keys.prefix());
                }
            }
        }
        m_firstBytes = firstBytesOf(m_prefixes);
    }

    std::span<const std::string_view> prefixes() const { return m_prefixes; }
    bool match(std::string_view key) const
    {
        return !key.empty() && m_firstBytes[static_cast<unsigned char>(key.front())]
               && std::ranges::any_of(m_patterns,
                                      [key](const KeyPattern* keys) { return keys->matches(key); });
    }

private:
    std::vector<const KeyPattern*> m_patterns;
    std::vector<std::string_view> m_prefixes;
    std::array<bool, 256> m_firstBytes{};
};

const FormatKeys& formatKeys()
{
    static const FormatKeys kKeys;
    return kKeys;
}

bool isKnownName(std::string_view key)
{
    static constexpr std::array<bool, 256> kFirstBytes = firstBytesOf(kWidespreadPrefixes);
    return startsWithAny(key, kWidespreadPrefixes, kFirstBytes) || formatKeys().match(key);
}

bool hasKnownInfix(std::string_view key)
{
    return std::ranges::any_of(kKnownInfixes, [key](std::string_view infix) {
        return key.find(infix) != std::string_view::npos;
    });
}

/// Keys of libraries that sound like locks and are none. Those beside locks of a format are known
/// to its decoder.
constexpr std::array<std::string_view, 2> kBookkeepingPrefixes{"rq:clean_registries:",
                                                               "symfony_check_support_time"};

bool hasBookkeepingPrefix(std::string_view key)
{
    static constexpr std::array<bool, 256> kFirstBytes = firstBytesOf(kBookkeepingPrefixes);
    return startsWithAny(key, kBookkeepingPrefixes, kFirstBytes);
}

} // namespace

bool isLockWord(std::string_view word)
{
    return kindOf(word) == WordKind::Lock;
}

bool soundsLikeLock(std::string_view key)
{
    const WordKind kind = kindOfWords(key);
    return kind == WordKind::Lock || isKnownName(key) || hasKnownEnding(key)
           || (kind == WordKind::Laravel && hasKnownInfix(key)) || hasForeignLockWord(key);
}

std::span<const std::string_view> knownLockPrefixes()
{
    static const std::vector<std::string_view> kPrefixes = [] {
        std::vector<std::string_view> prefixes(kWidespreadPrefixes.begin(),
                                               kWidespreadPrefixes.end());
        std::ranges::copy_if(formatKeys().prefixes(), std::back_inserter(prefixes),
                             [&prefixes](std::string_view prefix) {
                                 return std::ranges::find(prefixes, prefix) == prefixes.end();
                             });
        return prefixes;
    }();
    return kPrefixes;
}

NameRules::NameRules(std::vector<std::string> userPatterns, FormatTablePtr formats)
    : m_userPatterns(std::move(userPatterns)),
      m_formats(std::move(formats))
{}

bool NameRules::looksLikeLock(std::string_view key) const
{
    return soundsLikeLock(key) || matchesUserPattern(key) || m_formats->namesLock(key);
}

bool NameRules::matchesUserPattern(std::string_view key) const
{
    return std::ranges::any_of(m_userPatterns, [key](const std::string& pattern) {
        return matchesGlob(pattern, key);
    });
}

void NameRules::markIfNamed(LockSnapshot& snapshot) const
{
    snapshot.isNamedByUser = std::ranges::any_of(snapshot.keys, [this](const Observation& seen) {
        return matchesUserPattern(seen.key);
    });
}

bool NameRules::isBookkeeping(std::string_view key) const
{
    if (m_formats->isNoLock(key)) {
        return true;
    }
    return (hasBookkeepingPrefix(key) || isBookkeepingOf(key, m_formats->decoders()))
           && !m_formats->namesLock(key);
}

namespace {

struct ClassMatch {
    bool matches = false;
    std::size_t length = 0; // of the class in the pattern, brackets included
};

/// `pattern` begins with '['. A class that is never closed ends with the pattern.
ClassMatch matchClass(std::string_view pattern, char c)
{
    const auto byte = static_cast<unsigned char>(c);
    std::size_t i = 1;
    const bool isNegated = i < pattern.size() && pattern[i] == '^';
    i += isNegated ? 1 : 0;
    bool isMember = false;
    while (i < pattern.size() && pattern[i] != ']') {
        if (pattern[i] == '\\' && i + 1 < pattern.size()) {
            isMember = isMember || pattern[i + 1] == c;
            i += 2;
        } else if (i + 2 < pattern.size() && pattern[i + 1] == '-') {
            const auto first = static_cast<unsigned char>(pattern[i]);
            const auto last = static_cast<unsigned char>(pattern[i + 2]);
            isMember = isMember || (byte >= std::min(first, last) && byte <= std::max(first, last));
            i += 3;
        } else {
            isMember = isMember || pattern[i] == c;
            ++i;
        }
    }
    return ClassMatch{isMember != isNegated, std::min(i + 1, pattern.size())};
}

/// How much of the pattern one byte of text uses up; 0 when it does not fit. `pattern` does not
/// begin with '*'.
std::size_t matchOne(std::string_view pattern, char c)
{
    switch (pattern.front()) {
    case '?': return 1;
    case '[': {
        const ClassMatch match = matchClass(pattern, c);
        return match.matches ? match.length : 0;
    }
    case '\\':
        if (pattern.size() > 1) {
            return pattern[1] == c ? 2 : 0;
        }
        [[fallthrough]];
    default: return pattern.front() == c ? 1 : 0;
    }
}

} // namespace

bool matchesGlob(std::string_view pattern, std::string_view text)
{
    // Only the latest star ever has to take back what it swallowed, so this is never exponential.
    std::size_t p = 0;
    std::size_t t = 0;
    std::size_t afterStar = std::string_view::npos;
    std::size_t swallowedUpTo = 0;
    while (t < text.size()) {
        if (p < pattern.size() && pattern[p] == '*') {
            afterStar = ++p;
            swallowedUpTo = t;
            continue;
        }
        const std::size_t used = p < pattern.size() ? matchOne(pattern.substr(p), text[t]) : 0;
        if (used > 0) {
            p += used;
            ++t;
        } else if (afterStar != std::string_view::npos) {
            p = afterStar;
            t = ++swallowedUpTo;
        } else {
            return false;
        }
    }
    return pattern.find_first_not_of('*', p) == std::string_view::npos;
}

std::span<const PairRule> builtinPairRules()
{
    // ":r" and ":w" alone say too little: there the rest has to sound like a lock.
    static const std::array<PairRule, 13> kRules{{
        {":read", ":write"},
        {".read", ".write"},
        {"_read", "_write"},
        {"-read", "-write"},
        {"/read", "/write"},
        {":readlock", ":writelock"},
        {":readLock", ":writeLock"},
        {":read-lock", ":write-lock"},
        {":read_lock", ":write_lock"},
        {"-read-lock", "-write-lock"},
        {"_read_lock", "_write_lock"},
        {":rlock", ":wlock"},
        {":r", ":w", true},
    }};
    return kRules;
}

KeyGroup groupOf(std::string_view key, std::span<const PairRule> pairs)
{
    if (std::optional<KeyGroup> group = groupOfFormat(key)) {
        return *std::move(group);
    }
    for (const PairRule& rule : pairs) {
        for (const std::string_view suffix :
             {std::string_view(rule.readSuffix), std::string_view(rule.writeSuffix)}) {
            if (key.size() <= suffix.size() || !key.ends_with(suffix)) {
                continue;
            }
            const Bytes name(key.substr(0, key.size() - suffix.size()));
            if (!rule.needsLockName || soundsLikeLock(name)) {
                return KeyGroup{name, {name + rule.readSuffix, name + rule.writeSuffix}};
            }
        }
    }
    return KeyGroup{Bytes(key), {Bytes(key)}};
}

} // namespace lockscope::inspect
