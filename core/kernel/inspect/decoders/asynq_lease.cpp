#include "core/kernel/base/kernel_text.h"
#include "core/kernel/inspect/decoders/builtin.h"
#include "core/kernel/inspect/decoders/clues.h"
#include "core/kernel/inspect/decoders/token_shapes.h"

#include <algorithm>

// The leases of asynq 0.26 (Go): a sorted set `asynq:{<queue>}:lease` of the tasks that are
// running, scored with the end of each lease in epoch seconds. Servers renew it while they work.
namespace lockscope::inspect::decoders {

namespace asynq_lease {

std::optional<DecodedLock> read(const LockSnapshot& snapshot)
{
    const Observation* const key = soleSortedSet(snapshot);
    if (key == nullptr || !key->key.starts_with("asynq:{") || !key->key.ends_with("}:lease")
        || key->fields.empty()) {
        return std::nullopt;
    }
    DecodedLock decoded;
    decoded.confidence = Confidence::High;
    decoded.mode = Mode::Semaphore;
    for (const HashField& member : key->fields) {
        const std::optional<WallTime> end = stampOfSeconds(member.value);
        if (!end) {
            return std::nullopt;
        }
        Holder& holder = decoded.holders.emplace_back();
        holder.owner = member.name;
        holder.mode = Mode::Semaphore;
        holder.expiresAt = key->seenAt + (*end - key->serverTime);
    }
    if (*stampOfSeconds(key->fields.front().value) < key->serverTime) {
        decoded.flags.add(Flag::Stale);
    }
    decoded.deadline = stampOfSeconds(key->fields.back().value);
    decoded.because.add(QT_TRANSLATE_NOOP("KernelText",
                                          "the key is named as this library names its leases"));
    decoded.because.add(QT_TRANSLATE_NOOP(
        "KernelText", "the members of a sorted set are scored with the end of their lease"));
    return decoded;
}

ReleaseRecipe release(const LockSnapshot&, const DecodedLock&, HolderChoice)
{
    ReleaseRecipe recipe;
    recipe.isSupported = false;
    recipe.warnings = {
        KernelText::tr("A task without its lease could not be completed. A lease that is not "
                       "renewed ends by itself, and the task is run again.")};
    return recipe;
}

std::string meaningOfPart(const LockSnapshot&, const Observation& key, const HashField& part)
{
    const WallTime end = stampOfSeconds(part.value).value_or(key.serverTime);
    return KernelText::tr("%1 is a task that is running; its lease ends at its score, in epoch "
                          "seconds: %2.",
                          nameInQuotes(part.name), relativeText(end, key.serverTime));
}

} // namespace asynq_lease

const Decoder kAsynqLease{
    .id = "asynq-lease",
    .library = "asynq",
    .title = "asynq tasks",
    .summary = QT_TRANSLATE_NOOP("KernelText",
                                 "The tasks of a queue of asynq (Go) that are running: a sorted "
                                 "set, scored with the end of each lease."),
    .read = asynq_lease::read,
    .release = asynq_lease::release,
    .isJobLease = true,
    .words =
        {
            .renewal = QT_TRANSLATE_NOOP(
                "KernelText",
                "A server extends the leases of its tasks to 30 s while it works on them."),
            .ifHolderDies = QT_TRANSLATE_NOOP(
                "KernelText", "After the end of the lease, another server runs the task again."),
            .waiting = QT_TRANSLATE_NOOP(
                "KernelText",
                "No client waits for it: the servers look for leases that have ended."),
            .part = asynq_lease::meaningOfPart,
        },
};

} // namespace lockscope::inspect::decoders
