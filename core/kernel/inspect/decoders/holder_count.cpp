#include "core/kernel/base/kernel_text.h"
#include "core/kernel/inspect/decoders/builtin.h"
#include "core/kernel/inspect/decoders/clues.h"
#include "core/kernel/inspect/decoders/token_shapes.h"

// The concurrent rate limiters of dramatiq 2.2 (Python) with a limit above one, under a key of the
// application's: a number of clients that are inside, with an expiry of 15 minutes that each change
// renews. It stays at 0 while no client is. The number 1 looks like any flag.
namespace lockscope::inspect::decoders {

namespace holder_count {

constexpr std::int64_t kMostHolders = 10'000;
constexpr std::chrono::minutes kLongestLease(15);

std::optional<DecodedLock> read(const LockSnapshot& snapshot)
{
    const Observation* const key = soleString(snapshot);
    const std::optional<std::int64_t> count = key ? decimalOf(key->value) : std::nullopt;
    if (!count || *count < 2 || *count > kMostHolders || !key->ttl || *key->ttl > kLongestLease
        || !isNamedLikeLock(snapshot)) {
        return std::nullopt;
    }
    DecodedLock decoded;
    decoded.mode = Mode::Semaphore;
    Holder& holder = decoded.holders.emplace_back();
    holder.mode = Mode::Semaphore;
    holder.holds = static_cast<std::uint32_t>(*count);
    decoded.because.add(QT_TRANSLATE_NOOP("KernelText", "the value may count holders"));
    decoded.because.add(evidenceOfName(snapshot));
    decoded.because.add(QT_TRANSLATE_NOOP("KernelText", "it expires, as a lock should"));
    return decoded;
}

/// Never deletes the count: the others still stand in it.
ReleaseRecipe release(const LockSnapshot& snapshot, const DecodedLock& decoded, HolderChoice choice)
{
    ReleaseRecipe recipe;
    recipe.checks.push_back(valueCheck(snapshot.main(), true));
    recipe.script = ReleaseRecipe::Script::Composed;
    const std::int64_t ended = choice.of(decoded.holders).front().holds;
    recipe.steps = {{.kind = ReleaseRecipe::Step::Kind::Subtract, .number = ended}};
    recipe.warnings = {oneOfACountWarning()};
    recipe.endsUnnamedReaders = !choice.isOneHold();
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
        "keeps it: nobody is named."),
    .read = holder_count::read,
    .release = holder_count::release,
    .ownerScope = OwnerScope::None,
    .countsHolders = true,
};

} // namespace lockscope::inspect::decoders
