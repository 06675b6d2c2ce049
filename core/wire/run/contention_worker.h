#pragma once

#include "core/kernel/async/task.h"
#include "core/kernel/base/rng.h"
#include "core/kernel/protocol/contender.h"
#include "core/kernel/protocol/lock_protocol.h"
#include "core/kernel/trace/event_log.h"
#include "core/kernel/workload/contender_life.h"
#include "core/kernel/workload/leftover.h"
#include "core/kernel/workload/process.h"
#include "core/kernel/workload/scenario.h"
#include "core/kernel/workload/shared_page.h"
#include "core/service/live_runner.h"
#include "core/wire/connection/redis_channels.h"
#include "core/wire/loop_clock.h"
#include "core/wire/loop_executor.h"
#include "core/wire/watch/lock_client.h"

#include <QObject>
#include <QTimer>

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace lockscope::wire {

/// The contenders that one thread runs.
struct Assignment {
    workload::Scenario scenario;
    std::shared_ptr<const protocol::LockProtocol> protocol;
    std::vector<store::Endpoint> servers;
    std::shared_ptr<workload::SharedPage> page; // shared with the other threads
    trace::ContenderId firstContender = 0;
    int contenderCount = 0;
    int connectionCount = 0; // that its contenders share, to each server; 0: one each
    std::uint64_t seed = 1;
};

/// How a contender appears to the servers from now on: after a crash it is another client.
struct Introduction {
    protocol::Identity identity;
    trace::ContenderId contender = 0;
};

/// What a worker hands over, some twenty times a second.
struct WorkerReport {
    std::vector<trace::Event> events; // in the order of time, all since the last report
    std::vector<workload::ContenderStatus> contenders;
    std::vector<Introduction> introductions; // since the last report
    std::uint64_t commandCount = 0;          // since the last report
    std::optional<store::Problem> refusal{}; // of one of the contenders, once there was one
    Instant until{};                         // nothing earlier than this will be reported any more
};

/// Runs on a worker thread and owns everything of its contenders: connections, clocks, tasks.
/// Every contender is a client program of its own to the server, unless contenders share
/// connections: then they are the tasks of one program.
class ContentionWorker final : public QObject {
    Q_OBJECT
public:
    ContentionWorker();
    ~ContentionWorker() override;

    /// Connects all clients. Ends with prepared() or unprepared().
    void prepare(const Assignment& assignment);
    /// All contenders begin.
    void go();
    void park();
    void unpark();
    /// All contenders release and end; ended() follows as soon as they have, and after 2 s if a
    /// server does not answer.
    void finish();
    /// Looks which locks were left behind: a fresh contender asks for each of which a key is there,
    /// and gives back what it gets. A semaphore is asked by as many as it has permits. Answered by
    /// looked().
    void lookForLeftovers();

Q_SIGNALS:
    void prepared();
    void unprepared(const lockscope::store::Problem& problem);
    void reported(const lockscope::wire::WorkerReport& report);
    void ended();
    void looked(const std::vector<lockscope::workload::Leftover>& left);

private:
    struct Leftovers {
        int lock = 0;
        std::vector<workload::Leftover> keys;
    };
    /// One pretended client program: its connections survive its crashes, the rest does not.
    struct ClientSlot {
        std::unique_ptr<workload::Process> process;
        std::unique_ptr<LockClient> client;
        std::unique_ptr<protocol::ClientMemory> memory;
        std::unique_ptr<protocol::Contender> contender;
        std::unique_ptr<workload::ContenderLife> life;
        async::BackgroundTask supervisor;
        trace::ContenderId id = 0;
        Rng rng{0};
        std::uint64_t incarnation = 0;
        std::uint64_t acquisitionCount = 0;
    };

    struct FreshClient;

    std::unique_ptr<LockClient> makeClient(int index);
    void makeSlot(int index);
    void incarnate(ClientSlot& slot);
    async::Task<void> supervise(ClientSlot& slot);
    async::Task<void> waitForConnections();
    async::Task<void> look();
    async::Task<std::vector<Leftovers>> keysThere();
    protocol::LockRequest freshRequestFor(int lock) const;
    async::Task<bool> isOpen(int lock);
    void report();
    void drop();
    void slotEnded();
    workload::ContenderStatus statusOf(const ClientSlot& slot) const;
    void countAcquisitions(const std::vector<trace::Event>& events);

    LoopExecutor m_executor;
    LoopClock m_clock;
    trace::EventLog m_log;
    std::vector<Introduction> m_introductions; // not yet reported
    Assignment m_assignment;
    Rng m_rng{1};
    std::vector<std::unique_ptr<RedisChannels>> m_channels;
    std::vector<Connections> m_sharedConnections; // empty: every slot has its own
    std::vector<std::unique_ptr<ClientSlot>> m_slots;
    std::size_t m_busySlotCount = 0;
    bool m_isFinishing = false;
    QTimer m_reportTimer;
    QTimer m_patienceTimer;
    async::TaskScope m_tasks;
};

} // namespace lockscope::wire
