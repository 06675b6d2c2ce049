#include "core/kernel/protocol/builtin/builtin.h"
#include "core/kernel/protocol/builtin/rw_steps.h"
#include "core/kernel/protocol/builtin/steps.h"
#include "protocol_scripts.h"

#include <algorithm>
#include <utility>
#include <vector>

// One hash; its fields `read` and `write` hold the instant at which that side was taken last, by
// the taker's own clock. A script judges by the caller's clock whether a stamp still counts: two
// clocks that disagree, a late message, or a second reader undo it (lock-flaws 80 to 86, 104 to
// 106).
namespace lockscope::protocol::builtin {

namespace {

using namespace std::chrono_literals;
using store::Outcome;

/// For how long a stamp counts. The lease is the life of the whole hash.
constexpr Duration kReadTimeOut = 1s;
constexpr Duration kWriteTimeOut = 3s;

class RwHashStamps final : public LockProtocol {
public:
    const ProtocolInfo& info() const override { return m_info; }

    async::Task<AcquireOutcome> attempt(Contender& self, LockRequest request) const override
    {
        const Instant sentAt = self.now();
        const bool isReading = isForReading(request);
        Bytes stamp = std::to_string(toEpochMs(self.clock().wallNow()));
        std::vector<Bytes> keys(1, request.key);
        std::vector<Bytes> arguments(1, stamp);
        if (!isReading) {
            arguments.push_back(std::to_string(toMs(kReadTimeOut)));
        }
        arguments.push_back(std::to_string(toMs(kWriteTimeOut)));
        arguments.push_back(std::to_string(toMs(request.lease)));
        const Outcome outcome = co_await store::runScript(self.node().commands,
                                                          isReading ? scripts::kRwHashStampsRead
                                                                    : scripts::kRwHashStampsWrite,
                                                          std::move(keys), std::move(arguments));
        Grant grant = grantFor(request, std::move(stamp), sentAt, self.now());
        const Duration timeOut = isReading ? kReadTimeOut : kWriteTimeOut;
        grant.trustedUntil = sentAt + std::min(timeOut, request.lease);
        co_return grantedIfOne(outcome, std::move(grant));
    }

    async::Task<ReleaseOutcome> release(Contender& self, Grant grant) const override
    {
        return removeStamp(self, std::move(grant));
    }

private:
    const ProtocolInfo m_info = describe();

    static ProtocolInfo describe()
    {
        ProtocolInfo info = descriptionOf("rw-hash-stamps");
        info.needs = {{"acquire", ServerFeature::Scripts}, {"release", ServerFeature::Scripts}};
        info.endsByValue = true;
        info.defaults.lease = 10s;
        info.hasModes = true;
        return info;
    }
};

} // namespace

const LockProtocol& rwHashStamps()
{
    static const RwHashStamps kProtocol;
    return kProtocol;
}

} // namespace lockscope::protocol::builtin
