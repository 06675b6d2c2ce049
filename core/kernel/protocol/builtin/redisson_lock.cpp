#include "core/kernel/protocol/builtin/builtin.h"
#include "core/kernel/protocol/builtin/redisson_steps.h"
#include "core/kernel/protocol/builtin/steps.h"
#include "core/kernel/protocol/wake_up.h"
#include "protocol_scripts.h"

#include <utility>

// Redisson's RLock (4.7): a hash from owner to count. A refused client subscribes, tries once
// more, and sleeps until the unlock is published or the hold in the way would have run out.
namespace lockscope::protocol::builtin {

namespace {

using store::Outcome;

class RedissonLock final : public LockProtocol {
public:
    const ProtocolInfo& info() const override { return m_info; }

    async::Task<AcquireOutcome> attempt(Contender& self, LockRequest request) const override
    {
        const Instant sentAt = self.now();
        const Outcome outcome = co_await store::runScript(
            self.node().commands, scripts::kRedissonLock, store::wordsOf(request.key),
            store::wordsOf(self.identity().owner(), toMs(request.lease)));
        co_return redissonOutcome(outcome,
                                  grantFor(request, self.identity().owner(), sentAt, self.now()));
    }

    async::Task<AcquireOutcome> acquire(Contender& self, LockRequest request) const override
    {
        Bytes channel = channelOf(request.key);
        return acquireListening(*this, self, std::move(request), std::move(channel));
    }

    async::Task<RenewOutcome> renew(Contender& self, Grant grant) const override
    {
        return renewRedissonField(self, std::move(grant));
    }

    async::Task<ReleaseOutcome> release(Contender& self, Grant grant) const override
    {
        RedissonUnlock unlock{scripts::kRedissonUnlock, channelOf(grant.request.key), {}, {}};
        grant.token = self.identity().owner(); // of the task that calls unlock()
        return unlockRedisson(self, std::move(grant), std::move(unlock));
    }

private:
    const ProtocolInfo m_info = redissonInfo("redisson-lock");

    static Bytes channelOf(std::string_view key)
    {
        return redissonName("redisson_lock__channel", key);
    }
};

} // namespace

const LockProtocol& redissonLock()
{
    static const RedissonLock kProtocol;
    return kProtocol;
}

} // namespace lockscope::protocol::builtin
