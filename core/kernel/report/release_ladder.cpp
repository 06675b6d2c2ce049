#include "core/kernel/report/release_ladder.h"

#include "core/kernel/base/bytes.h"
#include "core/kernel/base/duration_text.h"
#include "core/kernel/base/kernel_text.h"

#include <optional>
#include <utility>

namespace lockscope::report {

namespace {

using inspect::LockRecord;

/// Longer, nobody waits who has come to release a lock.
constexpr Duration kWorthWaitingFor = std::chrono::minutes(2);

bool isRenewed(const LockRecord& lock)
{
    return lock.renewals > 0;
}

std::string waitSentence(const LadderSituation& situation)
{
    const LockRecord& lock = situation.lock;
    if (!lock.expiresAt) {
        return KernelText::tr("Wait: this does not help, because it has no expiry.");
    }
    if (isRenewed(lock)) {
        return KernelText::tr("Wait: this does not help while its holder renews it.");
    }
    return KernelText::tr("Wait: it expires in %1, at %2, unless its holder renews it.",
                          durationText(*lock.expiresAt - situation.now), situation.expiryTime);
}

/// nullopt: the holder is at work, and nothing speaks against it.
std::optional<MildStep> recommended(const LadderSituation& situation)
{
    const LockRecord& lock = situation.lock;
    const bool endsByItself = lock.expiresAt && !isRenewed(lock);
    const bool isHealthy = lock.expiresAt && inspect::severityOf(lock) == 0;
    if (endsByItself && (isHealthy || *lock.expiresAt - situation.now <= kWorthWaitingFor)) {
        return MildStep::Wait;
    }
    if (isHealthy) {
        return std::nullopt;
    }
    if (situation.canCap) {
        return MildStep::CapTtl;
    }
    return situation.canReleaseOne ? MildStep::ReleaseOne : MildStep::Release;
}

} // namespace

const inspect::ClientInfo* soleClientOf(const LockRecord& lock)
{
    const bool isOfOneServer = lock.id.server != inspect::LockId::kWholeSet && !lock.place;
    const bool isOne = lock.holders.size() == 1 && lock.holders.front().client()
                       && lock.holders.front().client()->id != 0;
    return isOne && isOfOneServer ? lock.holders.front().client().get() : nullptr;
}

std::vector<LadderRung> releaseLadder(const LadderSituation& situation)
{
    std::vector<LadderRung> rungs;
    const auto add = [&rungs, best = recommended(situation)](MildStep step, std::string sentence) {
        rungs.push_back({step, step == best, std::move(sentence)});
    };
    add(MildStep::Wait, waitSentence(situation));
    if (situation.canCap) {
        add(MildStep::CapTtl, KernelText::tr("Cap the TTL: it gets an expiry, and ends unless its "
                                             "holder renews it."));
    }
    if (situation.canReleaseOne) {
        add(MildStep::ReleaseOne,
            KernelText::tr("Release one hold: the other holders keep theirs."));
    }
    add(MildStep::Release, KernelText::tr("Release the lock, if it is still held as shown here."));
    if (const inspect::ClientInfo* const client = soleClientOf(situation.lock)) {
        add(MildStep::KillHolder,
            KernelText::tr("Disconnect the holder, %1: the lock stays until it expires, and the "
                           "client may connect again.",
                           escaped(client->address)));
    }
    return rungs;
}

} // namespace lockscope::report
