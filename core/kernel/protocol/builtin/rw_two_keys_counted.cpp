#include "core/kernel/protocol/builtin/builtin.h"
#include "core/kernel/protocol/builtin/rw_steps.h"
#include "core/kernel/protocol/builtin/steps.h"
#include "core/kernel/protocol/builtin/token_steps.h"
#include "protocol_scripts.h"

#include <utility>
#include <vector>

// Two keys on one server: k:read counts the readers, k:write holds the writer's token. The writer
// is safe; the readers are anonymous and have one expiry among them (lock-flaws 71 to 74).
namespace lockscope::protocol::builtin {

namespace {

using store::Outcome;

class RwTwoKeysCounted final : public LockProtocol {
public:
    const ProtocolInfo& info() const override { return m_info; }

    async::Task<AcquireOutcome> attempt(Contender& self, LockRequest request) const override
    {
        const Instant sentAt = self.now();
        const bool isReading = isForReading(request);
        Bytes token = isReading ? Bytes() : self.freshToken(); // a reader leaves only a count
        std::vector<Bytes> keys(1, readKeyOf(request.key));
        keys.push_back(writeKeyOf(request.key));
        std::vector<Bytes> arguments;
        if (!isReading) {
            arguments.push_back(token);
        }
        arguments.push_back(std::to_string(toMs(request.lease)));
        const Outcome outcome = co_await store::runScript(self.node().commands,
                                                          isReading
                                                              ? scripts::kRwTwoKeysCountedRead
                                                              : scripts::kRwTwoKeysCountedWrite,
                                                          std::move(keys), std::move(arguments));
        co_return grantedIfOne(outcome, grantFor(request, std::move(token), sentAt, self.now()));
    }

    async::Task<ReleaseOutcome> release(Contender& self, Grant grant) const override
    {
        if (isForReading(grant.request)) {
            return countOff(self, std::move(grant));
        }
        grant.request.key = writeKeyOf(grant.request.key);
        return releaseWithToken(self.node(), std::move(grant));
    }

private:
    const ProtocolInfo m_info = describe();

    static async::Task<ReleaseOutcome> countOff(Contender& self, Grant grant)
    {
        std::vector<Bytes> keys(1, readKeyOf(grant.request.key));
        const Outcome outcome = co_await store::runScript(self.node().commands,
                                                          scripts::kRwTwoKeysCountedReadUnlock,
                                                          std::move(keys), std::vector<Bytes>());
        if (auto failure = releaseFailure(outcome)) {
            co_return *failure;
        }
        const auto readersLeft = integerIn(outcome);
        if (!readersLeft) {
            co_return Uncertain{unexpectedReply(), std::nullopt};
        }
        if (*readersLeft < 0) {
            co_return NotHeld{};
        }
        co_return Released{};
    }

    static ProtocolInfo describe()
    {
        ProtocolInfo info = descriptionOf("rw-two-keys-counted");
        info.needs = {{"acquire", ServerFeature::Scripts}, {"release", ServerFeature::Scripts}};
        info.keys = KeyUse::Two;
        info.hasModes = true;
        return info;
    }
};

} // namespace

const LockProtocol& rwTwoKeysCounted()
{
    static const RwTwoKeysCounted kProtocol;
    return kProtocol;
}

} // namespace lockscope::protocol::builtin
