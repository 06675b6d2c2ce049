#include "core/kernel/protocol/wake_up.h"

#include "core/kernel/protocol/attempts.h"

#include <algorithm>
#include <utility>

namespace lockscope::protocol {

using store::Notice;
using store::Subscription;

namespace {

/// Until when it is worth sleeping if no message comes.
Instant endOfSleep(const AcquireOutcome& outcome, const Retry& retry, Contender& self,
                   const Attempts& attempts)
{
    const auto* const refused = std::get_if<Refused>(&outcome);
    const Duration pause = refused != nullptr && refused->remaining
                               ? *refused->remaining
                               : retry.pauseAfter(attempts.count(), self.rng());
    return std::min(self.now() + pause, attempts.deadline());
}

} // namespace

async::Task<void> waitUntilListening(Contender& self, Subscription& subscription, Instant deadline)
{
    while (!self.isInterrupted()) {
        if (subscription.takeNotice() || self.now() >= deadline) {
            co_return; // whatever the first notice is, the next step is another try
        }
        co_await self.waitForBell(deadline);
    }
}

async::Task<void> waitForMessage(Contender& self, Subscription& subscription, Instant deadline)
{
    while (!self.isInterrupted()) {
        while (const auto notice = subscription.takeNotice()) {
            if (notice->kind != Notice::Kind::Deaf) {
                co_return;
            }
        }
        if (self.now() >= deadline) {
            co_return;
        }
        co_await self.waitForBell(deadline);
    }
}

async::Task<AcquireOutcome> acquireListening(const LockProtocol& protocol, Contender& self,
                                             LockRequest request, Bytes channel)
{
    Attempts attempts(protocol, self, request);
    AcquireOutcome outcome = co_await attempts.next();
    if (attempts.isOver(outcome)) {
        co_return outcome;
    }
    store::Subscription unlocks = self.node().channels.subscribe(std::move(channel), self.bell());
    co_await waitUntilListening(self, unlocks, attempts.deadline());
    while (true) {
        outcome = co_await attempts.next();
        if (attempts.isOver(outcome)) {
            co_return outcome;
        }
        const Instant end = endOfSleep(outcome, request.retry, self, attempts);
        co_await waitForMessage(self, unlocks, end);
    }
}

} // namespace lockscope::protocol
