#include "core/kernel/protocol/attempts.h"
#include "core/kernel/protocol/builtin/builtin.h"
#include "core/kernel/protocol/builtin/our_steps.h"
#include "core/kernel/protocol/builtin/steps.h"
#include "core/kernel/protocol/builtin/token_steps.h"
#include "core/kernel/store/script.h"
#include "protocol_scripts.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <optional>
#include <utility>

// A token lock with a queue. A refused client queues up and blocks on a list of its own; a
// release hands the lock to the first of the queue and wakes no other client. A client that does
// not fetch it in time has lost its turn.
namespace lockscope::protocol::builtin {

namespace {

using namespace std::chrono_literals;
using store::Command;
using store::Outcome;

constexpr std::string_view kTake = "take";
constexpr std::string_view kGive = "give";
constexpr std::string_view kLeave = "leave";

/// For how long a lock that was handed over waits to be fetched.
constexpr Duration kGrace = 1s;
/// A waiter looks again this often without being woken: the client before it may have died.
constexpr Duration kLookAgain = 2s;
/// A waiter that has not looked for so long is dead, or as good as that.
constexpr Duration kLife = 3 * kLookAgain;
/// The answer to a blocking command may be this late.
constexpr Duration kAnswerDelay = 500ms;

/// As BLPOP wants it: "1.500". At least a millisecond, because 0 would mean forever.
Bytes secondsText(Duration span)
{
    const auto ms = static_cast<long long>(std::max(toMs(span), std::int64_t(1)));
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%lld.%03lld", ms / 1000, ms % 1000);
    return text.data();
}

Bytes bellsOf(std::string_view key)
{
    return companionKey(key, "wake:");
}

async::Task<Outcome> runStep(Contender& self, std::string_view step, LockRequest request,
                             Bytes token, Duration life)
{
    co_return co_await store::runScript(self.node().commands, scripts::kListHandoff,
                                        store::wordsOf(request.key,
                                                       companionKey(request.key, "queue"),
                                                       companionKey(request.key, "alive")),
                                        store::wordsOf(Bytes(step), std::move(token),
                                                       toMs(request.lease), toMs(kGrace),
                                                       toMs(life), bellsOf(request.key)));
}

async::Task<AcquireOutcome> takeLock(Contender& self, LockRequest request, Bytes token,
                                     Duration life)
{
    const Instant sentAt = self.now();
    const Outcome outcome = co_await runStep(self, kTake, request, token, life);
    co_return listedOutcome(outcome, grantFor(request, std::move(token), sentAt, self.now()));
}

async::Task<void> keepAnswer(async::Pending<Outcome> pending, std::optional<Outcome>& answer,
                             async::Gate& bell)
{
    answer = co_await std::move(pending);
    bell.open();
}

/// Blocks on the waiter's own list until a release wakes it, for `span` at most. False when the
/// server could not be asked. An interruption leaves the command behind: leaving the queue ends it.
async::Task<bool> waitToBeWoken(Contender& self, Bytes bellList, Duration span, Instant deadline)
{
    Command pop("BLPOP", std::move(bellList), secondsText(span));
    async::Pending<Outcome> pending = self.node().blocking.submit(std::move(pop));
    std::optional<Outcome> answer;
    const async::BackgroundTask waiting(self.executor(),
                                        keepAnswer(std::move(pending), answer, self.bell()));
    const Instant end = std::min(self.now() + span + kAnswerDelay, deadline);
    while (!answer && !self.isInterrupted() && self.now() < end) {
        co_await self.waitForBell(end);
    }
    co_return !answer || !problemOf(*answer);
}

/// For how long to block: no longer than the hold in the way lasts.
Duration spanOf(const Refused& refused, Duration timeLeft)
{
    return std::min({refused.remaining.value_or(kLookAgain), kLookAgain, timeLeft});
}

async::Task<AcquireOutcome> waitForTurn(const LockProtocol& protocol, Contender& self,
                                        LockRequest request, Bytes token)
{
    Attempts attempts(protocol, self, request);
    const Duration life = request.waitLimit > Duration(0) ? kLife : Duration(0);
    while (true) {
        AcquireOutcome outcome = co_await attempts.next(takeLock(self, request, token, life));
        if (attempts.isOver(outcome)) {
            co_return outcome;
        }
        bool isServerThere = false;
        if (const auto* const refused = std::get_if<Refused>(&outcome)) {
            const Duration span = spanOf(*refused, attempts.deadline() - self.now());
            isServerThere = co_await waitToBeWoken(self, bellsOf(request.key) + token, span,
                                                   attempts.deadline());
        }
        if (!isServerThere) {
            co_await attempts.pause();
        }
    }
}

class ListHandoff final : public LockProtocol {
public:
    const ProtocolInfo& info() const override { return m_info; }

    /// Never queues up.
    async::Task<AcquireOutcome> attempt(Contender& self, LockRequest request) const override
    {
        return takeLock(self, std::move(request), self.freshToken(), Duration(0));
    }

    /// One token for the whole wait: it keeps the place in the queue, and a grant whose answer was
    /// lost is recognised by the next try.
    async::Task<AcquireOutcome> acquire(Contender& self, LockRequest request) const override
    {
        const Bytes token = self.freshToken();
        AcquireOutcome outcome = co_await waitForTurn(*this, self, request, token);
        const bool mayStandInQueue = request.waitLimit > Duration(0) && !isGranted(outcome);
        if (mayStandInQueue) {
            co_await runStep(self, kLeave, std::move(request), token, Duration(0));
        }
        co_return outcome;
    }

    async::Task<RenewOutcome> renew(Contender& self, Grant grant) const override
    {
        return renewWithToken(self, self.node(), std::move(grant));
    }

    async::Task<ReleaseOutcome> release(Contender& self, Grant grant) const override
    {
        const Outcome outcome = co_await runStep(self, kGive, grant.request, grant.token,
                                                 Duration(0));
        co_return releasedIfOne(outcome);
    }

private:
    const ProtocolInfo m_info = describe();

    static ProtocolInfo describe()
    {
        ProtocolInfo info = descriptionOf("list-handoff");
        info.needs = {{"acquire", ServerFeature::ScriptTime},
                      {"wait", ServerFeature::BlockingPop},
                      {"renew", ServerFeature::Scripts},
                      {"release", ServerFeature::ScriptTime}};
        info.canRenew = true;
        return info;
    }
};

} // namespace

const LockProtocol& listHandoff()
{
    static const ListHandoff kProtocol;
    return kProtocol;
}

} // namespace lockscope::protocol::builtin
