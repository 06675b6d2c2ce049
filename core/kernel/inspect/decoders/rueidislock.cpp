#include "core/kernel/base/kernel_text.h"
#include "core/kernel/inspect/decoders/builtin.h"
#include "core/kernel/inspect/decoders/clues.h"
#include "core/kernel/inspect/decoders/token_shapes.h"

#include <algorithm>
#include <map>

// rueidislock of rueidis 1.0 (Go): `<prefix>:<i>:<name>` with i from 0 to 2 * majority - 2, each a
// string of the same 24 random bytes. A client holds the lock while it has the majority of them: by
// default two of three, under the prefix `rueidislock`. The holder learns of the loss at once, and
// a waiting client as well, by client-side caching; otherwise they look again.
namespace lockscope::inspect::decoders {

namespace rueidislock {

constexpr std::string_view kPrefix = "rueidislock:";
constexpr std::size_t kTokenSize = 24;
constexpr std::size_t kUsualKeyCount = 3;
/// Nothing on the server tells how many keys a lock has: as many as a majority of five makes.
constexpr std::size_t kKeyCountMax = 9;

/// The keys that differ from this one in the digit at `number` alone.
KeyGroup groupAround(std::string_view key, std::size_t number)
{
    KeyGroup group;
    for (std::size_t i = 0; i < kKeyCountMax; ++i) {
        Bytes& sibling = group.keys.emplace_back(key);
        sibling[number] = static_cast<char>('0' + i);
    }
    group.name = group.keys.front();
    return group;
}

/// ":7:" at this place, with something before and behind it.
bool isNumberAt(std::string_view key, std::size_t number)
{
    return number > 1 && number + 2 < key.size() && key[number - 1] == ':' && key[number + 1] == ':'
           && key[number] >= '0' && key[number] < static_cast<char>('0' + kKeyCountMax);
}

std::optional<KeyGroup> groupOf(std::string_view key)
{
    if (!key.starts_with(kPrefix) || !isNumberAt(key, kPrefix.size())) {
        return std::nullopt;
    }
    return groupAround(key, kPrefix.size());
}

bool isToken(const Observation& key)
{
    return isShortString(key) && key.value.size() == kTokenSize && key.ttl
           && shapeOf(key.value) == TokenShape::RawBytes;
}

/// With another prefix, any number in the name may be that of the key.
std::vector<KeyGroup> groupsOfSeen(const Observation& key)
{
    std::vector<KeyGroup> groups;
    for (std::size_t i = 0; i < key.key.size() && isToken(key); ++i) {
        if (isNumberAt(key.key, i)) {
            groups.push_back(groupAround(key.key, i));
        }
    }
    return groups;
}

std::size_t countOf(const LockSnapshot& snapshot, const Bytes& token)
{
    return static_cast<std::size_t>(std::ranges::count(snapshot.keys, token, &Observation::value));
}

/// The token that most keys have.
Bytes tokenOf(const LockSnapshot& snapshot)
{
    std::map<Bytes, std::size_t> counts;
    for (const Observation& key : snapshot.keys) {
        if (isToken(key)) {
            ++counts[key.value];
        }
    }
    const auto most = std::ranges::max_element(counts, {},
                                               [](const auto& each) { return each.second; });
    return most == counts.end() ? Bytes() : most->first;
}

/// How many keys the lock has at least: an odd number, and as many as the last one that exists
/// tells.
std::size_t keyCountOf(const LockSnapshot& snapshot)
{
    std::size_t count = kUsualKeyCount;
    for (std::size_t i = 0; i < snapshot.keys.size(); ++i) {
        if (snapshot.keys[i].exists()) {
            count = std::max(count, i + 1);
        }
    }
    return count + (count % 2 == 0 ? 1 : 0);
}

/// One key alone, read as if it had no siblings.
bool isPart(const LockSnapshot& snapshot)
{
    return snapshot.keys.size() < kUsualKeyCount;
}

/// The first key alone is all that a lock without a majority of several has.
bool isHeld(const LockSnapshot& snapshot, const Bytes& token)
{
    const std::size_t count = countOf(snapshot, token);
    const bool isOnlyKey = count == 1 && snapshot.main().value == token
                           && std::ranges::count_if(snapshot.keys, &Observation::exists) == 1;
    return isPart(snapshot) || isOnlyKey || count > keyCountOf(snapshot) / 2;
}

void addEvidence(const LockSnapshot& snapshot, bool isNamed, DecodedLock& decoded)
{
    if (isNamed) {
        decoded.because.add(QT_TRANSLATE_NOOP("KernelText",
                                              "the keys are named as this library names its "
                                              "locks"));
        decoded.because.add(QT_TRANSLATE_NOOP("KernelText", "their value is a token of 24 bytes"));
    } else {
        decoded.because.add(QT_TRANSLATE_NOOP(
            "KernelText", "several keys, numbered as this library numbers those of a lock"));
        decoded.because.add(QT_TRANSLATE_NOOP("KernelText",
                                              "they have the same token of 24 bytes"));
    }
    if (!isHeld(snapshot, decoded.holders.front().owner)) {
        decoded.because.add(QT_TRANSLATE_NOOP(
            "KernelText", "only a minority of the keys exists: the lock is being taken or given "
                          "back"));
    }
}

std::optional<DecodedLock> read(const LockSnapshot& snapshot)
{
    const bool isNamed = snapshot.main().key.starts_with(kPrefix);
    const Bytes token = isNamed || !isPart(snapshot) ? tokenOf(snapshot) : Bytes();
    if (token.empty() || (!isNamed && countOf(snapshot, token) < 2)) {
        return std::nullopt;
    }
    DecodedLock decoded;
    decoded.confidence = isNamed && isHeld(snapshot, token) ? Confidence::High : Confidence::Medium;
    decoded.holders.emplace_back().owner = token;
    addEvidence(snapshot, isNamed, decoded);
    return decoded;
}

/// All keys that the holder has, or none: with two of three left it would still hold the lock.
ReleaseRecipe release(const LockSnapshot& snapshot, const DecodedLock& decoded, HolderChoice)
{
    ReleaseRecipe recipe;
    for (const Observation& key : snapshot.keys) {
        if (key.value == decoded.holders.front().owner) {
            recipe.checks.push_back(valueCheck(key, false));
        }
    }
    if (isPart(snapshot)) {
        recipe.warnings = {
            KernelText::tr("This is one key of a set: the lock is free only when most of its "
                           "keys are released.")};
    }
    return recipe;
}

std::vector<Fact> facts(const LockSnapshot& snapshot, const DecodedLock& decoded)
{
    if (isPart(snapshot)) {
        return {};
    }
    return {{QT_TRANSLATE_NOOP("KernelText", "keys that the holder has"),
             KernelText::tr("%1 of %2", countOf(snapshot, decoded.holders.front().owner),
                            keyCountOf(snapshot))}};
}

std::string meaningOfKey(const LockSnapshot&, const Observation&)
{
    return KernelText::tr("One of several keys: who has the same token in most of them holds "
                          "the lock.");
}

std::string meaningOfPart(const LockSnapshot& snapshot, const Observation&, const HashField& part)
{
    return part.value == tokenOf(snapshot)
               ? KernelText::tr("Its value %1 is the token of the holder.",
                                nameInQuotes(part.value))
               : KernelText::tr("Its value %1 is the token of another client, which has no "
                                "majority.",
                                nameInQuotes(part.value));
}

} // namespace rueidislock

const Decoder kRueidislock{
    .id = "rueidislock",
    .library = "rueidislock",
    .title = "rueidislock",
    .summary = QT_TRANSLATE_NOOP("KernelText",
                                 "The lock of rueidislock (Go): several keys with the same token, "
                                 "three by default, of which the holder has the majority."),
    .read = rueidislock::read,
    .release = rueidislock::release,
    .facts = rueidislock::facts,
    .groupOf = rueidislock::groupOf,
    .groupsOfSeen = rueidislock::groupsOfSeen,
    .words =
        {
            .renewal = QT_TRANSLATE_NOOP(
                "KernelText", "The holder extends all its keys every 2.5 s, to 5 s, by default."),
            .waiting = QT_TRANSLATE_NOOP("KernelText",
                                         "The server itself wakes those who wait: it tells clients "
                                         "with a cache that the key "
                                         "is gone. Without a cache they look again and again. The "
                                         "holder learns of the loss in "
                                         "the same way."),
            .key = rueidislock::meaningOfKey,
            .part = rueidislock::meaningOfPart,
        },
};

} // namespace lockscope::inspect::decoders
