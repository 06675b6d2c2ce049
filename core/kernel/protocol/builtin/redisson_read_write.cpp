#include "core/kernel/protocol/builtin/builtin.h"
#include "core/kernel/protocol/builtin/redisson_steps.h"
#include "core/kernel/protocol/builtin/rw_steps.h"
#include "core/kernel/protocol/builtin/steps.h"
#include "core/kernel/protocol/wake_up.h"
#include "protocol_scripts.h"

#include <utility>
#include <vector>

// Redisson's RReadWriteLock (4.7): a hash with its mode and a field per owner and side, and for
// every read hold a key that runs out with that hold. A writer may read as well and becomes a
// reader when it stops writing; a reader that wants to write waits for itself (lock-flaws 87).
namespace lockscope::protocol::builtin {

namespace {

using store::Outcome;

class RedissonReadWrite final : public LockProtocol {
public:
    const ProtocolInfo& info() const override { return m_info; }

    async::Task<AcquireOutcome> attempt(Contender& self, LockRequest request) const override
    {
        const Instant sentAt = self.now();
        const bool isReading = isForReading(request);
        const Bytes owner = self.identity().owner();
        Bytes field = fieldOf(self, request);
        std::vector<Bytes> keys(1, request.key);
        if (isReading) {
            keys.push_back(timeOutKeysOf(request.key, owner));
        }
        std::vector<Bytes> arguments(1, field);
        arguments.push_back(std::to_string(toMs(request.lease)));
        const Outcome outcome = co_await store::runScript(self.node().commands,
                                                          isReading ? scripts::kRedissonReadLock
                                                                    : scripts::kRedissonWriteLock,
                                                          std::move(keys), std::move(arguments));
        co_return redissonOutcome(outcome, grantFor(request, std::move(field), sentAt, self.now()));
    }

    async::Task<AcquireOutcome> acquire(Contender& self, LockRequest request) const override
    {
        Bytes channel = channelOf(request.key);
        return acquireListening(*this, self, std::move(request), std::move(channel));
    }

    async::Task<RenewOutcome> renew(Contender& self, Grant grant) const override
    {
        return isForReading(grant.request) ? renewRead(self, std::move(grant))
                                           : renewRedissonField(self, std::move(grant));
    }

    async::Task<ReleaseOutcome> release(Contender& self, Grant grant) const override
    {
        const Bytes& key = grant.request.key;
        RedissonUnlock unlock{scripts::kRedissonWriteUnlock, channelOf(key), {}, {}};
        if (isForReading(grant.request)) {
            unlock.script = scripts::kRedissonReadUnlock;
            unlock.moreKeys.push_back(redissonTag(key));
        }
        grant.token = fieldOf(self, grant.request); // of the task that calls unlock()
        return unlockRedisson(self, std::move(grant), std::move(unlock));
    }

private:
    const ProtocolInfo m_info = describe();

    static Bytes fieldOf(const Contender& self, const LockRequest& request)
    {
        Bytes owner = self.identity().owner();
        return isForReading(request) ? owner : owner + ":write";
    }

    static Bytes channelOf(std::string_view key) { return redissonName("redisson_rwlock", key); }

    /// What the keys "{k}:<owner>:rwlock_timeout:<i>" begin with, one for each read hold.
    static Bytes timeOutKeysOf(std::string_view key, std::string_view owner)
    {
        return redissonTag(key).append(":").append(owner).append(":rwlock_timeout");
    }

    static async::Task<RenewOutcome> renewRead(Contender& self, Grant grant)
    {
        const Instant sentAt = self.now();
        const Outcome outcome = co_await store::runScript(
            self.node().commands, scripts::kRedissonReadRenew,
            store::wordsOf(grant.request.key, timeOutKeysOf(grant.request.key, grant.token)),
            store::wordsOf(grant.token, toMs(grant.request.lease)));
        co_return renewedIfOne(outcome, sentAt + grant.request.lease);
    }

    static ProtocolInfo describe()
    {
        ProtocolInfo info = redissonInfo("redisson-read-write");
        info.hasModes = true;
        return info;
    }
};

} // namespace

const LockProtocol& redissonReadWrite()
{
    static const RedissonReadWrite kProtocol;
    return kProtocol;
}

} // namespace lockscope::protocol::builtin
