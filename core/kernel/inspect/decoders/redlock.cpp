#include "core/kernel/base/kernel_text.h"
#include "core/kernel/inspect/decoders/builtin.h"
#include "core/kernel/inspect/decoders/clues.h"

// Redlock: the same token under the same key on a majority of independent servers. One server's key
// is an ordinary token, so nothing is recognised here: rows of this format are made where the
// snapshots of a set of servers meet (inspect/lock_book). The entry names the format and says how
// one server's share is released.
namespace lockscope::inspect::decoders {

namespace redlock {

std::optional<DecodedLock> read(const LockSnapshot&)
{
    return std::nullopt;
}

ReleaseRecipe release(const LockSnapshot& snapshot, const DecodedLock&, HolderChoice)
{
    ReleaseRecipe recipe;
    recipe.checks.push_back(valueCheck(snapshot.main(), false));
    recipe.warnings = {
        KernelText::tr("The lock is free once fewer than half of the servers have it: release it "
                       "on each of them."),
        KernelText::tr("Some libraries (RedLock.net, aioredlock) set the key again with their "
                       "next renewal: stop the holder as well.")};
    return recipe;
}

} // namespace redlock

const Decoder kRedlock{
    .id = "redlock",
    .library = "",
    .title = QT_TRANSLATE_NOOP("KernelText", "Redlock"),
    .summary = QT_TRANSLATE_NOOP(
        "KernelText",
        "The same token under the same key on several independent servers; a majority of "
        "them forms the lock."),
    .read = redlock::read,
    .release = redlock::release,
    .quorumRole = QuorumRole::Lock,
};

} // namespace lockscope::inspect::decoders
