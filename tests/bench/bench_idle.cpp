// P9: what watching very many locks costs while nothing happens, us and the server: three kinds of
// 100,000 locks one after the other, and the memory that they take. A number on the command line is
// another number of locks.

#include "core/wire/connection/connection.h"
#include "core/wire/loop_clock.h"
#include "core/wire/loop_executor.h"
#include "core/wire/run/private_server.h"
#include "core/wire/watch/redis_monitor.h"
#include "core/wire/worker_thread.h"
#include "ui/models/locks/lock_table_model.h"

#include <QCoreApplication>

#include <sys/resource.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdio>
#include <ctime>
#include <fstream>
#include <memory>
#include <optional>
#include <string>
#include <vector>

using namespace lockscope;
using namespace std::chrono_literals;

namespace {

constexpr int kLocksUsually = 100'000;
constexpr int kRenewed = 1'000;
constexpr Duration kRenewalPeriod = 10s;
constexpr Duration kSettling = 8s;
constexpr Duration kMeasured = 10s;
constexpr int kRounds = 5;

using store::Command;

enum class Kind { Tokens, Redisson, Renewed };
constexpr std::array<std::pair<Kind, const char*>, 3> kKinds{{
    {Kind::Tokens, "tokens that expire in an hour"},
    {Kind::Redisson, "Redisson's locks, with a channel each"},
    {Kind::Renewed, "tokens, 1,000 of them renewed every 10 s"},
}};

std::string keyOf(int index)
{
    return "lock:idle:" + std::to_string(index);
}

std::string tokenOf(int index)
{
    return "5f0c9a41-77aa-4c1e-9f00-" + std::to_string(100'000'000'000 + index);
}

double secondsOf(const timeval& time)
{
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
}

/// Of this process.
double processorSeconds()
{
    rusage usage{};
    ::getrusage(RUSAGE_SELF, &usage);
    return secondsOf(usage.ru_utime) + secondsOf(usage.ru_stime);
}

double residentMegabytes()
{
    std::ifstream status("/proc/self/status");
    for (std::string line; std::getline(status, line);) {
        if (line.starts_with("VmRSS:")) {
            return std::stod(line.substr(6)) / 1024;
        }
    }
    return 0;
}

double median(std::vector<double> values)
{
    std::ranges::sort(values);
    return values[values.size() / 2];
}

/// Renews some of the locks, on a thread whose time does not count as ours.
class Renewer final : public QObject {
    Q_OBJECT
public:
    explicit Renewer(const store::Endpoint& endpoint)
        : m_executor(this),
          m_clock(this),
          m_connection(endpoint, m_executor, m_clock, Rng(7), this)
    {}

    void start()
    {
        connect(&m_connection, &wire::Connection::stateChanged, this, [this] {
            if (m_connection.state() == wire::Connection::State::Online) {
                m_task = async::BackgroundTask(m_executor, renew());
            }
        });
        m_connection.open();
    }

    /// From any thread.
    double processorSeconds() const { return m_processorSeconds; }

private:
    async::Task<void> renew()
    {
        const Instant begin = m_clock.now();
        for (int count = 0;; ++count) {
            Command command("PEXPIRE", keyOf(count % kRenewed), 30'000);
            co_await m_connection.submit(std::move(command));
            timespec spent{};
            ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &spent);
            m_processorSeconds = static_cast<double>(spent.tv_sec)
                                 + static_cast<double>(spent.tv_nsec) / 1e9;
            co_await m_clock.wakeAt(begin + kRenewalPeriod * count / kRenewed);
        }
    }

    wire::LoopExecutor m_executor;
    wire::LoopClock m_clock;
    wire::Connection m_connection;
    std::atomic<double> m_processorSeconds = 0;
    async::BackgroundTask m_task;
};

struct Shares {
    double ours = 0;
    double server = 0;
};

class Bench final : public QObject {
    Q_OBJECT
public:
    Bench(const store::Endpoint& endpoint, int lockCount)
        : m_endpoint(endpoint),
          m_lockCount(lockCount),
          m_connection(endpoint, m_executor, m_clock, Rng(3), this)
    {
        connect(&m_connection, &wire::Connection::stateChanged, this, [this] {
            if (m_connection.state() == wire::Connection::State::Online) {
                m_task = async::BackgroundTask(m_executor, measureAll());
            }
        });
        m_connection.open();
    }

private:
    async::Task<void> measureAll()
    {
        for (const auto& [kind, name] : kKinds) {
            co_await fill(kind);
            co_await measure(kind, name);
        }
        QCoreApplication::quit();
    }

    async::Task<void> fill(Kind kind)
    {
        Command flush("FLUSHALL");
        co_await m_connection.submit(std::move(flush));
        constexpr int kBatch = 5000;
        for (int first = 0; first < m_lockCount; first += kBatch) {
            std::vector<Command> batch;
            for (int i = first; i < std::min(first + kBatch, m_lockCount); ++i) {
                if (kind == Kind::Redisson) {
                    batch.emplace_back("HSET", keyOf(i), tokenOf(i) + ":1", 1);
                    batch.emplace_back("PEXPIRE", keyOf(i), 3'600'000);
                } else {
                    const bool isShort = kind == Kind::Renewed && i < kRenewed;
                    batch.emplace_back("SET", keyOf(i), tokenOf(i), "PX",
                                       isShort ? 30'000 : 3'600'000);
                }
            }
            co_await m_connection.submitAll(std::move(batch));
        }
    }

    async::Task<void> measure(Kind kind, std::string name)
    {
        std::optional<wire::WorkerThread<Renewer>> renewer;
        if (kind == Kind::Renewed) {
            renewer.emplace(QStringLiteral("renewer"), m_endpoint);
            renewer->post([](Renewer& r) { r.start(); });
            m_renewer = renewer->object();
        }
        std::vector<double> aloneShares;
        for (int round = 0; round < kRounds; ++round) {
            const Shares alone = co_await sharesOfCore();
            aloneShares.push_back(alone.server);
        }
        const double before = residentMegabytes();
        wire::RedisMonitor monitor;
        models::LockTableModel model([&monitor] { return monitor.now(); });
        bool isListed = false;
        connect(&monitor, &service::LockMonitor::locksChanged, this,
                [&model](const inspect::LockDelta& delta) { model.apply(delta); });
        connect(&monitor, &service::LockMonitor::sweepProgressed, this,
                [&isListed](const service::SweepProgress& progress) {
                    isListed = isListed || progress.isDone;
                });
        const Instant openedAt = m_clock.now();
        std::vector<store::Endpoint> endpoints(1, m_endpoint);
        monitor.open(std::move(endpoints), {});
        while (!isListed || model.rowCount() < m_lockCount) {
            co_await m_clock.wakeAt(m_clock.now() + 10ms);
        }
        const std::chrono::duration<double> listing = m_clock.now() - openedAt;
        co_await m_clock.wakeAt(m_clock.now() + kSettling);
        std::vector<double> ours;
        std::vector<double> servers;
        for (int round = 0; round < kRounds; ++round) {
            const Shares shares = co_await sharesOfCore();
            ours.push_back(100 * shares.ours);
            servers.push_back(100 * (shares.server - median(aloneShares)));
            std::printf("   round %d: ours %.2f %% of a core, the server %.2f %%\n", round + 1,
                        ours.back(), servers.back());
        }
        std::printf("P9 %d rows, %s: listed in %.2f s; idle we take %.2f %% of a core (goal < 1) "
                    "and the server %.2f %%, medians of %d; %.0f MB with watch and model "
                    "(%.0f MB before)\n",
                    model.rowCount(), name.c_str(), listing.count(), median(ours), median(servers),
                    kRounds, residentMegabytes(), before);
        m_renewer = nullptr;
    }

    async::Task<Shares> sharesOfCore()
    {
        const double serverBefore = co_await serverSeconds();
        const double oursBefore = ownSeconds();
        const Instant begin = m_clock.now();
        co_await m_clock.wakeAt(begin + kMeasured);
        const double oursAfter = ownSeconds();
        const double passed = std::chrono::duration<double>(m_clock.now() - begin).count();
        const double serverAfter = co_await serverSeconds();
        Shares shares;
        shares.ours = (oursAfter - oursBefore) / passed;
        shares.server = (serverAfter - serverBefore) / passed;
        co_return shares;
    }

    double ownSeconds() const
    {
        return processorSeconds() - (m_renewer != nullptr ? m_renewer->processorSeconds() : 0);
    }

    async::Task<double> serverSeconds()
    {
        Command command("INFO", "cpu");
        const store::Outcome outcome = co_await m_connection.submit(std::move(command));
        const std::string text = *store::replyOf(outcome)->text();
        const auto secondsIn = [&text](const std::string& name) {
            return std::stod(text.substr(text.find(name) + name.size()));
        };
        co_return secondsIn("\nused_cpu_sys:") + secondsIn("\nused_cpu_user:");
    }

    store::Endpoint m_endpoint;
    int m_lockCount;
    wire::LoopExecutor m_executor;
    wire::LoopClock m_clock;
    wire::Connection m_connection;
    const Renewer* m_renewer = nullptr;
    async::BackgroundTask m_task;
};

} // namespace

int main(int argc, char** argv)
{
    const QCoreApplication app(argc, argv);
    std::setvbuf(stdout, nullptr, _IOLBF, 0);
    const int lockCount = argc > 1 ? std::atoi(argv[1]) : kLocksUsually;
    wire::PrivateServer server;
    server.start();
    if (!server.waitUntilReady()) {
        std::fprintf(stderr, "bench_idle: redis-server did not start\n");
        return 1;
    }
    const Bench bench(server.endpoint(), lockCount);
    return QCoreApplication::exec();
}

#include "bench_idle.moc"
