#include "core/kernel/base/kernel_text.h"
#include "core/kernel/inspect/decoders/builtin.h"
#include "core/kernel/inspect/decoders/clues.h"
#include "core/kernel/inspect/decoders/token_shapes.h"

#include <algorithm>

// The semaphore of our own protocol of that name (docs/protocols), and of others that are built the
// same way: a sorted set of the permits that are out, each scored with the instant at which it runs
// out, in milliseconds on the server's clock, or in seconds. The key lives as long as its last
// permit, or for a few leases more.
namespace lockscope::inspect::decoders {

namespace semaphore {

constexpr std::chrono::days kPlausible(365);
constexpr std::chrono::seconds kTolerance(2); // between the end of the last permit and of the key
constexpr int kLeasesMost = 4;                // for as many the key may outlive its last permit

/// The instants of all members, lowest first; nullopt when one of the scores is no instant.
std::optional<std::vector<WallTime>> endsOf(const Observation& key)
{
    std::vector<WallTime> ends;
    for (const HashField& member : key.fields) {
        const std::optional<WallTime> inMs = stampOfMillis(member.value);
        const std::optional<WallTime> end = inMs ? inMs : stampOfSeconds(member.value);
        if (!end || !isNear(*end, key.serverTime, kPlausible)) {
            return std::nullopt;
        }
        ends.push_back(*end);
    }
    return ends;
}

bool endsWithItsLastPermit(const Observation& key, WallTime last)
{
    const std::optional<WallTime> expiry = expiryOf(key);
    return expiry && std::chrono::abs(*expiry - last) <= kTolerance;
}

/// Some leave a margin, so that the permits are still there to be counted: up to a few leases.
bool outlivesItsLastPermit(const Observation& key, WallTime last)
{
    const std::optional<WallTime> expiry = expiryOf(key);
    return expiry && last > key.serverTime && *expiry > last
           && *expiry - key.serverTime <= kLeasesMost * (last - key.serverTime);
}

std::optional<DecodedLock> read(const LockSnapshot& snapshot)
{
    const Observation* key = soleSortedSet(snapshot);
    const auto ends = key && !key->fields.empty() ? endsOf(*key) : std::nullopt;
    if (!ends) {
        return std::nullopt;
    }
    const bool isLockName = isNamedLikeLock(snapshot);
    const bool isTimed = endsWithItsLastPermit(*key, ends->back());
    if (!isLockName && !isTimed) {
        return std::nullopt;
    }
    DecodedLock decoded;
    decoded.mode = Mode::Semaphore;
    for (std::size_t i = 0; i < ends->size(); ++i) {
        if ((*ends)[i] > key->serverTime) {
            Holder& holder = decoded.holders.emplace_back();
            holder.owner = key->fields[i].name;
            holder.mode = Mode::Semaphore;
            holder.expiresAt = key->seenAt + ((*ends)[i] - key->serverTime);
        }
    }
    if (decoded.holders.empty()) {
        return std::nullopt; // all of them have expired; the next client to come removes them
    }
    // Who is present is kept in the same way.
    const bool isBounded = isLockName && outlivesItsLastPermit(*key, ends->back());
    decoded.confidence = isLockName && isTimed ? Confidence::High
                         : isBounded           ? Confidence::Medium
                                               : Confidence::Low;
    decoded.because.add(QT_TRANSLATE_NOOP(
        "KernelText", "the scores of a sorted set are timestamps close to the server's clock"));
    if (isTimed) {
        decoded.because.add(QT_TRANSLATE_NOOP("KernelText",
                                              "the key expires with the last of them"));
    } else if (isBounded) {
        decoded.because.add(QT_TRANSLATE_NOOP("KernelText",
                                              "the key expires some time after the last of them"));
    }
    if (isLockName) {
        decoded.because.add(evidenceOfName(snapshot));
    }
    return decoded;
}

ReleaseRecipe release(const LockSnapshot& snapshot, const DecodedLock& decoded, HolderChoice choice)
{
    ReleaseRecipe recipe;
    recipe.checks.push_back(ownersCheck(snapshot.main(), choice.of(decoded.holders)));
    return recipe;
}

} // namespace semaphore

const Decoder kSemaphore{
    .id = "semaphore",
    .library = "",
    .title = QT_TRANSLATE_NOOP("KernelText", "Semaphore"),
    .summary = QT_TRANSLATE_NOOP(
        "KernelText", "A sorted set of the issued permits; each score is the expiry of a permit."),
    .read = semaphore::read,
    .release = semaphore::release,
};

} // namespace lockscope::inspect::decoders
