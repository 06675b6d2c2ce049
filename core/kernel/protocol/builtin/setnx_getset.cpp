#include "core/kernel/protocol/builtin/builtin.h"
#include "core/kernel/protocol/builtin/flag_steps.h"
#include "core/kernel/protocol/builtin/steps.h"

#include <cstddef>
#include <utility>

// The value says when the hold ends, by the clock of the client that wrote it. SETNX k <stamp> and
// EXPIRE k T; a client that finds a past stamp takes over by GETSET, if GETSET returns the very
// stamp it saw. DEL k (lock-flaws 11, 20 to 24, 100).
namespace lockscope::protocol::builtin {

namespace {

using namespace std::chrono_literals;
using store::Command;
using store::Outcome;

/// The stamp lies this much behind the end of the lease: only a key whose EXPIRE never came, or a
/// client whose clock is that far ahead, leads to a takeover.
constexpr Duration kTolerance = 1s;
constexpr std::size_t kStampSize = 8;

/// Eight bytes, the greatest first, of milliseconds since 1970.
Bytes stampBytes(WallTime at)
{
    const auto ms = static_cast<std::uint64_t>(toEpochMs(at));
    Bytes bytes;
    for (std::size_t i = kStampSize; i-- > 0;) {
        bytes.push_back(static_cast<char>(ms >> (8 * i) & 0xff));
    }
    return bytes;
}

std::optional<WallTime> stampIn(const Bytes& bytes)
{
    if (bytes.size() != kStampSize) {
        return std::nullopt;
    }
    std::uint64_t ms = 0;
    for (const char byte : bytes) {
        ms = ms << 8 | static_cast<unsigned char>(byte);
    }
    return wallTimeOfMs(static_cast<std::int64_t>(ms));
}

const Bytes* bytesIn(const Outcome& outcome)
{
    const store::Reply* const reply = replyOf(outcome);
    return reply != nullptr ? reply->text() : nullptr;
}

class SetnxGetset final : public FlagLock {
public:
    SetnxGetset() : FlagLock(describe()) {}

    async::Task<AcquireOutcome> attempt(Contender& self, LockRequest request) const override
    {
        request.lease = inWholeSeconds(request.lease);
        const Instant sentAt = self.now();
        const Bytes stamp = freshStamp(self, request);
        Command take("SETNX", request.key, stamp);
        const Outcome taken = co_await self.node().commands.submit(std::move(take));
        AcquireOutcome outcome = grantedIfOne(taken, grantFor(request, stamp, sentAt, self.now()));
        if (std::holds_alternative<Refused>(outcome)) {
            outcome = co_await takeOver(self, request);
        }
        if (auto* const grant = grantOf(outcome)) {
            outcome = co_await giveExpiry(self, std::move(*grant));
        }
        co_return outcome;
    }

private:
    static Bytes freshStamp(Contender& self, const LockRequest& request)
    {
        return stampBytes(self.clock().wallNow()
                          + std::chrono::milliseconds(toMs(request.lease + kTolerance)));
    }

    /// What a client does that found the key taken.
    static async::Task<AcquireOutcome> takeOver(Contender& self, LockRequest request)
    {
        Command look("GET", request.key);
        const Outcome seen = co_await self.node().commands.submit(std::move(look));
        if (auto problem = problemOf(seen)) {
            co_return Unavailable{std::move(*problem)}; // looking changes nothing
        }
        if (isNil(seen)) {
            co_return Refused{}; // released in between: the next try may do better
        }
        const Bytes* const before = bytesIn(seen);
        const auto endsAt = before != nullptr ? stampIn(*before) : std::nullopt;
        if (!endsAt) {
            co_return Unavailable{unexpectedReply()}; // no stamp of ours, so no lock of ours
        }
        if (*endsAt >= self.clock().wallNow()) {
            co_return Refused{*endsAt - self.clock().wallNow()};
        }
        const Instant sentAt = self.now();
        const Bytes stamp = freshStamp(self, request);
        Command replace("GETSET", request.key, stamp);
        const Outcome replaced = co_await self.node().commands.submit(std::move(replace));
        Grant grant = grantFor(request, stamp, sentAt, self.now());
        if (auto failure = acquireFailure(replaced, grant)) {
            co_return *failure;
        }
        const Bytes* const there = bytesIn(replaced);
        if (there != nullptr && *there == *before) {
            co_return grant;
        }
        if (there != nullptr || isNil(replaced)) {
            co_return Refused{}; // another client was faster, but our stamp stands there now
        }
        co_return Uncertain{unexpectedReply(), std::move(grant)};
    }

    /// The lock is ours already; without an answer it is only uncertain when it ends.
    static async::Task<AcquireOutcome> giveExpiry(Contender& self, Grant grant)
    {
        Command expire("EXPIRE", grant.request.key, inWholeSeconds(grant.request.lease).count());
        const Outcome expires = co_await self.node().commands.submit(std::move(expire));
        if (auto problem = problemUnlessInteger(expires)) {
            co_return Uncertain{std::move(*problem), std::move(grant)};
        }
        grant.grantedAt = self.now();
        co_return grant;
    }

    static ProtocolInfo describe()
    {
        ProtocolInfo info = descriptionOf("setnx-getset");
        info.endsByValue = true;
        return info;
    }
};

} // namespace

const LockProtocol& setnxGetset()
{
    static const SetnxGetset kProtocol;
    return kProtocol;
}

} // namespace lockscope::protocol::builtin
