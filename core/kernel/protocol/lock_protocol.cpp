#include "core/kernel/protocol/lock_protocol.h"

#include "core/kernel/base/kernel_text.h"
#include "core/kernel/protocol/attempts.h"

#include <utility>

namespace lockscope::protocol {

async::Task<AcquireOutcome> LockProtocol::acquire(Contender& self, LockRequest request) const
{
    Attempts attempts(*this, self, std::move(request));
    while (true) {
        AcquireOutcome outcome = co_await attempts.next();
        if (attempts.isOver(outcome)) {
            co_return outcome;
        }
        co_await attempts.pause();
    }
}

async::Task<RenewOutcome> LockProtocol::renew(Contender&, Grant) const
{
    store::Problem problem;
    problem.kind = store::Problem::Kind::ServerRefused;
    problem.detail = KernelText::tr("this protocol has no renewal");
    co_return Unavailable{problem};
}

} // namespace lockscope::protocol
