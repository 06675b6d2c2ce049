#include "core/kernel/protocol/builtin/builtin.h"
#include "core/kernel/protocol/builtin/redisson_steps.h"
#include "core/kernel/protocol/builtin/steps.h"
#include "core/kernel/protocol/wake_up.h"
#include "protocol_scripts.h"

#include <algorithm>
#include <utility>

// Redisson's RFairLock (4.7): the hash of its RLock, a queue of the waiters, and for each of
// them the instant at which it gives up, by its own clock. The unlock wakes the first of the queue
// only, on a channel of its own.
namespace lockscope::protocol::builtin {

namespace {

using namespace std::chrono_literals;
using store::Outcome;

/// For how long a waiter without a limit counts as waiting. A longer wait is thrown out of
/// the queue at the end of it, and queues up again.
constexpr Duration kWaitMax = 300s;

class RedissonFair final : public LockProtocol {
public:
    const ProtocolInfo& info() const override { return m_info; }

    /// With a wait limit, a refused client stands in the queue from then on.
    async::Task<AcquireOutcome> attempt(Contender& self, LockRequest request) const override
    {
        const Instant sentAt = self.now();
        const Outcome outcome = co_await store::runScript(
            self.node().commands, scripts::kRedissonFairLock,
            store::wordsOf(request.key, queueOf(request.key), deadlinesOf(request.key)),
            store::wordsOf(self.identity().owner(), toMs(request.lease), toMs(waitOf(request)),
                           wallMs(self)));
        co_return redissonOutcome(outcome,
                                  grantFor(request, self.identity().owner(), sentAt, self.now()));
    }

    async::Task<AcquireOutcome> acquire(Contender& self, LockRequest request) const override
    {
        Bytes ownChannel = channelsOf(request.key) + ':' + self.identity().owner();
        AcquireOutcome outcome = co_await acquireListening(*this, self, request,
                                                           std::move(ownChannel));
        const bool mayStandInQueue = request.waitLimit > Duration(0) && !isGranted(outcome);
        if (mayStandInQueue) {
            co_await leaveQueue(self, std::move(request));
        }
        co_return outcome;
    }

    async::Task<RenewOutcome> renew(Contender& self, Grant grant) const override
    {
        return renewRedissonField(self, std::move(grant));
    }

    async::Task<ReleaseOutcome> release(Contender& self, Grant grant) const override
    {
        const Bytes& key = grant.request.key;
        RedissonUnlock unlock{scripts::kRedissonFairUnlock, channelsOf(key), {}, {}};
        unlock.moreKeys.push_back(queueOf(key));
        unlock.moreKeys.push_back(deadlinesOf(key));
        unlock.moreArguments.push_back(wallMs(self));
        grant.token = self.identity().owner(); // of the task that calls unlock()
        return unlockRedisson(self, std::move(grant), std::move(unlock));
    }

private:
    const ProtocolInfo m_info = redissonInfo("redisson-fair");

    static Bytes queueOf(std::string_view key) { return redissonName("redisson_lock_queue", key); }
    static Bytes deadlinesOf(std::string_view key)
    {
        return redissonName("redisson_lock_timeout", key);
    }
    /// What the channel of every waiter begins with; ":" and the waiter follow.
    static Bytes channelsOf(std::string_view key)
    {
        return redissonName("redisson_lock__channel", key);
    }

    static Bytes wallMs(const Contender& self)
    {
        return std::to_string(toEpochMs(self.clock().wallNow()));
    }
    static Duration waitOf(const LockRequest& request)
    {
        return std::min(request.waitLimit, kWaitMax);
    }

    /// Whatever becomes of it: an entry that stays runs out at its deadline.
    static async::Task<void> leaveQueue(Contender& self, LockRequest request)
    {
        co_await store::runScript(self.node().commands, scripts::kRedissonFairLeave,
                                  store::wordsOf(queueOf(request.key), deadlinesOf(request.key)),
                                  store::wordsOf(self.identity().owner(), toMs(waitOf(request))));
    }
};

} // namespace

const LockProtocol& redissonFair()
{
    static const RedissonFair kProtocol;
    return kProtocol;
}

} // namespace lockscope::protocol::builtin
