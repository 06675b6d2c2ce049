#include "core/kernel/protocol/builtin/builtin.h"
#include "core/kernel/protocol/builtin/rw_steps.h"
#include "core/kernel/protocol/builtin/steps.h"
#include "protocol_scripts.h"

#include <utility>

// One hash; its fields `read` and `write` hold a stamp by which the owner knows its own hold. A
// field that is there counts, however old. There is one field for all readers and one expiry for
// all clients (lock-flaws 80 to 85, 87).
namespace lockscope::protocol::builtin {

namespace {

using store::Outcome;

class RwHashFields final : public LockProtocol {
public:
    const ProtocolInfo& info() const override { return m_info; }

    async::Task<AcquireOutcome> attempt(Contender& self, LockRequest request) const override
    {
        const Instant sentAt = self.now();
        Bytes stamp = std::to_string(toEpochMs(self.clock().wallNow()));
        const Outcome outcome = co_await store::runScript(
            self.node().commands,
            isForReading(request) ? scripts::kRwHashFieldsRead : scripts::kRwHashFieldsWrite,
            store::wordsOf(request.key), store::wordsOf(stamp, toMs(request.lease)));
        co_return grantedIfOne(outcome, grantFor(request, std::move(stamp), sentAt, self.now()));
    }

    async::Task<ReleaseOutcome> release(Contender& self, Grant grant) const override
    {
        return removeStamp(self, std::move(grant));
    }

private:
    const ProtocolInfo m_info = describe();

    static ProtocolInfo describe()
    {
        ProtocolInfo info = descriptionOf("rw-hash-fields");
        info.needs = {{"acquire", ServerFeature::Scripts}, {"release", ServerFeature::Scripts}};
        info.hasModes = true;
        return info;
    }
};

} // namespace

const LockProtocol& rwHashFields()
{
    static const RwHashFields kProtocol;
    return kProtocol;
}

} // namespace lockscope::protocol::builtin
