#include "core/kernel/base/kernel_text.h"
#include "core/kernel/inspect/decoders/builtin.h"
#include "core/kernel/inspect/decoders/clues.h"
#include "core/kernel/inspect/decoders/distributed_lock_id.h"

#include <algorithm>

// The semaphore of DistributedLock.Redis 2.8 (.NET): a sorted set of lock ids, scored with the end
// of each permit in epoch ms on the server's clock. The key stays for three times the expiry.
namespace lockscope::inspect::decoders {

namespace distributed_lock_semaphore {

std::optional<DecodedLock> read(const LockSnapshot& snapshot)
{
    const Observation* const key = soleSortedSet(snapshot);
    const bool isSemaphore = key && key->ttl && !key->fields.empty()
                             && std::ranges::all_of(key->fields, [](const HashField& member) {
                                    return isDistributedLockId(member.name)
                                           && stampOfMillis(member.value);
                                });
    if (!isSemaphore) {
        return std::nullopt;
    }
    DecodedLock decoded;
    decoded.confidence = mayBeData(snapshot) ? Confidence::Low : Confidence::High;
    decoded.mode = Mode::Semaphore;
    for (const HashField& member : key->fields) {
        const WallTime end = *stampOfMillis(member.value);
        if (end > key->serverTime) {
            Holder& holder = decoded.holders.emplace_back();
            holder.owner = member.name;
            holder.mode = Mode::Semaphore;
            holder.expiresAt = key->seenAt + (end - key->serverTime);
        }
    }
    if (decoded.holders.empty()) {
        return std::nullopt;
    }
    decoded.because.add(QT_TRANSLATE_NOOP(
        "KernelText", "the members of a sorted set name machine and process as this library does"));
    decoded.because.add(QT_TRANSLATE_NOOP("KernelText",
                                          "they are scored with the end of their permit"));
    return decoded;
}

ReleaseRecipe release(const LockSnapshot& snapshot, const DecodedLock& decoded, HolderChoice choice)
{
    ReleaseRecipe recipe;
    recipe.checks.push_back(ownersCheck(snapshot.main(), choice.of(decoded.holders)));
    return recipe;
}

std::string meaningOfPart(const LockSnapshot&, const Observation& key, const HashField& part)
{
    const DistributedLockId from = distributedLockIdOf(part.name);
    const WallTime end = stampOf13Digits(part.value).value_or(key.serverTime);
    return KernelText::tr("%1 is a permit of process %2 on the machine %3; it ends at its score, "
                          "in epoch ms: %4.",
                          nameInQuotes(part.name), from.process, nameInQuotes(from.machine),
                          relativeText(end, key.serverTime));
}

} // namespace distributed_lock_semaphore

const Decoder kDistributedLockSemaphore{
    .id = "distributed-lock-semaphore",
    .library = "DistributedLock.Redis",
    .title = "DistributedLock semaphore",
    .summary = QT_TRANSLATE_NOOP("KernelText",
                                 "The semaphore of Madelson's DistributedLock (.NET): a sorted set "
                                 "of permits, scored with their end."),
    .read = distributed_lock_semaphore::read,
    .release = distributed_lock_semaphore::release,
    .words =
        {
            .renewal = QT_TRANSLATE_NOOP(
                "KernelText", "Each holder extends its permit every 9 s, to 30 s, by default."),
            .waiting = kDistributedLockWaiting,
            .part = distributed_lock_semaphore::meaningOfPart,
        },
};

} // namespace lockscope::inspect::decoders
