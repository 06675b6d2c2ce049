#include "core/kernel/inspect/lock_naming.h"

#include "core/kernel/base/characters.h"
#include "core/kernel/inspect/lock_names.h"
#include "core/kernel/inspect/name_words.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>

namespace lockscope::inspect {

namespace {

using Words = std::span<const std::string_view>;

bool isOneOf(std::string_view word, Words words)
{
    return std::ranges::any_of(words, [word](std::string_view known) {
        return equalsIgnoringCase(word, known);
    });
}

/// A lock of this kind is a thing, a file or a button.
constexpr auto kKindsOfThings = std::to_array<std::string_view>(
    {"activation", "age",    "bike",   "bootloader", "bun",    "cabinet", "caps",       "car",
     "cargo",      "child",  "combi",  "composer",   "door",   "flake",   "gate",       "gem",
     "gemfile",    "helm",   "keypad", "mix",        "npm",    "num",     "optimistic", "package",
     "parental",   "pin",    "pip",    "pipfile",    "pnpm",   "pod",     "podfile",    "poetry",
     "pointer",    "region", "safe",   "screen",     "scroll", "sim",     "smart",      "steering",
     "terraform",  "uv",     "wake",   "wheel",      "window", "yarn"});

/// Behind a word for a lock: what is known about locks, attempts, expiries.
constexpr auto kAttributes = std::to_array<std::string_view>(
    {"attempt", "attempts", "battery", "board", "checksum", "count", "counter", "expires", "failed",
     "failures", "firmware", "presence", "reason", "retries", "sha", "since", "telemetry", "tries",
     "until"});

/// The same, but only where they end the name or are part of one expression: locked_at,
/// lock-status:7. Elsewhere they name what is locked.
constexpr auto kEndingAttributes = std::to_array<std::string_view>(
    {"access",   "amount",      "at",       "audit",   "balance",     "by",      "clicks",
     "code",     "codes",       "color",    "config",  "description", "digest",  "duration",
     "enabled",  "expiry",      "flag",     "hash",    "history",     "hits",    "icon",
     "id",       "ids",         "image",    "label",   "lang",        "locale",  "log",
     "logs",     "meta",        "metadata", "metrics", "mode",        "monthly", "online",
     "password", "period",      "pin",      "price",   "rank",        "rssi",    "score",
     "screen",   "seen",        "settings", "stat",    "state",       "states",  "stats",
     "status",   "temperature", "theme",    "timeout", "title",       "token",   "tokens",
     "version",  "views",       "votes"});

/// At the end of lock:7:state, although it may name what is locked.
constexpr auto kEndingStates = std::to_array<std::string_view>({"mode", "online", "state", "states",
                                                                "status"});

/// Before the word: whom or what it is a state of.
constexpr auto kSubjects = std::to_array<std::string_view>(
    {"account",     "accounts",     "admin",    "auth",      "bike",     "button",
     "car",         "config",       "customer", "customers", "device",   "devices",
     "dictionary",  "door",         "doors",    "email",     "employee", "feature",
     "features",    "flag",         "flags",    "gate",      "home",     "icon",
     "iot",         "label",        "lang",     "locale",    "locales",  "login",
     "member",      "members",      "menu",     "option",    "options",  "password",
     "permission",  "permissions",  "person",   "phone",     "pref",     "preference",
     "preferences", "prefs",        "profile",  "profiles",  "railway",  "search",
     "sensor",      "setting",      "settings", "signin",    "student",  "suggest",
     "switch",      "tablet",       "tag",      "toggle",    "toggles",  "traffic",
     "translation", "translations", "ui",       "user",      "users",    "vehicle",
     "word"});

/// Whose leader is a person.
constexpr auto kTeams = std::to_array<std::string_view>(
    {"alliance",     "class",  "clan",    "club",  "company", "crew",  "department", "dept",
     "faction",      "family", "game",    "group", "guild",   "house", "league",     "org",
     "organization", "party",  "project", "raid",  "squad",   "team",  "teams",      "tribe"});

/// With these anywhere in its name, a lock keeps a person out.
constexpr auto kLockouts = std::to_array<std::string_view>({"bruteforce", "captcha", "login", "otp",
                                                            "password", "signin", "sms"});

constexpr auto kLeaders = std::to_array<std::string_view>({"leader", "leaders", "leadership"});
constexpr auto kLeases = std::to_array<std::string_view>({"lease", "leases"});
constexpr auto kLettings = std::to_array<std::string_view>(
    {"apartment", "car", "contract", "dhcp", "equipment", "flat", "landlord", "lessee", "office",
     "property", "rent", "rental", "tenancy", "tenant", "unit", "vehicle"});
constexpr auto kLockers = std::to_array<std::string_view>({"locker", "lockers"});
constexpr auto kStates = std::to_array<std::string_view>({"locked", "locking"});

/// The words of a name; of a longer one the first.
class NameWords {
public:
    explicit NameWords(std::string_view key) : m_key(key)
    {
        forEachWord(key, [this](std::size_t begin, std::size_t end) {
            if (end > begin) {
                m_words[m_count++] = m_key.substr(begin, end - begin);
            }
            return m_count == m_words.size();
        });
    }

    std::size_t count() const { return m_count; }
    std::string_view at(std::size_t index) const { return m_words[index]; }
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
        const char* const end = m_words[index].data() + m_words[index].size();
        const auto between =
            std::string_view(end, static_cast<std::size_t>(m_words[index + 1].data() - end));
        return between.find_first_not_of("-_") == std::string_view::npos;
    }

private:
    std::string_view m_key;
    std::array<std::string_view, 24> m_words{};
    std::size_t m_count = 0;
};

bool isDigit(char c)
{
    return c >= '0' && c <= '9';
}

/// "cart:x7mtx2Qa91": among the random characters of an id, words come about by chance.
bool isByChance(std::string_view key, std::string_view word)
{
    const auto isOfRun = [](char c) {
        return isDigit(c) || (lowered(c) >= 'a' && lowered(c) <= 'z');
    };
    auto begin = static_cast<std::size_t>(word.data() - key.data());
    std::size_t end = begin + word.size();
    while (begin > 0 && isOfRun(key[begin - 1])) {
        --begin;
    }
    while (end < key.size() && isOfRun(key[end])) {
        ++end;
    }
    std::size_t digitGroups = 0;
    for (std::size_t i = begin; i < end; ++i) {
        digitGroups += isDigit(key[i]) && (i == begin || !isDigit(key[i - 1])) ? 1 : 0;
    }
    constexpr std::size_t kShortWord = 3;
    return digitGroups > 1 || (word.size() <= kShortWord && digitGroups > 0);
}

bool isAttribute(const NameWords& words, std::size_t index)
{
    const std::size_t next = index + 1;
    if (next == words.count()) {
        return false;
    }
    return words.hasBetween(next, words.count(), kAttributes)
           || (index > 0 && isOneOf(words.at(words.count() - 1), kEndingAttributes))
           || (words.areJoined(index) && isOneOf(words.at(next), kEndingAttributes));
}

LockNaming leaderNaming(std::string_view key, const NameWords& words)
{
    if (words.hasAny(kTeams)) {
        return LockNaming::Aside;
    }
    const bool hasDigit = key.find_first_of("0123456789") != std::string_view::npos;
    return hasDigit ? LockNaming::Doubtful : LockNaming::Clear;
}

/// What the word for a lock at `index` says.
LockNaming namingAt(std::string_view key, const NameWords& words, std::size_t index)
{
    const std::string_view word = words.at(index);
    const bool isThing = index > 0 && isOneOf(words.at(index - 1), kKindsOfThings)
                         && words.areJoined(index - 1);
    if (isThing || isByChance(key, word) || isOneOf(word, kLockers) || isAttribute(words, index)
        || (isOneOf(word, kLeases) && words.hasAny(kLettings))) {
        return LockNaming::Aside;
    }
    if (isOneOf(word, kLeaders)) {
        return leaderNaming(key, words);
    }
    const bool isState = isOneOf(word, kStates) || words.hasBetween(0, index, kSubjects)
                         || words.hasAny(kLockouts)
                         || isOneOf(words.at(words.count() - 1), kEndingStates);
    return isState ? LockNaming::Doubtful : LockNaming::Clear;
}

} // namespace

LockNaming lockNamingOf(std::string_view key)
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

} // namespace lockscope::inspect
