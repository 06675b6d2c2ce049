#pragma once

#include "core/kernel/async/gate.h"
#include "core/kernel/async/task.h"
#include "core/kernel/base/clock.h"
#include "core/kernel/store/endpoint.h"
#include "core/kernel/store/sentinel.h"
#include "core/wire/connection/connection.h"

#include <cstddef>
#include <memory>
#include <optional>
#include <variant>
#include <vector>

namespace lockscope::wire {

class Heartbeat;

/// Finds out from Sentinels where a master is. All of them are asked at once: a machine that is
/// gone does not even refuse a connection, and its Sentinel often goes together with the master.
/// The answer that counts most failovers wins, so a Sentinel that is cut off from the others
/// misleads nobody while one of these can be asked. Keeps its connections for the next question.
/// Runs on one thread.
class MasterFinder final {
public:
    using Found = std::variant<store::MasterLocation, store::Problem>;

    /// `endpoint` names the Sentinels. Executor and clock outlive this.
    MasterFinder(const store::Endpoint& endpoint, async::Executor& executor, Clock& clock, Rng rng);
    ~MasterFinder();
    MasterFinder(const MasterFinder&) = delete;
    MasterFinder& operator=(const MasterFinder&) = delete;

    /// Takes no longer than a connection may take to be made. Any number of tasks may ask; this
    /// outlives them.
    async::Task<Found> find();

    /// Closes the connections, which the next find() opens again.
    void rest();

private:
    /// One question to all of them.
    struct Round {
        std::vector<store::SentinelAnswer> answers;
        std::size_t openCount = 0;
        bool hasMaster = false;
        async::Gate news;
    };

    void addSentinel(const store::Endpoint& place, Rng& rng);
    void wake(Connection& sentinel);
    async::Task<void> ask(std::size_t index, std::shared_ptr<Round> round);
    async::Task<store::SentinelAnswer> answerOf(std::size_t index);

    async::Executor& m_executor;
    Clock& m_clock;
    store::SentinelSet m_set;
    Duration m_patience;
    std::optional<store::MasterLocation> m_known; // what the last answer was
    std::vector<std::unique_ptr<Connection>> m_sentinels;
    std::vector<std::unique_ptr<Heartbeat>> m_heartbeats; // of each: it may be half open, too
    async::TaskScope m_tasks;
};

} // namespace lockscope::wire
