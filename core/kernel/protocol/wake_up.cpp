#include "core/kernel/protocol/wake_up.h"

namespace lockscope::protocol {

using store::Notice;
using store::Subscription;

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

} // namespace lockscope::protocol
