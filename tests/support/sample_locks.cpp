#include "tests/support/sample_locks.h"

#include <memory>

namespace lockscope::test {

using namespace std::chrono_literals;

namespace {

inspect::LockRecord recordOf(const std::string& key, std::string_view format, Instant now)
{
    inspect::LockRecord record;
    record.id.name = key;
    record.setFormat(format);
    record.confidence = inspect::Confidence::High;
    record.firstSeen = now - 12s;
    return record;
}

inspect::Observation observationOf(const inspect::LockRecord& lock)
{
    inspect::Observation observation;
    observation.key = lock.id.name;
    observation.type = inspect::ValueType::String;
    observation.value = lock.holders.empty() || lock.holders.front().owner.empty()
                            ? std::string("1")
                            : lock.holders.front().owner;
    observation.size = observation.value.size();
    observation.isComplete = true;
    if (lock.expiresAt) {
        observation.ttl = 28'400ms;
    }
    return observation;
}

inspect::ReleaseRecipe recipeOf(const inspect::Observation& observation)
{
    inspect::ReleaseRecipe::KeyCheck check;
    check.key = observation.key;
    check.value = observation.value;
    check.comparesExpiry = observation.value == "1";
    inspect::ReleaseRecipe recipe;
    recipe.checks.push_back(check);
    return recipe;
}

} // namespace

inspect::LockRecord stuckFlag(const std::string& key, Instant now)
{
    inspect::LockRecord record = recordOf(key, "flag", now);
    record.holders.push_back({});
    record.firstSeen = now - 5h - 12min;
    record.flags.add(inspect::Flag::NoExpiry);
    record.addEvidence("the value is “1”");
    record.addEvidence("a name part is “job”");
    record.addEvidence("it has no expiry");
    return record;
}

inspect::LockRecord heldToken(const std::string& key, const std::string& owner, Instant now)
{
    inspect::LockRecord record = recordOf(key, "token", now);
    inspect::Holder holder;
    holder.owner = owner;
    record.holders.push_back(holder);
    record.lease = 30s;
    record.expiresAt = now + 21'300ms;
    record.isTakenWhileWatching = true;
    record.renewals = 2;
    record.lastRenewal = now - 9s;
    record.renewedAtMs = {20'100, 19'900, 0};
    record.addEvidence("the value looks like a random token");
    return record;
}

inspect::LockRecord redissonLock(const std::string& key, Instant now)
{
    inspect::LockRecord record = recordOf(key, "redisson-lock", now);
    record.setLibrary("Redisson");
    inspect::Holder holder;
    holder.owner = "5f0c1f2e-77aa-4b1d-9f0b-3f2a51c0d9e1:63";
    holder.holds = 4;
    inspect::ClientInfo client;
    client.address = "10.0.0.7:51622";
    client.name = "billing-3";
    client.how = "client name";
    holder.setClient(std::make_shared<inspect::ClientInfo>(client));
    record.holders.push_back(holder);
    record.lease = 30s;
    record.expiresAt = now + 28'400ms;
    record.firstSeen = now - 41min;
    record.renewals = 240;
    record.lastRenewal = now - 2s;
    record.renewedAtMs = {20'000, 20'000, 20'000};
    record.waiters = 17;
    record.flags.add(inspect::Flag::CountOnlyGrows);
    record.addEvidence("a hash field looks like uuid:threadId");
    return record;
}

operations::LockDetails detailsOf(const inspect::LockRecord& lock)
{
    operations::LockDetails details;
    details.lock = makeShared<inspect::LockRecord>(lock);
    const inspect::Observation observation = observationOf(lock);
    inspect::LockSnapshot snapshot;
    snapshot.name = lock.id.name;
    snapshot.keys.push_back(observation);
    details.snapshots.push_back(snapshot);
    const inspect::ReleaseRecipe recipe = recipeOf(observation);
    details.release = makePlan(inspect::ReleaseAction::Release, details.lock, recipe,
                               {std::nullopt});
    if (!lock.expiresAt) {
        details.capTtl = makePlan(inspect::ReleaseAction::CapTtl, details.lock, recipe,
                                  {std::nullopt}, 60s);
    }
    return details;
}

operations::LockDetails detailsReadAt(Instant time, const inspect::LockRecord& lock)
{
    operations::LockDetails details = detailsOf(lock);
    details.release->servers = {0};
    inspect::Observation& key = details.snapshots.front().keys.front();
    key.seenAt = time;
    key.ttl = lock.expiresAt ? std::optional(*lock.expiresAt - time) : std::nullopt;
    return details;
}

} // namespace lockscope::test
