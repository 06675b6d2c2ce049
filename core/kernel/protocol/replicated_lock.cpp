#include "core/kernel/protocol/replicated_lock.h"

#include "core/kernel/store/reply.h"

#include <utility>

namespace lockscope::protocol {

using store::Command;
using store::Outcome;

namespace {

/// One replica, within this many milliseconds.
constexpr const char* kReplicas = "1";
constexpr const char* kPatienceMs = "1000";

bool isAcknowledged(const Outcome& answer)
{
    const store::Reply* const reply = store::replyOf(answer);
    const auto count = reply != nullptr ? reply->integer() : std::nullopt;
    return count && *count >= 1;
}

} // namespace

async::Task<AcquireOutcome> ReplicatedLock::attempt(Contender& self, LockRequest request) const
{
    store::Store& server = self.node().commands;
    const std::uint64_t session = server.session();
    AcquireOutcome outcome = co_await m_lock->attempt(self, std::move(request));
    const Grant* const grant = grantOf(outcome);
    if (grant == nullptr) {
        co_return outcome;
    }
    Command wait("WAIT", kReplicas, kPatienceMs);
    const Outcome answer = co_await server.submit(std::move(wait));
    // On another connection than that of the grant, WAIT asks for nothing and is content at once,
    // also when the grant went down with the former master.
    if (isAcknowledged(answer) && server.session() == session) {
        co_return outcome;
    }
    Grant given = *grant;
    co_await m_lock->release(self, std::move(given));
    co_return Refused{};
}

} // namespace lockscope::protocol
