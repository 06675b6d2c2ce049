#include "core/kernel/protocol/builtin/builtin.h"
#include "core/kernel/protocol/builtin/rw_steps.h"
#include "core/kernel/protocol/builtin/steps.h"
#include "protocol_scripts.h"

#include <utility>

// Two keys on one server, k:read and k:write, and a flag in each. All readers share one flag, so
// the first of them to leave takes it along; a release never checks whose flag it deletes
// (lock-flaws 103, 72, 73, 11).
namespace lockscope::protocol::builtin {

namespace {

using store::Command;
using store::Outcome;

constexpr std::string_view kFlag = "1";

class RwTwoKeys final : public LockProtocol {
public:
    const ProtocolInfo& info() const override { return m_info; }

    async::Task<AcquireOutcome> attempt(Contender& self, LockRequest request) const override
    {
        const Instant sentAt = self.now();
        const bool isReading = isForReading(request);
        const Outcome outcome = co_await store::runScript(
            self.node().commands, isReading ? scripts::kRwTwoKeysRead : scripts::kRwTwoKeysWrite,
            store::wordsOf(readKeyOf(request.key), writeKeyOf(request.key)),
            store::wordsOf(inWholeSeconds(request.lease).count()));
        co_return grantedIfOne(outcome, grantFor(request, Bytes(kFlag), sentAt, self.now()));
    }

    async::Task<ReleaseOutcome> release(Contender& self, Grant grant) const override
    {
        const LockRequest& request = grant.request;
        Command remove("DEL",
                       isForReading(request) ? readKeyOf(request.key) : writeKeyOf(request.key));
        co_return releaseByDel(co_await self.node().commands.submit(std::move(remove)));
    }

private:
    const ProtocolInfo m_info = describe();

    static ProtocolInfo describe()
    {
        ProtocolInfo info = descriptionOf("rw-two-keys");
        info.needs = {{"acquire", ServerFeature::Scripts}};
        info.keys = KeyUse::Two;
        info.hasModes = true;
        return info;
    }
};

} // namespace

const LockProtocol& rwTwoKeys()
{
    static const RwTwoKeys kProtocol;
    return kProtocol;
}

} // namespace lockscope::protocol::builtin
