#include "core/kernel/base/kernel_text.h"
#include "core/kernel/inspect/decoders/builtin.h"
#include "core/kernel/inspect/decoders/clues.h"
#include "core/kernel/inspect/decoders/token_shapes.h"

#include <algorithm>

// The queue lock of TaskTiger 0.25 (Python): a sorted set `t:qslock:<queue>` of the workers that
// may take tasks, scored with the end of each hold in epoch seconds. The member SYSTEM_LOCK was put
// there by hand, to stop the queue.
namespace lockscope::inspect::decoders {

namespace tasktiger_queue {

constexpr std::string_view kPrefix = "t:qslock:";

std::optional<DecodedLock> read(const LockSnapshot& snapshot)
{
    const Observation* const key = soleSortedSet(snapshot);
    if (key == nullptr || !key->key.starts_with(kPrefix)) {
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
        if (*end > key->serverTime) {
            Holder& holder = decoded.holders.emplace_back();
            holder.owner = member.name;
            holder.mode = Mode::Semaphore;
            holder.expiresAt = key->seenAt + (*end - key->serverTime);
        }
    }
    if (decoded.holders.empty()) {
        return std::nullopt;
    }
    decoded.because.add(QT_TRANSLATE_NOOP("KernelText",
                                          "the key is named as this library names its locks"));
    decoded.because.add(QT_TRANSLATE_NOOP(
        "KernelText", "the members of a sorted set are scored with the end of their hold"));
    return decoded;
}

ReleaseRecipe release(const LockSnapshot& snapshot, const DecodedLock& decoded, HolderChoice choice)
{
    ReleaseRecipe recipe;
    recipe.checks.push_back(ownersCheck(snapshot.main(), choice.of(decoded.holders)));
    recipe.warnings = {
        KernelText::tr("If the old holder is still running, its next renewal will create "
                       "the lock again: stop it first.")};
    return recipe;
}

std::string meaningOfPart(const LockSnapshot&, const Observation& key, const HashField& part)
{
    const WallTime end = stampOfSeconds(part.value).value_or(key.serverTime);
    return part.name == "SYSTEM_LOCK"
               ? KernelText::tr("SYSTEM_LOCK was put there by hand, to stop the queue; it ends at "
                                "its score, in epoch seconds: %1.",
                                relativeText(end, key.serverTime))
               : KernelText::tr("%1 is a worker that may take tasks; its hold ends at its score, "
                                "in epoch seconds: %2.",
                                nameInQuotes(part.name), relativeText(end, key.serverTime));
}

} // namespace tasktiger_queue

const Decoder kTasktigerQueue{
    .id = "tasktiger-queue",
    .library = "TaskTiger",
    .title = "TaskTiger queue",
    .summary = QT_TRANSLATE_NOOP("KernelText",
                                 "The workers of TaskTiger (Python) that may take tasks of a "
                                 "queue: a sorted set, scored with the end of each hold."),
    .read = tasktiger_queue::read,
    .release = tasktiger_queue::release,
    .ownerScope = OwnerScope::Process,
    .words =
        {
            .renewal = QT_TRANSLATE_NOOP("KernelText",
                                         "Each worker that is alive renews its hold."),
            .part = tasktiger_queue::meaningOfPart,
        },
};

} // namespace lockscope::inspect::decoders
