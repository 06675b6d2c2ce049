#include "core/kernel/base/kernel_text.h"
#include "core/kernel/inspect/decoders/builtin.h"
#include "core/kernel/inspect/decoders/clues.h"
#include "core/kernel/inspect/decoders/token_shapes.h"

#include <algorithm>
#include <limits>

// gocraft/work 0.5 (Go, also inside Harbor): `<ns>:jobs:<job>:lock` counts the jobs of that name
// that run, and the hash `lock_info` beside it says how many of them each worker pool runs. What a
// pool that died leaves there keeps others from starting; its own reaper repairs it as a release
// does.
namespace lockscope::inspect::decoders {

namespace gocraft_work {

using Step = ReleaseRecipe::Step;

constexpr std::string_view kInfo = "_info";

std::optional<KeyGroup> groupOf(std::string_view key)
{
    if (key.ends_with(":lock_info")) {
        key.remove_suffix(kInfo.size());
    }
    if (!key.ends_with(":lock") || key.find(":jobs:") == std::string_view::npos) {
        return std::nullopt;
    }
    return KeyGroup{Bytes(key), {Bytes(key), Bytes(key) + Bytes(kInfo)}};
}

std::optional<std::uint32_t> countOf(std::string_view text)
{
    const std::optional<std::int64_t> count = decimalOf(text);
    return count && *count > 0 && *count <= std::numeric_limits<std::int32_t>::max()
               ? std::optional(static_cast<std::uint32_t>(*count))
               : std::nullopt;
}

std::optional<DecodedLock> read(const LockSnapshot& snapshot)
{
    const bool isPair = snapshot.keys.size() == 2 && snapshot.keys[1].type == ValueType::Hash
                        && snapshot.keys[1].isComplete && isShortString(snapshot.keys[0])
                        && snapshot.keys[1].key == snapshot.keys[0].key + Bytes(kInfo);
    if (!isPair || !countOf(snapshot.keys[0].value)) {
        return std::nullopt;
    }
    DecodedLock decoded;
    decoded.confidence = Confidence::High;
    decoded.mode = Mode::Semaphore;
    for (const HashField& pool : snapshot.keys[1].fields) {
        const std::optional<std::uint32_t> count = countOf(pool.value);
        if (count) {
            Holder& holder = decoded.holders.emplace_back();
            holder.owner = pool.name;
            holder.mode = Mode::Semaphore;
            holder.holds = *count;
        }
    }
    if (decoded.holders.empty()) {
        return std::nullopt;
    }
    decoded.because.add(QT_TRANSLATE_NOOP("KernelText",
                                          "the keys are named as this library names its locks"));
    decoded.because.add(QT_TRANSLATE_NOOP(
        "KernelText", "one counts the jobs that run, the other those of each worker pool"));
    return decoded;
}

ReleaseRecipe release(const LockSnapshot& snapshot, const DecodedLock& decoded, HolderChoice choice)
{
    ReleaseRecipe recipe;
    ReleaseRecipe::KeyCheck check = ownersCheck(snapshot.keys[1], {});
    std::int64_t count = 0;
    for (const Holder& pool : choice.of(decoded.holders)) {
        check.fields.push_back(pool.owner);
        check.fieldValues.push_back(std::to_string(pool.holds));
        count += pool.holds;
    }
    recipe.checks.push_back(std::move(check));
    recipe.companions = {snapshot.keys[0].key};
    recipe.script = ReleaseRecipe::Script::Composed;
    recipe.steps = {{.kind = Step::Kind::Subtract, .key = 1, .number = count},
                    {.kind = Step::Kind::Remove}};
    recipe.warnings = {
        KernelText::tr("Only for a worker pool that is dead: the jobs of one that still runs would "
                       "be counted twice when they end.")};
    return recipe;
}

std::string meaningOfKey(const LockSnapshot& snapshot, const Observation& key)
{
    return key.key == snapshot.main().key
               ? KernelText::tr("How many jobs of this name run: it stays when none does.")
               : KernelText::tr("How many of these jobs each worker pool runs.");
}

std::string meaningOfPart(const LockSnapshot&, const Observation& key, const HashField& part)
{
    return key.type == ValueType::String
               ? KernelText::tr("Its value %1 is that number.", escaped(part.value))
               : KernelText::tr("The field %1 is a worker pool, which runs %2 of them.",
                                nameInQuotes(part.name), escaped(part.value));
}

} // namespace gocraft_work

const Decoder kGocraftWork{
    .id = "gocraft-work",
    .library = "gocraft/work",
    .title = "gocraft/work",
    .summary = QT_TRANSLATE_NOOP("KernelText",
                                 "The jobs of gocraft/work (Go) that run: a count, and a hash of "
                                 "how many each worker pool runs."),
    .read = gocraft_work::read,
    .release = gocraft_work::release,
    .groupOf = gocraft_work::groupOf,
    .ownerScope = OwnerScope::Process,
    .isJobLease = true,
    .words =
        {
            .ifHolderDies = QT_TRANSLATE_NOOP(
                "KernelText", "What a worker pool that dies leaves in the counts keeps others from "
                              "starting, until "
                              "the reaper of another pool subtracts it, or a release."),
            .waiting = QT_TRANSLATE_NOOP(
                "KernelText",
                "No message wakes other workers: they look for jobs that may run again and again."),
            .key = gocraft_work::meaningOfKey,
            .part = gocraft_work::meaningOfPart,
        },
};

} // namespace lockscope::inspect::decoders
