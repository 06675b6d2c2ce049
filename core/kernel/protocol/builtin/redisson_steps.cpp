#include "core/kernel/protocol/builtin/redisson_steps.h"

#include "core/kernel/protocol/builtin/builtin.h"
#include "core/kernel/protocol/builtin/steps.h"
#include "protocol_scripts.h"

#include <utility>

namespace lockscope::protocol::builtin {

using namespace std::chrono_literals;
using store::Command;
using store::Outcome;

namespace {

constexpr int kUnlockTriesMax = 4;
constexpr Duration kUnlockPause = 1500ms;
constexpr Duration kLatchLife = 18s; // longer than all tries together

ReleaseOutcome readUnlock(const Outcome& outcome)
{
    if (auto failure = releaseFailure(outcome)) {
        return *failure;
    }
    const std::int64_t answer = integerIn(outcome).value_or(-3);
    if (answer >= 0) {
        return Released{static_cast<int>(answer)};
    }
    if (answer == -1 || answer == -2) {
        return NotHeld{answer == -2};
    }
    return Uncertain{unexpectedReply(), std::nullopt};
}

} // namespace

ProtocolInfo redissonInfo(const std::string& id)
{
    ProtocolInfo info = descriptionOf(id);
    info.needs = {{"acquire", ServerFeature::Scripts},
                  {"wait", ServerFeature::PubSub},
                  {"renew", ServerFeature::Scripts},
                  {"release", ServerFeature::Scripts}};
    info.defaults.lease = 30s;
    info.defaults.renewal.period = 10s;
    info.isReentrant = true;
    info.canRenew = true;
    return info;
}

Bytes redissonTag(std::string_view key)
{
    const bool hasTag = key.find('{') != std::string_view::npos;
    return hasTag ? Bytes(key) : Bytes("{").append(key).append("}");
}

Bytes redissonName(std::string_view prefix, std::string_view key)
{
    return Bytes(prefix).append(":").append(redissonTag(key));
}

std::optional<RedissonAnswer> redissonAnswer(const Outcome& outcome)
{
    const store::Reply* const reply = replyOf(outcome);
    const store::Reply::Array* const parts = reply != nullptr ? reply->array() : nullptr;
    if (parts == nullptr || parts->empty() || !parts->front().integer()) {
        return std::nullopt;
    }
    RedissonAnswer answer;
    answer.count = static_cast<int>(*parts->front().integer());
    const auto remainingMs = parts->size() > 1 ? parts->at(1).integer() : std::nullopt;
    if (remainingMs && *remainingMs >= 0) {
        answer.remaining = std::chrono::milliseconds(*remainingMs);
    }
    return answer;
}

AcquireOutcome redissonOutcome(const Outcome& outcome, Grant grant)
{
    if (auto failure = acquireFailure(outcome, grant)) {
        return *failure;
    }
    const auto answer = redissonAnswer(outcome);
    if (!answer) {
        return Uncertain{unexpectedReply(), std::move(grant)};
    }
    if (answer->count == 0) {
        return Refused{answer->remaining};
    }
    grant.holds = answer->count;
    return grant;
}

async::Task<RenewOutcome> renewRedissonField(Contender& self, Grant grant)
{
    const Instant sentAt = self.now();
    const Outcome outcome = co_await store::runScript(self.node().commands, scripts::kRedissonRenew,
                                                      store::wordsOf(grant.request.key),
                                                      store::wordsOf(grant.token,
                                                                     toMs(grant.request.lease)));
    co_return renewedIfOne(outcome, sentAt + grant.request.lease);
}

async::Task<ReleaseOutcome> unlockRedisson(Contender& self, Grant grant, RedissonUnlock unlock)
{
    const Bytes& key = grant.request.key;
    const Bytes latch = redissonName("redisson_unlock_latch", key) + ':' + self.freshToken();
    std::vector<Bytes> keys(1, key);
    keys.push_back(latch);
    keys.insert(keys.end(), unlock.moreKeys.begin(), unlock.moreKeys.end());
    std::vector<Bytes> arguments(1, grant.token);
    arguments.push_back(std::to_string(toMs(grant.request.lease)));
    arguments.push_back(unlock.channel);
    arguments.push_back(std::to_string(toMs(kLatchLife)));
    arguments.insert(arguments.end(), unlock.moreArguments.begin(), unlock.moreArguments.end());
    for (int tries = 1;; ++tries) {
        const Outcome outcome = co_await store::runScript(self.node().commands, unlock.script, keys,
                                                          arguments);
        if (!std::holds_alternative<store::Unknown>(outcome) || tries == kUnlockTriesMax) {
            Command forget("DEL", latch);
            co_await self.node().commands.submit(std::move(forget));
            co_return readUnlock(outcome);
        }
        co_await self.clock().wakeAt(self.now() + kUnlockPause);
    }
}

} // namespace lockscope::protocol::builtin
