#include "core/wire/connection/connection.h"
#include "core/wire/loop_clock.h"
#include "core/wire/loop_executor.h"
#include "core/wire/watch/redis_monitor.h"
#include "core/wire/worker_thread.h"
#include "tests/kernel/random_input.h"
#include "tests/kernel/text_in_failures.h"
#include "tests/soak/disasters.h"
#include "tests/soak/topologies.h"
#include "tests/support/live/group_of_servers.h"
#include "tests/support/live/live_server.h"
#include "tests/support/test_program.h"

#include <QElapsedTimer>
#include <QTest>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <malloc.h>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#if defined(__SANITIZE_ADDRESS__)
// Of the sanitizers' allocator_interface.h, which GCC does not install.
extern "C" std::size_t __sanitizer_get_current_allocated_bytes();
#endif

// Watching for hours: clients take, renew and give back locks and reconnect all the time, servers
// fail over, connections are cut. At the end the table is what a fresh look finds, every request
// was answered, and the memory is what it was.
//
// LOCKSCOPE_SOAK_SECONDS (21600 for a soak of six hours), LOCKSCOPE_SEED.
namespace lockscope::tst_watch_soak {

using namespace lockscope::testing;
using namespace std::chrono_literals;
using store::Command;

namespace {

constexpr int kSecondsUsually = 20;
constexpr int kPatienceMs = 60'000;
constexpr qint64 kShortSoakMs = 300'000;
constexpr int kChurners = 4;
constexpr std::uint64_t kNames = 3000;
constexpr int kCommandsPerConnection = 300;
constexpr Duration kPause = 1ms;

qint64 soakMs()
{
    const int seconds = qEnvironmentVariableIntValue("LOCKSCOPE_SOAK_SECONDS");
    return 1000LL * (seconds > 0 ? seconds : kSecondsUsually);
}

/// Of everything that was not given back: what an allocator keeps for later does not count.
double allocatedMegabytes()
{
#if defined(__SANITIZE_ADDRESS__)
    const std::size_t bytes = __sanitizer_get_current_allocated_bytes();
#else
    const struct mallinfo2 info = ::mallinfo2();
    const std::size_t bytes = info.uordblks + info.hblkhd;
#endif
    return static_cast<double>(bytes) / 1e6;
}

/// Takes, renews and gives back locks, and comes and goes.
class Churner final : public QObject {
    Q_OBJECT
public:
    Churner(store::Endpoint master, Rng rng)
        : m_master(std::move(master)),
          m_executor(this),
          m_clock(this),
          m_rng(rng)
    {}

    void start()
    {
        m_connection.emplace(m_master, m_executor, m_clock, m_rng.split());
        m_connection->followMaster();
        m_task = async::BackgroundTask(m_executor, churn());
    }

    // From any thread.
    void stop() { m_isStopped = true; }
    bool hasEnded() const { return m_hasEnded; }
    std::uint64_t askedCount() const { return m_askedCount; }
    std::uint64_t answeredCount() const { return m_answeredCount; }
    std::uint64_t appliedCount() const { return m_appliedCount; }

private:
    async::Task<void> churn()
    {
        while (!m_isStopped) {
            m_connection->open();
            co_await m_connection->whenSettled();
            for (int i = 0; i < kCommandsPerConnection && !m_isStopped; ++i) {
                Command command = anyCommand();
                ++m_askedCount;
                const store::Outcome outcome = co_await m_connection->submit(std::move(command));
                ++m_answeredCount;
                m_appliedCount += store::replyOf(outcome) != nullptr ? 1 : 0;
                co_await m_clock.wakeAt(m_clock.now() + kPause);
            }
            m_connection->close();
        }
        m_hasEnded = true;
    }

    Command anyCommand()
    {
        const std::string number = std::to_string(m_rng.below(kNames));
        const std::string token = "lock:soak:" + number;
        const std::string hash = "soak:" + number + ":lock";
        const std::string owner = "5f0c9a41-77aa-4c1e-9f00-"
                                  + std::to_string(100'000'000'000 + m_rng.below(1'000'000));
        switch (m_rng.below(10)) {
        case 0:
        case 1:
        case 2: return Command("SET", token, owner, "PX", toMs(m_rng.between(50ms, 3s)));
        case 3: return Command("SET", token, owner, "PX", 600'000);
        case 4: return Command("PEXPIRE", token, 600'000);
        case 5: return Command("DEL", token);
        case 6:
        case 7: return Command("HINCRBY", hash, owner + ":1", 1);
        case 8: return Command("PEXPIRE", hash, toMs(m_rng.between(100ms, 20s)));
        default: return Command("DEL", hash);
        }
    }

    store::Endpoint m_master;
    wire::LoopExecutor m_executor;
    wire::LoopClock m_clock;
    Rng m_rng;
    std::optional<wire::Connection> m_connection; // made on the thread that it belongs to
    std::atomic<bool> m_isStopped = false;
    std::atomic<bool> m_hasEnded = false;
    std::atomic<std::uint64_t> m_askedCount = 0;
    std::atomic<std::uint64_t> m_answeredCount = 0;
    std::atomic<std::uint64_t> m_appliedCount = 0;
    async::BackgroundTask m_task;
};

/// What a window would show.
class Table final : public QObject {
    Q_OBJECT
public:
    explicit Table(const store::Endpoint& endpoint)
    {
        connect(&m_monitor, &service::LockMonitor::locksChanged, this,
                [this](const inspect::LockDelta& delta) {
                    for (const inspect::LockChange& change : delta.changes) {
                        take(change);
                    }
                });
        connect(&m_monitor, &service::LockMonitor::sweepProgressed, this,
                [this](const service::SweepProgress& progress) {
                    m_isSwept = m_isSwept || progress.isDone;
                });
        m_monitor.open({endpoint}, {});
    }

    bool isSwept() const { return m_isSwept; }
    std::uint64_t changeCount() const { return m_changeCount; }

    /// Of each lock all that a look at the server tells.
    std::map<Bytes, std::string> content() const
    {
        std::map<Bytes, std::string> lines;
        for (const auto& [name, lock] : m_rows) {
            std::string line(lock->format());
            std::vector<std::string> holders;
            for (const inspect::Holder& holder : lock->holders) {
                holders.push_back(' ' + holder.owner + " x" + std::to_string(holder.holds));
            }
            std::ranges::sort(holders);
            for (const std::string& holder : holders) {
                line += holder;
            }
            line += lock->expiresAt ? " expires" : " stays";
            line += lock->isConfirmed ? "" : " (not confirmed)";
            lines[name] = std::move(line);
        }
        return lines;
    }

private:
    void take(const inspect::LockChange& change)
    {
        ++m_changeCount;
        if (inspect::isEnding(change.kind)) {
            m_rows.erase(change.lock->id.name);
        } else {
            m_rows[change.lock->id.name] = change.lock;
        }
    }

    std::map<Bytes, inspect::LockPtr> m_rows;
    std::uint64_t m_changeCount = 0;
    bool m_isSwept = false;
    wire::RedisMonitor m_monitor; // last: it talks to everything above
};

class Crowd {
public:
    Crowd(const store::Endpoint& master, Rng& rng)
    {
        for (int i = 0; i < kChurners; ++i) {
            m_threads.push_back(std::make_unique<wire::WorkerThread<Churner>>(
                QStringLiteral("churner"), master, rng.split()));
            m_threads.back()->post([](Churner& churner) { churner.start(); });
        }
    }

    std::uint64_t sum(std::uint64_t (Churner::*count)() const) const
    {
        std::uint64_t total = 0;
        for (const auto& thread : m_threads) {
            total += (thread->object()->*count)();
        }
        return total;
    }

    /// False: a request of one of them is not answered.
    bool end() const
    {
        for (const auto& thread : m_threads) {
            thread->object()->stop();
        }
        return QTest::qWaitFor(
            [this] {
                return std::ranges::all_of(m_threads, [](const auto& thread) {
                    return thread->object()->hasEnded();
                });
            },
            kPatienceMs);
    }

private:
    std::vector<std::unique_ptr<wire::WorkerThread<Churner>>> m_threads;
};

/// A short soak does without those that take a good part of it.
const Disaster& anyDisaster(Rng& rng)
{
    const std::vector<Disaster>& all = disastersOfServers();
    const Disaster* drawn = nullptr;
    while (drawn == nullptr || (drawn->takesLong && soakMs() < kShortSoakMs)) {
        drawn = &all[rng.below(all.size())];
    }
    return *drawn;
}

/// Who asks a server that changes its role may be cut off: then all of it is tried again.
void live(Topology& topology, const Disaster& disaster, Rng& rng)
{
    waitForGroup("the servers do not settle", [&] {
        topology.settle();
        disaster.strike({topology, nullptr, rng});
        return true;
    });
}

/// What the first has and the second has not, or otherwise; a few of them.
std::string differenceOf(const std::map<Bytes, std::string>& a,
                         const std::map<Bytes, std::string>& b)
{
    constexpr int kMost = 5;
    std::string text = std::to_string(a.size()) + " rows, fresh " + std::to_string(b.size());
    int count = 0;
    const auto say = [&](const Bytes& name, const std::string& seen, const std::string& fresh) {
        if (count++ < kMost) {
            text += "; ";
            text += name + ": " + seen + " / " + fresh;
        }
    };
    for (const auto& [name, line] : a) {
        const auto other = b.find(name);
        if (other == b.end() || other->second != line) {
            say(name, line, other == b.end() ? "nothing" : other->second);
        }
    }
    for (const auto& [name, line] : b) {
        if (!a.contains(name)) {
            say(name, "nothing", line);
        }
    }
    return text;
}

} // namespace

class TestWatchSoak : public QObject {
    Q_OBJECT

public:
    /// Qt Test ends a function after five minutes; a soak takes as long as it was asked to.
    static void initMain()
    {
        qputenv("QTEST_FUNCTION_TIMEOUT", QByteArray::number(24 * 3600 * 1000));
    }

private Q_SLOTS:
    void initTestCase()
    {
        if (!LiveServer::isInstalled()) {
            QSKIP("redis-server is not installed");
        }
    }
    void theTableIsTrueAfterAllThat();
};

void TestWatchSoak::theTableIsTrueAfterAllThat()
{
    RandomInput input;
    qInfo("%s", input.recipe().c_str());
    const std::unique_ptr<Topology> topology = sentinelTopology();
    Table table(topology->endpoint());
    const Crowd crowd(topology->endpoint(), input.rng());
    QElapsedTimer timer;
    timer.start();
    double settledMegabytes = 0; // after a quarter of the time: everything has its usual size
    double mostMegabytes = 0;
    int rounds = 0;
    while (timer.elapsed() < soakMs()) {
        const Disaster& disaster = anyDisaster(input.rng());
        const std::uint64_t before = crowd.sum(&Churner::appliedCount);
        live(*topology, disaster, input.rng());
        QVERIFY2(QTest::qWaitFor([&] { return crowd.sum(&Churner::appliedCount) > before + 200; },
                                 kPatienceMs),
                 (std::string(disaster.name) + ": " + input.recipe()).c_str());
        letTimePass(static_cast<int>(input.rng().below(1500)));
        ++rounds;
        const double now = allocatedMegabytes();
        mostMegabytes = std::max(mostMegabytes, now);
        if (4 * timer.elapsed() < soakMs()) {
            settledMegabytes = std::max(settledMegabytes, now);
        }
        qInfo("round %d, %lld s: %s; %llu requests, %llu changes, %.1f MB", rounds,
              timer.elapsed() / 1000, disaster.name,
              static_cast<unsigned long long>(crowd.sum(&Churner::askedCount)),
              static_cast<unsigned long long>(table.changeCount()), now);
    }
    QVERIFY2(crowd.end(), ("a request is not answered: " + input.recipe()).c_str());
    QCOMPARE(crowd.sum(&Churner::answeredCount), crowd.sum(&Churner::askedCount));
    topology->settle();
    Table fresh(topology->endpoint());
    std::string difference = "the fresh look does not end";
    const bool isTrue = QTest::qWaitFor(
        [&] {
            if (!fresh.isSwept()) {
                return false;
            }
            const auto rows = table.content();
            const auto freshRows = fresh.content();
            difference = differenceOf(rows, freshRows);
            return !freshRows.empty() && rows == freshRows;
        },
        kPatienceMs);
    QVERIFY2(isTrue, (difference + ": " + input.recipe()).c_str());
    // What is kept of holds that were is bounded, and small.
    constexpr double kRoomMegabytes = 16;
    qInfo("%d rounds, %.1f MB after a quarter of the time, %.1f MB at most, %.1f MB at the end",
          rounds, settledMegabytes, mostMegabytes, allocatedMegabytes());
    if (settledMegabytes > 0) {
        QVERIFY2(mostMegabytes < 1.25 * settledMegabytes + kRoomMegabytes, input.recipe().c_str());
    }
    QCOMPARE_GT(rounds, 1);
    QCOMPARE_GT(table.changeCount(), std::uint64_t(kNames));
}

LOCKSCOPE_TEST(TestWatchSoak, Core)

} // namespace lockscope::tst_watch_soak

#include "tst_watch_soak.moc"
