// P8: what watching costs the server. 1,000 locks change 100 times a second beside 10,000 unrelated
// writes a second; the server's own account of its processor time (INFO cpu) without and with a
// watcher, and with MONITOR, in turns in one run. So everything counts: our commands, and what
// tracking adds to the writes of others.

#include "core/wire/connection/connection.h"
#include "core/wire/loop_clock.h"
#include "core/wire/loop_executor.h"
#include "core/wire/run/private_server.h"
#include "core/wire/watch/redis_monitor.h"
#include "core/wire/worker_thread.h"

#include <QCoreApplication>
#include <QLocalSocket>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <memory>
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
    explicit Crowd(const store::Endpoint& endpoint) : m_executor(this), m_clock(this)
    {
        for (int i = 0; i <= kWriters; ++i) {
            m_connections.push_back(std::make_unique<wire::Connection>(
                endpoint, m_executor, m_clock, Rng(static_cast<std::uint64_t>(i)), this));
        }
    }

    void start()
    {
        for (const auto& connection : m_connections) {
            connect(connection.get(), &wire::Connection::stateChanged, this, [this] {
                const bool areOnline = std::ranges::all_of(m_connections, [](const auto& c) {
                    return c->state() == wire::Connection::State::Online;
                });
                if (areOnline && m_tasks.empty()) {
                    m_tasks.emplace_back(m_executor, fill());
                }
            });
            connection->open();
        }
    }

    /// How many writes there were since the last call. From any thread.
    std::uint64_t takeCount() { return m_writtenCount.exchange(0); }

Q_SIGNALS:
    void ready();

private:
    async::Task<void> fill()
    {
        constexpr std::uint64_t kBatch = 1000;
        for (std::uint64_t i = 0; i < kOthers; i += kBatch) {
            std::vector<store::Command> batch;
            for (std::uint64_t k = i; k < i + kBatch; ++k) {
                batch.emplace_back("SET", otherKey(k), "value");
            }
            co_await m_connections.front()->submitAll(std::move(batch));
        }
        std::vector<store::Command> locks;
        for (std::uint64_t i = 0; i < kLocks; ++i) {
            locks.push_back(takeLock(i, 0));
        }
        co_await m_connections.front()->submitAll(std::move(locks));
        m_tasks.emplace_back(m_executor, changeLocks());
        for (std::size_t i = 1; i <= kWriters; ++i) {
            m_tasks.emplace_back(m_executor, writeOthers(*m_connections[i], Rng(i)));
        }
        Q_EMIT ready();
    }

    async::Task<void> changeLocks()
    {
        Rng rng(1);
        const Instant begin = m_clock.now();
        for (std::uint64_t count = 1;; ++count) {
            store::Command command = takeLock(rng.below(kLocks), count);
            co_await m_connections.front()->submit(std::move(command));
            co_await m_clock.wakeAt(begin + pause(count, kLockChangesPerSecond));
        }
    }

    async::Task<void> writeOthers(wire::Connection& connection, Rng rng)
    {
        const Instant begin = m_clock.now();
        for (std::uint64_t count = 1;; ++count) {
            store::Command command("SET", otherKey(rng.below(kOthers)), "other");
            co_await connection.submit(std::move(command));
            ++m_writtenCount;
            co_await m_clock.wakeAt(begin + pause(count, kWritesPerSecond / kWriters));
        }
    }

    static Duration pause(std::uint64_t count, int perSecond)
    {
        return Duration(1s) * static_cast<Duration::rep>(count) / perSecond;
    }

    wire::LoopExecutor m_executor;
    wire::LoopClock m_clock;
    std::vector<std::unique_ptr<wire::Connection>> m_connections; // the first takes the locks
    std::atomic<std::uint64_t> m_writtenCount = 0;
    std::vector<async::BackgroundTask> m_tasks;
};

double median(std::vector<double> values)
{
    std::ranges::sort(values);
    return values[values.size() / 2];
}

/// Measures in turns, and prints.
class Bench final : public QObject {
    Q_OBJECT
public:
    explicit Bench(const store::Endpoint& endpoint)
        : m_endpoint(endpoint),
          m_connection(endpoint, m_executor, m_clock, Rng(3), this),
          m_crowd(QStringLiteral("crowd"), endpoint)
    {
        connect(m_crowd.object(), &Crowd::ready, this, [this] { m_connection.open(); });
        connect(&m_connection, &wire::Connection::stateChanged, this, [this] {
            if (m_connection.state() == wire::Connection::State::Online) {
                m_task = async::BackgroundTask(m_executor, measure());
            }
        });
        m_crowd.post([](Crowd& crowd) { crowd.start(); });
    }

private:
    async::Task<void> measure()
    {
        std::vector<double> ours;
        std::vector<double> monitors;
        for (int round = 1; round <= kRounds; ++round) {
            const double alone = co_await shareOfCore();
            double watched = 0;
            {
                wire::RedisMonitor monitor;
                connect(&monitor, &wire::RedisMonitor::loadMeasured, this,
                        [this](const service::ServerLoad& load) { m_load = load; });
                std::vector<store::Endpoint> endpoints(1, m_endpoint);
                monitor.open(std::move(endpoints), {});
                watched = co_await shareOfCore();
            }
            double monitored = 0;
            {
                QLocalSocket socket;
                connect(&socket, &QLocalSocket::readyRead, this, [&socket] { socket.readAll(); });
                socket.connectToServer(QString::fromStdString(m_endpoint.socketPath));
                socket.write("MONITOR\r\n");
                monitored = co_await shareOfCore();
            }
            ours.push_back(watched - alone);
            monitors.push_back(monitored - alone);
            std::printf("   round %d: alone %.2f %% of a core, watched %.2f %%, with MONITOR "
                        "%.2f %%; %.0f writes/s; %.0f commands/s and %.0f messages/s of ours\n",
                        round, 100 * alone, 100 * watched, 100 * monitored, m_writesPerSecond,
                        m_load.commandsPerSecond, m_load.changesPerSecond);
        }
        std::printf("P8 watching %d locks, %d changes/s beside %d writes/s: %.2f %% of a core of "
                    "the server, medians of %d (goal <= 1); MONITOR: %.2f %%\n",
                    kLocks, kLockChangesPerSecond, kWritesPerSecond, 100 * median(ours), kRounds,
                    100 * median(monitors));
        QCoreApplication::quit();
    }

    /// That the server uses while things are as they are now.
    async::Task<double> shareOfCore()
    {
        co_await m_clock.wakeAt(m_clock.now() + kSettling);
        const double before = co_await processorSeconds();
        const Instant begin = m_clock.now();
        m_crowd.object()->takeCount();
        co_await m_clock.wakeAt(begin + kMeasured);
        const double after = co_await processorSeconds();
        const double passed = std::chrono::duration<double>(m_clock.now() - begin).count();
        m_writesPerSecond = static_cast<double>(m_crowd.object()->takeCount()) / passed;
        co_return (after - before) / passed;
    }

    async::Task<double> processorSeconds()
    {
        store::Command command("INFO", "cpu");
        const store::Outcome outcome = co_await m_connection.submit(std::move(command));
        const std::string text = *store::replyOf(outcome)->text();
        const auto secondsOf = [&text](const std::string& name) {
            return std::stod(text.substr(text.find(name) + name.size()));
        };
        co_return secondsOf("\nused_cpu_sys:") + secondsOf("\nused_cpu_user:");
    }

    store::Endpoint m_endpoint;
    wire::LoopExecutor m_executor;
    wire::LoopClock m_clock;
    wire::Connection m_connection;
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
    wire::PrivateServer server;
    server.start();
    if (!server.waitUntilReady()) {
        std::fprintf(stderr, "bench_courtesy: redis-server did not start\n");
        return 1;
    }
    const Bench bench(server.endpoint());
    return QCoreApplication::exec();
}

#include "bench_courtesy.moc"
