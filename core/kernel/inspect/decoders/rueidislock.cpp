#include "core/kernel/base/kernel_text.h"
#include "core/kernel/inspect/decoders/builtin.h"
#include "core/kernel/inspect/decoders/clues.h"

#include <algorithm>
#include <map>

// rueidislock of rueidis 1.0 (Go): `rueidislock:<i>:<name>` with i from 0 to 2, each a string of
// the same 24 random bytes. A client holds the lock while it has two of the three. The holder
// learns of the loss at once, and a waiting client as well, by client-side caching; otherwise they
// look again.
namespace lockscope::inspect::decoders {

namespace rueidislock {

constexpr std::string_view kPrefix = "rueidislock:";
constexpr std::size_t kTokenSize = 24;
constexpr std::size_t kKeyCount = 3; // by default; more are configured with KeyMajority
constexpr std::size_t kMajority = kKeyCount / 2 + 1;

/// More keys than three are only made with another majority; how many, no name tells.
std::optional<KeyGroup> groupOf(std::string_view key)
{
    const std::size_t number = kPrefix.size();
    if (!key.starts_with(kPrefix) || key.size() < number + 3 || key[number + 1] != ':'
        || key[number] < '0' || key[number] > '2') {
        return std::nullopt;
    }
    KeyGroup group;
    for (const char i : {'0', '1', '2'}) {
        group.keys.push_back(Bytes(kPrefix) + i + Bytes(key.substr(number + 1)));
    }
    group.name = group.keys.front();
    return group;
}

bool isToken(const Observation& key)
{
    return isShortString(key) && key.value.size() == kTokenSize && key.ttl
           && std::ranges::any_of(key.value, [](char c) { return c < 0x20 || c == 0x7f; });
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

std::size_t countOf(const LockSnapshot& snapshot, const Bytes& token)
{
    return static_cast<std::size_t>(std::ranges::count(snapshot.keys, token, &Observation::value));
}

std::optional<DecodedLock> read(const LockSnapshot& snapshot)
{
    const bool isNamed = snapshot.main().key.starts_with(kPrefix);
    const Bytes token = isNamed ? tokenOf(snapshot) : Bytes();
    if (token.empty()) {
        return std::nullopt;
    }
    DecodedLock decoded;
    const bool isHeld = snapshot.keys.size() < kKeyCount || countOf(snapshot, token) >= kMajority;
    decoded.confidence = isHeld ? Confidence::High : Confidence::Medium;
    decoded.holders.emplace_back().owner = token;
    decoded.because.add(QT_TRANSLATE_NOOP("KernelText",
                                          "the keys are named as this library names its locks"));
    decoded.because.add(QT_TRANSLATE_NOOP("KernelText", "their value is a token of 24 bytes"));
    if (!isHeld) {
        decoded.because.add(QT_TRANSLATE_NOOP(
            "KernelText", "only a minority of the keys exists: the lock is being taken or given "
                          "back"));
    }
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
    if (snapshot.keys.size() < kKeyCount) {
        recipe.warnings = {
            KernelText::tr("This is one key of a set: the lock is free only when most of its "
                           "keys are released.")};
    }
    return recipe;
}

std::vector<Fact> facts(const LockSnapshot& snapshot, const DecodedLock& decoded)
{
    if (snapshot.keys.size() < kKeyCount) {
        return {};
    }
    return {{QT_TRANSLATE_NOOP("KernelText", "keys that the holder has"),
             KernelText::tr("%1 of %2", countOf(snapshot, decoded.holders.front().owner),
                            snapshot.keys.size())}};
}

std::string meaningOfKey(const LockSnapshot&, const Observation&)
{
    return KernelText::tr("One of three keys: who has the same token in two of them holds the "
                          "lock.");
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
                                 "The lock of rueidislock (Go): three keys with the same token, of "
                                 "which the holder has at least two."),
    .read = rueidislock::read,
    .release = rueidislock::release,
    .facts = rueidislock::facts,
    .groupOf = rueidislock::groupOf,
    .words =
        {
            .renewal = QT_TRANSLATE_NOOP(
                "KernelText", "The holder extends all three every 2.5 s, to 5 s, by default."),
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
