#include "core/kernel/base/kernel_text.h"
#include "core/kernel/inspect/decoders/builtin.h"
#include "core/kernel/inspect/decoders/clues.h"
#include "core/kernel/inspect/decoders/token_shapes.h"

// The concurrent rate limiters of dramatiq 2.2 (Python) with a limit above one, under a key of the
// application's: a number of clients that are inside, with an expiry of 15 minutes that each change
// renews. Nothing but the number is stored, and most numbers under the name of a lock are a user, a
// process or a thread: counting those down would hand the lock to another one. So it is read only
// where the user decided that it is a count.
namespace lockscope::inspect::decoders {

namespace holder_count {

constexpr std::int64_t kMostHolders = 10'000;

std::optional<DecodedLock> read(const LockSnapshot& snapshot)
{
    const Observation* const key = soleString(snapshot);
    const std::optional<std::int64_t> count = key ? decimalOf(key->value) : std::nullopt;
    if (!count || *count < 1 || *count > kMostHolders) {
        return std::nullopt;
    }
    DecodedLock decoded;
    decoded.mode = Mode::Semaphore;
    Holder& holder = decoded.holders.emplace_back();
    holder.mode = Mode::Semaphore;
    holder.holds = static_cast<std::uint32_t>(*count);
    decoded.because.add(QT_TRANSLATE_NOOP("KernelText", "you decided that its value counts "
                                                        "holders"));
    return decoded;
}

/// One hold is counted down, as by its own release, and never to zero: a key that stays blocks
/// clients that acquire by SET NX. All of them go with the key.
ReleaseRecipe release(const LockSnapshot& snapshot, const DecodedLock& decoded, HolderChoice choice)
{
    ReleaseRecipe recipe;
    recipe.checks.push_back(valueCheck(snapshot.main(), true));
    if (choice.isOneHold()) {
        recipe.script = ReleaseRecipe::Script::Composed;
        recipe.steps = {{.kind = ReleaseRecipe::Step::Kind::Subtract, .number = 1}};
        recipe.warnings = {oneOfACountWarning()};
    } else {
        recipe.warnings = {blindDeleteWarning()};
        recipe.endsUnnamedReaders = decoded.holders.front().holds > 1;
    }
    return recipe;
}

} // namespace holder_count

const Decoder kHolderCount{
    .id = "holder-count",
    .library = "dramatiq",
    .title = QT_TRANSLATE_NOOP("KernelText", "Count of holders"),
    .summary = QT_TRANSLATE_NOOP(
        "KernelText",
        "A number of clients that hold a lock together, as the concurrent rate limiter of dramatiq "
        "keeps it: nobody is named. Read only where you decide so (treat), because a number alone "
        "is no proof of a count."),
    .read = holder_count::read,
    .release = holder_count::release,
    .ownerScope = OwnerScope::None,
    .countsHolders = true,
    .needsDecision = true,
};

} // namespace lockscope::inspect::decoders
