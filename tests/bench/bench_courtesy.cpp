// P8: what watching costs the server. 1,000 locks change 100 times a second beside 10,000 unrelated
// writes a second; the server's own account of its processor time (INFO cpu) without and with a
// watcher, and with MONITOR, in turns in one run. So everything counts: our commands, and what
// tracking adds to the writes of others. Then what the others notice while all of 1,000,000 keys
// are looked at: how long their commands take, without us, beside the floor (scan_floor), beside
// our sweep, and beside one with a budget. `bench_courtesy cluster`: the same of a cluster of three
// masters, without MONITOR.

#include "core/wire/connection/server_connections.h"
#include "core/wire/loop_clock.h"
#include "core/wire/loop_executor.h"
#include "core/wire/watch/redis_monitor.h"
#include "core/wire/worker_thread.h"
#include "tests/bench/bench_servers.h"
#include "tests/bench/one_sweep.h"
#include "tests/support/live/plain_client.h"

#include <QCoreApplication>
#include <QLocalSocket>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

using namespace lockscope;
using namespace std::chrono_literals;

namespace {

constexpr int kLocks = 1000;
constexpr int kLockChangesPerSecond = 100;
constexpr int kOthers = 100'000;
/// Each sends its writes one by one, as programs do; a pipeline would hide what a message costs.
constexpr int kWriters = 10;
constexpr int kWritesPerSecond = 10'000;
/// The first look at all keys, and the choice of what to listen to, are over by then.
constexpr Duration kSettling = 4s;
constexpr Duration kMeasured = 10s;
constexpr int kRounds = 5;
/// With those above, a million.
constexpr int kPlainKeys = 900'000;
constexpr int kPieces = 20;
constexpr double kBudgetPercent = 25;

std::string otherKey(std::uint64_t index)
{
    return "session:" + std::to_string(index);
}

store::Command takeLock(std::uint64_t index, std::uint64_t token)
{
    return store::Command("SET", "lock:courtesy:" + std::to_string(index),
                          "5f0c9a41-77aa-4c1e-9f00-" + std::to_string(100'000'000'000 + token),
                          "PX", 3'600'000);
}

/// All other clients of the server, on a thread of their own.
class Crowd final : public QObject {
    Q_OBJECT
public:
    explicit Crowd(store::Endpoint endpoint)
        : m_endpoint(std::move(endpoint)),
          m_executor(this),
          m_clock(this)
    {}

    void start()
    {
        for (int i = 0; i <= kWriters; ++i) {
            m_clients.push_back(std::make_unique<wire::ServerConnections>(
                m_executor, m_clock, Rng(static_cast<std::uint64_t>(i))));
            m_clients.back()->setEndpoints({m_endpoint});
        }
        m_tasks.emplace_back(m_executor, fill());
    }

    /// How long the writes since the last call took, in milliseconds. From any thread.
    std::vector<double> takeLatencies()
    {
        const std::lock_guard guard(m_mutex);
        return std::exchange(m_latencies, {});
    }

Q_SIGNALS:
    void ready();

private:
    async::Task<void> fill()
    {
        for (const auto& client : m_clients) {
            co_await client->store(0).whenSettled();
        }
        store::Store& first = m_clients.front()->store(0);
        constexpr std::uint64_t kBatch = 1000;
        for (std::uint64_t i = 0; i < kOthers; i += kBatch) {
            std::vector<store::Command> batch;
            for (std::uint64_t k = i; k < i + kBatch; ++k) {
                batch.emplace_back("SET", otherKey(k), "value");
            }
            co_await first.submitAll(std::move(batch));
        }
        std::vector<store::Command> locks;
        for (std::uint64_t i = 0; i < kLocks; ++i) {
            locks.push_back(takeLock(i, 0));
        }
        co_await first.submitAll(std::move(locks));
        m_tasks.emplace_back(m_executor, changeLocks(first));
        for (std::size_t i = 1; i <= kWriters; ++i) {
            m_tasks.emplace_back(m_executor, writeOthers(m_clients[i]->store(0), Rng(i)));
        }
        Q_EMIT ready();
    }

    async::Task<void> changeLocks(store::Store& store)
    {
        Rng rng(1);
        const Instant begin = m_clock.now();
        for (std::uint64_t count = 1;; ++count) {
            store::Command command = takeLock(rng.below(kLocks), count);
            co_await store.submit(std::move(command));
            co_await m_clock.wakeAt(begin + pause(count, kLockChangesPerSecond));
        }
    }

    async::Task<void> writeOthers(store::Store& store, Rng rng)
    {
        const Instant begin = m_clock.now();
        for (std::uint64_t count = 1;; ++count) {
            store::Command command("SET", otherKey(rng.below(kOthers)), "other");
            const Instant sentAt = m_clock.now();
            co_await store.submit(std::move(command));
            noteLatency(m_clock.now() - sentAt);
            co_await m_clock.wakeAt(begin + pause(count, kWritesPerSecond / kWriters));
        }
    }

    void noteLatency(Duration latency)
    {
        const std::lock_guard guard(m_mutex);
        m_latencies.push_back(std::chrono::duration<double, std::milli>(latency).count());
    }

    static Duration pause(std::uint64_t count, int perSecond)
    {
        return Duration(1s) * static_cast<Duration::rep>(count) / perSecond;
    }

    store::Endpoint m_endpoint;
    wire::LoopExecutor m_executor;
    wire::LoopClock m_clock;
    std::vector<std::unique_ptr<wire::ServerConnections>> m_clients; // the first takes the locks
    std::mutex m_mutex;
    std::vector<double> m_latencies;
    std::vector<async::BackgroundTask> m_tasks;
};

double median(std::vector<double> values)
{
    std::ranges::sort(values);
    return values[values.size() / 2];
}

double percentile(std::vector<double>& values, double percent)
{
    std::ranges::sort(values);
    const auto index = static_cast<std::size_t>(static_cast<double>(values.size() - 1) * percent
                                                / 100);
    return values.empty() ? 0 : values[index];
}

/// One after the other, as often as there are rounds, while the others go on.
struct Beside {
    const char* name;
    std::vector<double> medians; // of the others, in ms
    std::vector<double> p99s;
    std::vector<double> seconds; // that the looking took
};

/// Measures in turns, and prints.
class Bench final : public QObject {
    Q_OBJECT
public:
    explicit Bench(const bench::BenchServers& servers)
        : m_servers(servers),
          m_connections(m_executor, m_clock, Rng(3)),
          m_crowd(QStringLiteral("crowd"), servers.endpoint())
    {
        store::Endpoint endpoint = servers.endpoint();
        endpoint.requestTimeout = 2min;
        m_connections.setEndpoints({endpoint});
        for (const store::Endpoint& node : servers.nodes()) {
            m_nodes.push_back(std::make_unique<testing::PlainClient>(node));
        }
        connect(m_crowd.object(), &Crowd::ready, this,
                [this] { m_task = async::BackgroundTask(m_executor, measure()); });
        m_crowd.post([](Crowd& crowd) { crowd.start(); });
    }

private:
    async::Task<void> measure()
    {
        co_await measureWatching();
        co_await measureSweeps();
        QCoreApplication::quit();
    }

    async::Task<void> measureWatching()
    {
        std::vector<double> ours;
        std::vector<double> monitors;
        for (int round = 1; round <= kRounds; ++round) {
            const double alone = co_await shareOfCore();
            const double watched = co_await shareWhenWatched();
            const double monitored = m_servers.isCluster() ? alone : co_await shareWithMonitor();
            ours.push_back(watched - alone);
            monitors.push_back(monitored - alone);
            std::printf("   round %d: alone %.2f %% of a core, watched %.2f %%, with MONITOR "
                        "%.2f %%; %.0f writes/s; %.0f commands/s and %.0f messages/s of ours\n",
                        round, 100 * alone, 100 * watched, 100 * monitored, m_writesPerSecond,
                        m_load.commandsPerSecond, m_load.changesPerSecond);
        }
        std::printf("P8 watching %s, %d locks, %d changes/s beside %d writes/s: %.2f %% of a core "
                    "of the servers, medians of %d (goal <= 1); MONITOR: %.2f %%\n",
                    m_servers.name(), kLocks, kLockChangesPerSecond, kWritesPerSecond,
                    100 * median(ours), kRounds, 100 * median(monitors));
    }

    async::Task<double> shareWhenWatched()
    {
        wire::RedisMonitor monitor;
        connect(&monitor, &wire::RedisMonitor::loadMeasured, this,
                [this](const service::ServerLoad& load) { m_load = load; });
        std::vector<store::Endpoint> endpoints(1, m_servers.endpoint());
        monitor.open(std::move(endpoints), {});
        const double share = co_await shareOfCore();
        co_return share;
    }

    async::Task<double> shareWithMonitor()
    {
        QLocalSocket socket;
        connect(&socket, &QLocalSocket::readyRead, this, [&socket] { socket.readAll(); });
        socket.connectToServer(QString::fromStdString(m_servers.endpoint().socketPath));
        socket.write("MONITOR\r\n");
        const double share = co_await shareOfCore();
        co_return share;
    }

    /// That the servers use while things are as they are now.
    async::Task<double> shareOfCore()
    {
        co_await m_clock.wakeAt(m_clock.now() + kSettling);
        const double before = processorSeconds();
        const Instant begin = m_clock.now();
        m_crowd.object()->takeLatencies();
        co_await m_clock.wakeAt(begin + kMeasured);
        const double after = processorSeconds();
        const double passed = std::chrono::duration<double>(m_clock.now() - begin).count();
        m_writesPerSecond = static_cast<double>(m_crowd.object()->takeLatencies().size()) / passed;
        co_return (after - before) / passed;
    }

    double processorSeconds()
    {
        double sum = 0;
        for (const auto& node : m_nodes) {
            const std::string text = *(*node)("INFO", "cpu").text();
            const auto secondsOf = [&text](const std::string& name) {
                return std::stod(text.substr(text.find(name) + name.size()));
            };
            sum += secondsOf("\nused_cpu_sys:") + secondsOf("\nused_cpu_user:");
        }
        return sum;
    }

    async::Task<void> measureSweeps()
    {
        // In pieces: a server that is silent for seconds is taken for one that is gone.
        for (int piece = 0; piece < kPieces; ++piece) {
            for (const auto& node : m_nodes) {
                (*node)("DEBUG", "POPULATE",
                        kPlainKeys / kPieces / static_cast<int>(m_nodes.size()),
                        "data" + std::to_string(piece), 32);
            }
            co_await m_clock.wakeAt(m_clock.now()); // our connections hear from it in between
        }
        co_await m_connections.store(0).whenSettled();
        Beside alone{"nobody", {}, {}, {}};
        Beside floor{"the floor", {}, {}, {}};
        Beside full{"our sweep", {}, {}, {}};
        Beside limited{"our sweep, max-percent=25", {}, {}, {}};
        store::Budget budget;
        budget.percent = kBudgetPercent;
        for (int round = 0; round < kRounds; ++round) {
            m_crowd.object()->takeLatencies();
            co_await m_clock.wakeAt(m_clock.now() + 3s);
            note(alone, 3);
            const double floorSeconds = co_await runFloor();
            note(floor, floorSeconds);
            const auto ours = co_await bench::sweepOnce(m_executor, m_connections.store(0),
                                                        m_clock);
            note(full, ours.seconds);
            const auto within = co_await bench::sweepOnce(m_executor, m_connections.store(0),
                                                          m_clock, budget);
            note(limited, within.seconds);
        }
        const double floorSeconds = median(floor.seconds);
        for (const Beside& beside : {alone, floor, full, limited}) {
            std::printf("P1 beside %d writes/s on %s, %-26s %6.2f s, %5.2f x the floor; the "
                        "others' p50 %.2f ms, p99 %.2f ms, %.2f x alone (goal <= 2), medians of "
                        "%d\n",
                        kWritesPerSecond, m_servers.name(), beside.name, median(beside.seconds),
                        median(beside.seconds) / floorSeconds, median(beside.medians),
                        median(beside.p99s), median(beside.p99s) / median(alone.p99s), kRounds);
        }
    }

    void note(Beside& beside, double seconds)
    {
        std::vector<double> latencies = m_crowd.object()->takeLatencies();
        beside.medians.push_back(percentile(latencies, 50));
        beside.p99s.push_back(percentile(latencies, 99));
        beside.seconds.push_back(seconds);
    }

    /// Without holding up anything here.
    async::Task<double> runFloor()
    {
        double seconds = 0;
        for (const store::Endpoint& node : m_servers.nodes()) {
            QProcess floor;
            floor.start(bench::floorProgram(), {bench::floorAddress(node)});
            while (floor.state() != QProcess::NotRunning) {
                co_await m_clock.wakeAt(m_clock.now() + 5ms);
            }
            seconds += bench::floorResult(floor).seconds;
        }
        co_return seconds;
    }

    const bench::BenchServers& m_servers;
    wire::LoopExecutor m_executor;
    wire::LoopClock m_clock;
    wire::ServerConnections m_connections;
    std::vector<std::unique_ptr<testing::PlainClient>> m_nodes;
    wire::WorkerThread<Crowd> m_crowd;
    double m_writesPerSecond = 0;
    service::ServerLoad m_load;
    async::BackgroundTask m_task;
};

} // namespace

int main(int argc, char** argv)
{
    const QCoreApplication app(argc, argv);
    std::setvbuf(stdout, nullptr, _IOLBF, 0);
    const bench::BenchServers servers(argc, argv,
                                      {QStringLiteral("--enable-debug-command"),
                                       QStringLiteral("yes")});
    const Bench bench(servers);
    return QCoreApplication::exec();
}

#include "bench_courtesy.moc"
