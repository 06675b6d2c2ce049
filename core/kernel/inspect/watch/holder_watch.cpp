#include "core/kernel/inspect/watch/holder_watch.h"

#include "core/kernel/inspect/decoder.h"
#include "core/kernel/inspect/server_questions.h"
#include "core/kernel/inspect/watch/hold_tracking.h"

#include <algorithm>
#include <functional>
#include <map>
#include <tuple>
#include <utility>
#include <variant>

namespace lockscope::inspect {

namespace {

/// A string under the name of the lock is the lock. Anything else may be waiters only.
std::vector<SeenHold> unrecognisedHold(const Observation& seen, std::size_t lock)
{
    if (seen.type != ValueType::String) {
        return {};
    }
    return {{lock, seen.value, seen.ttl ? seen.seenAt + *seen.ttl : Instant::max()}};
}

} // namespace

std::vector<SeenHold> holdsIn(const LockSnapshot& snapshot, std::size_t lock,
                              const Recognisers& recognisers)
{
    const std::vector<DecodedLock> decodedLocks = recognised(snapshot, recognisers);
    if (decodedLocks.empty()) {
        return unrecognisedHold(snapshot.main(), lock);
    }
    const LockRecord record = recordOf(snapshot, decodedLocks.front());
    const Instant untilAll = record.expiresAt.value_or(Instant::max());
    std::vector<SeenHold> holds;
    for (const Holder& holder : record.holders) {
        const Instant until = holder.expiresAt.value_or(untilAll);
        if (until > snapshot.main().seenAt) {
            holds.push_back({lock, holder.owner, until, holder.mode == Mode::Read});
        }
    }
    return holds;
}

std::vector<SeenHold> majorityOf(const std::vector<std::vector<SeenHold>>& holdsOnServers)
{
    const std::size_t majority = holdsOnServers.size() / 2 + 1;
    std::map<std::tuple<std::size_t, Bytes, bool>, std::vector<Instant>> ends; // by whose they are
    for (const std::vector<SeenHold>& holds : holdsOnServers) {
        for (const SeenHold& hold : holds) {
            ends[{hold.lock, hold.owner, hold.isShared}].push_back(hold.until);
        }
    }
    std::vector<SeenHold> common;
    for (auto& [whose, untils] : ends) {
        if (untils.size() >= majority) {
            std::ranges::sort(untils, std::greater<>());
            const auto& [lock, owner, isShared] = whose;
            common.push_back({lock, owner, untils[majority - 1], isShared});
        }
    }
    return common;
}

namespace {

/// What a majority has, and what each of the servers has.
std::vector<SeenHold> holdsOnAll(std::vector<std::vector<SeenHold>> holdsOnServers)
{
    std::vector<SeenHold> all = majorityOf(holdsOnServers);
    for (std::size_t node = 0; node < holdsOnServers.size(); ++node) {
        for (SeenHold& hold : holdsOnServers[node]) {
            hold.node = static_cast<int>(node);
            all.push_back(std::move(hold));
        }
    }
    return all;
}

} // namespace

HolderWatch::HolderWatch(std::vector<store::Store*> servers, Clock& clock,
                         std::vector<KeyGroup> locks, FormatTablePtr formats)
    : m_clock(clock),
      m_locks(std::move(locks)),
      m_formats(std::move(formats))
{
    for (store::Store* const server : servers) {
        m_servers.push_back({server, {}});
    }
}

async::Task<std::optional<Look>> HolderWatch::look()
{
    std::vector<std::vector<SeenHold>> seen;
    Look look;
    look.askedAt = m_clock.now();
    for (Server& server : m_servers) {
        std::optional<std::vector<SeenHold>> holds = co_await lookAt(server);
        if (!holds) {
            look.silent.push_back(static_cast<int>(seen.size()));
        }
        seen.push_back(holds ? std::move(*holds) : std::vector<SeenHold>());
    }
    if (look.silent.size() > (m_servers.size() - 1) / 2) {
        co_return std::nullopt;
    }
    look.at = m_clock.now();
    look.holds = seen.size() == 1 ? std::move(seen.front()) : holdsOnAll(std::move(seen));
    co_return look;
}

/// nullopt: it did not answer.
async::Task<std::optional<std::vector<SeenHold>>> HolderWatch::lookAt(Server& server)
{
    const bool isAnswering = co_await adjustWallClock(*server.store, m_clock, server.wallClock);
    if (!isAnswering) {
        co_return std::nullopt;
    }
    KeyReader reader(*server.store, m_clock, server.wallClock, ReadLimits(), m_formats);
    std::vector<KeyGroup> groups = m_locks;
    auto result = co_await reader.sight(0, std::move(groups));
    auto* const snapshots = std::get_if<std::vector<LockSnapshot>>(&result);
    if (snapshots == nullptr) {
        co_return std::nullopt;
    }
    std::vector<SeenHold> holds;
    for (std::size_t lock = 0; lock < snapshots->size(); ++lock) {
        (*snapshots)[lock].isNamedByUser = true;
        std::vector<SeenHold> found = holdsIn((*snapshots)[lock], lock, m_formats->recognisers());
        holds.insert(holds.end(), std::make_move_iterator(found.begin()),
                     std::make_move_iterator(found.end()));
    }
    co_return holds;
}

} // namespace lockscope::inspect
