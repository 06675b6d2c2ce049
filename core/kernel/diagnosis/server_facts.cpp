#include "core/kernel/diagnosis/server_facts.h"

#include "core/kernel/inspect/key_reader.h"
#include "core/kernel/store/info_fields.h"

#include <chrono>
#include <utility>

namespace lockscope::diagnosis {

using store::Command;
using store::InfoFields;
using store::Outcome;

namespace {

/// "ip=10.0.0.6,port=6379,state=online,offset=140,lag=0"
ReplicaFacts replicaOf(std::string_view line)
{
    const std::string ip(store::infoPart(line, "ip"));
    const bool isBare = ip.find(':') == std::string::npos;
    ReplicaFacts replica;
    replica.address = (isBare ? ip : '[' + ip + ']') + ':'
                      + std::string(store::infoPart(line, "port"));
    replica.isOnline = store::infoPart(line, "state") == "online";
    const auto lag = store::infoNumber(store::infoPart(line, "lag"));
    if (lag && *lag >= 0) {
        replica.lag = std::chrono::seconds(*lag);
    }
    return replica;
}

std::vector<ReplicaFacts> replicasOf(const InfoFields& fields)
{
    std::vector<ReplicaFacts> replicas;
    for (;;) {
        const std::string_view line = fields.at("slave" + std::to_string(replicas.size()));
        if (line.empty()) {
            return replicas;
        }
        replicas.push_back(replicaOf(line));
    }
}

} // namespace

std::string_view ServerFacts::evicts() const
{
    const bool isLimited = memoryLimit > 0 && evictionPolicy != "noeviction";
    return isLimited ? std::string_view(evictionPolicy) : std::string_view();
}

ServerFacts serverFactsOf(std::uint16_t server, const Outcome& outcome)
{
    ServerFacts facts;
    facts.server = server;
    const store::Reply* const reply = replyOf(outcome);
    const std::string* const text = reply != nullptr ? reply->text() : nullptr;
    if (text == nullptr) {
        return facts;
    }
    const InfoFields fields(*text);
    facts.isKnown = !fields.at("role").empty();
    facts.info = store::serverInfoOf(outcome);
    facts.evictionPolicy = fields.at("maxmemory_policy");
    facts.memoryLimit = fields.numberAt("maxmemory").value_or(0);
    facts.memoryUsed = fields.numberAt("used_memory").value_or(0);
    facts.evictedKeys = fields.numberAt("evicted_keys").value_or(0);
    if (!fields.at("aof_enabled").empty()) {
        facts.appendsToFile = fields.isSet("aof_enabled");
    }
    facts.replicas = replicasOf(fields);
    return facts;
}

async::Task<ServerFacts> askServerFacts(store::Store& store, Clock& clock, std::uint16_t server)
{
    Command info("INFO");
    const Outcome told = co_await store.submit(std::move(info));
    ServerFacts facts = serverFactsOf(server, told);
    const Instant askedAt = clock.now();
    Command time("TIME");
    const Outcome outcome = co_await store.submit(std::move(time));
    const store::Reply* const reply = replyOf(outcome);
    const Instant now = clock.now();
    if (reply != nullptr) {
        facts.replyTime = now - askedAt;
    }
    if (reply == nullptr || reply->isError()) {
        co_return facts;
    }
    inspect::ServerWallClock wallClock;
    wallClock.adjust(*reply, askedAt, now);
    if (wallClock.isKnown()) {
        facts.clockAhead = wallClock.at(now) - clock.wallNow();
        facts.clockUncertainty = (now - askedAt) / 2;
    }
    co_return facts;
}

async::Task<ServerFacts> withSettings(store::Store& store, ServerFacts facts)
{
    Command command("CONFIG", "GET", "appendfsync");
    const Outcome outcome = co_await store.submit(std::move(command));
    const store::Reply* const reply = replyOf(outcome);
    const store::Reply::Array* const words = reply != nullptr ? reply->array() : nullptr;
    if (words != nullptr && words->size() == 2 && words->back().text() != nullptr) {
        facts.fsync = *words->back().text();
    }
    co_return facts;
}

} // namespace lockscope::diagnosis
