#include "core/kernel/inspect/watch/sweep_findings.h"

#include "core/kernel/base/kernel_text.h"
#include "core/kernel/inspect/decoders/clues.h"
#include "core/kernel/inspect/decoders/token_shapes.h"
#include "core/kernel/inspect/limit_problems.h"
#include "core/kernel/inspect/lock_names.h"

#include <algorithm>
#include <functional>
#include <utility>

namespace lockscope::inspect {

using store::Problem;

namespace {

/// A key that became something else between two commands is readable as such soon.
bool isUnread(const Observation& seen)
{
    return !seen.unreadable.empty() && !seen.unreadable.starts_with("WRONGTYPE");
}

/// What an error says before it comes to the single key: "MOVED", "ERR unknown command".
std::string_view gistOf(std::string_view error)
{
    constexpr std::size_t kWordsMax = 6;
    std::size_t end = 0;
    for (std::size_t words = 0; words < kWordsMax && end < error.size(); ++words) {
        const std::size_t next = std::min(error.find(' ', end + 1), error.size());
        const std::string_view word = error.substr(end, next - end);
        if (word.find_first_of("0123456789'\"`") != std::string_view::npos) {
            break;
        }
        end = next;
    }
    return error.substr(0, end);
}

std::string kindOf(const Observation& seen, const Problem& reason)
{
    // Permissions name the user; what is missing is the same for all keys.
    const std::string_view gist = reason.kind == Problem::Kind::NoPermission
                                      ? std::string_view(reason.rule)
                                      : gistOf(seen.unreadable);
    return std::to_string(static_cast<int>(reason.kind)) + ' ' + std::string(seen.refusedCommand)
           + ' ' + std::string(gist);
}

std::string_view whyNotThisString(const Observation& key)
{
    if (!key.isComplete || !decoders::isShortString(key)) {
        return QT_TRANSLATE_NOOP("KernelText", "its value is too long for an owner");
    }
    if (decoders::isFreeConstant(key.value)) {
        return QT_TRANSLATE_NOOP("KernelText", "its value means that the lock is free");
    }
    if (decoders::decimalOf(key.value)) {
        return QT_TRANSLATE_NOOP("KernelText", "its value is a number, like that of a counter");
    }
    if (key.value.starts_with('{') || key.value.starts_with('[')) {
        return QT_TRANSLATE_NOOP("KernelText", "its value is a document that contains no owner");
    }
    return QT_TRANSLATE_NOOP("KernelText", "its value contains no owner");
}

std::string_view whyNot(const Observation& key)
{
    switch (key.type) {
    case ValueType::String: return whyNotThisString(key);
    case ValueType::Hash:
        return QT_TRANSLATE_NOOP("KernelText", "a hash, but not in a known lock format");
    case ValueType::SortedSet:
        return QT_TRANSLATE_NOOP("KernelText", "a sorted set, but not in a known lock format");
    case ValueType::List:
    case ValueType::Set:
    case ValueType::Stream:
        return QT_TRANSLATE_NOOP("KernelText", "no known lock format uses this type");
    case ValueType::Other:
    case ValueType::None: break;
    }
    return QT_TRANSLATE_NOOP("KernelText", "an unknown type");
}

std::string unreadSentence(const UnreadKeys& keys)
{
    const std::string reason = store::explain(keys.reason);
    if (keys.reason.kind == Problem::Kind::NoPermission) {
        return keys.count == 1 ? KernelText::tr("1 key may not be read. %1", reason)
                               : KernelText::tr("%1 keys may not be read. %2", keys.count, reason);
    }
    return keys.count == 1
               ? KernelText::tr("1 key could not be read (%1). %2", keys.command, reason)
               : KernelText::tr("%1 keys could not be read (%2). %3", keys.count, keys.command,
                                reason);
}

} // namespace

void SweepFindings::addSnapshot(const LockSnapshot& snapshot, bool isLock)
{
    bool isAnyUnread = false;
    for (const Observation& seen : snapshot.keys) {
        isAnyUnread = isAnyUnread || isUnread(seen);
        if (isUnread(seen) && isNew(seen.key)) {
            takeUnread(seen);
        }
    }
    if (isLock || isAnyUnread) {
        return;
    }
    std::optional<NearMiss> miss = nearMissOf(snapshot);
    if (!miss || !isNew(miss->key)) {
        return;
    }
    ++m_nearMissCount;
    if (m_nearMisses.size() < kNearMissesMax) {
        m_nearMisses.push_back(std::move(*miss));
    }
}

void SweepFindings::addLongNames(std::uint64_t keyCount)
{
    if (keyCount > 0) {
        UnreadKeys keys;
        keys.reason = namesTooLong();
        keys.command = "SCAN";
        keys.count = keyCount;
        count(std::move(keys), "long names");
    }
}

bool SweepFindings::isNew(const Bytes& key)
{
    return m_counted.insert(std::hash<Bytes>()(key)).second;
}

void SweepFindings::takeUnread(const Observation& seen)
{
    UnreadKeys keys;
    keys.reason = store::problemOfServerError(seen.unreadable, seen.refusedCommand);
    keys.command = seen.refusedCommand;
    keys.count = 1;
    keys.example = seen.key;
    std::string kind = kindOf(seen, keys.reason);
    count(std::move(keys), std::move(kind));
}

void SweepFindings::count(UnreadKeys keys, std::string kind)
{
    const auto known = std::ranges::find(m_unread, kind, &Reason::kind);
    if (known != m_unread.end()) {
        known->keys.count += keys.count;
    } else if (m_unread.size() < kReasonsMax) {
        m_unread.push_back({std::move(kind), std::move(keys)});
    } else {
        m_unread.back().keys.count += keys.count;
    }
}

std::vector<UnreadKeys> SweepFindings::unread() const
{
    std::vector<UnreadKeys> all;
    all.reserve(m_unread.size());
    for (const Reason& reason : m_unread) {
        all.push_back(reason.keys);
    }
    std::ranges::stable_sort(all, std::ranges::greater(), &UnreadKeys::count);
    return all;
}

std::uint64_t SweepFindings::unreadCount() const
{
    std::uint64_t sum = 0;
    for (const Reason& reason : m_unread) {
        sum += reason.keys.count;
    }
    return sum;
}

void SweepFindings::add(const SweepFindings& other)
{
    for (const Reason& reason : other.m_unread) {
        count(reason.keys, reason.kind);
    }
    m_nearMissCount += other.m_nearMissCount;
    for (const NearMiss& miss : other.m_nearMisses) {
        if (m_nearMisses.size() < kNearMissesMax) {
            m_nearMisses.push_back(miss);
        }
    }
}

std::vector<std::string> unreadSentences(const SweepFindings& findings)
{
    std::vector<std::string> sentences;
    for (const UnreadKeys& keys : findings.unread()) {
        sentences.push_back(unreadSentence(keys));
    }
    return sentences;
}

std::optional<Problem> problemOfReading(const LockSnapshot& snapshot)
{
    const auto unread = std::ranges::find_if(snapshot.keys, isUnread);
    if (unread == snapshot.keys.end()) {
        return std::nullopt;
    }
    return store::problemOfServerError(unread->unreadable, unread->refusedCommand);
}

std::optional<NearMiss> nearMissOf(const LockSnapshot& snapshot)
{
    for (const Observation& key : snapshot.keys) {
        const bool soundsLike = soundsLikeLock(key.key) || soundsLikeLock(snapshot.name);
        if (!key.exists() || !soundsLike) {
            continue;
        }
        NearMiss miss;
        miss.key = key.key;
        miss.type = key.type;
        miss.why = whyNot(key);
        if (key.ttl) {
            miss.expiresAt = key.seenAt + *key.ttl;
        }
        return miss;
    }
    return std::nullopt;
}

} // namespace lockscope::inspect
