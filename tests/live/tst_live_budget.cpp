#include "core/operations/survey.h"
#include "core/wire/connection/server_connections.h"
#include "core/wire/loop_clock.h"
#include "core/wire/loop_executor.h"
#include "core/wire/watch/redis_monitor.h"
#include "tests/kernel/text_in_failures.h"
#include "tests/support/live/live_server.h"
#include "tests/support/test_program.h"

#include <QElapsedTimer>
#include <QTest>

#include <algorithm>
#include <string>
#include <vector>

// What a real server counts is what we say, and no more than we were allowed.
namespace lockscope::tst_live_budget {

using namespace lockscope::testing;
using namespace std::chrono_literals;
using store::Command;

namespace {

constexpr int kPatienceMs = 60'000;

/// Numbers of INFO, before and after.
class Account {
public:
    explicit Account(LiveServer& server) : m_server(server) { m_before = read(); }

    struct Numbers {
        double commands = 0;
        double bytes = 0;
        double processorSeconds = 0;
    };
    Numbers spent()
    {
        const Numbers now = read();
        return {now.commands - m_before.commands, now.bytes - m_before.bytes,
                now.processorSeconds - m_before.processorSeconds};
    }

private:
    Numbers read()
    {
        const std::string info = *m_server.client()("INFO").text();
        const auto at = [&info](const std::string& name) {
            return std::stod(info.substr(info.find("\n" + name + ":") + name.size() + 2));
        };
        return {at("total_commands_processed"),
                at("total_net_input_bytes") + at("total_net_output_bytes"),
                at("used_cpu_sys") + at("used_cpu_user")};
    }

    LiveServer& m_server;
    Numbers m_before;
};

void fill(LiveServer& server, int lockCount)
{
    for (int first = 0; first < lockCount; first += 1000) {
        Command command("MSET");
        for (int i = first; i < std::min(first + 1000, lockCount); ++i) {
            command.append("lock:budget:" + std::to_string(i));
            command.append("5f0c9a41-77aa-4c1e-9f00-1b2c3d4e5f60");
        }
        server.client().ask(command);
    }
}

/// A sweep of everything, as `list` does it; in seconds.
double sweepOnce(const store::Endpoint& endpoint, std::size_t lockCount)
{
    wire::LoopExecutor executor;
    wire::LoopClock clock;
    wire::ServerConnections servers(executor, clock, Rng(1));
    servers.setEndpoints({endpoint});
    inspect::LockBook book(1);
    operations::Survey survey(executor, clock, servers, book, {}, [] {});
    bool isDone = false;
    QElapsedTimer timer;
    timer.start();
    const auto run = [](operations::Survey& s, wire::ServerConnections& all,
                        bool& done) -> async::Task<void> {
        co_await all.store(0).whenSettled();
        co_await s.run();
        done = true;
    };
    const async::BackgroundTask task(executor, run(survey, servers, isDone));
    const bool hasEnded = QTest::qWaitFor([&] { return isDone; }, kPatienceMs);
    const double seconds = static_cast<double>(timer.elapsed()) / 1000;
    return hasEnded && book.rowCount() == lockCount ? seconds : 0;
}

struct WatchedSeconds {
    std::vector<service::ServerLoad> loads;
    bool isSwept = false;
};

} // namespace

class TestLiveBudget : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        if (!LiveServer::isInstalled()) {
            QSKIP("redis-server is not installed");
        }
    }

    /// By the server's own counters: commands, bytes and processor time stay below the limit, and
    /// the list is complete all the same.
    void aSweepKeepsToItsBudget_data()
    {
        QTest::addColumn<QByteArray>("limit");
        QTest::addColumn<double>("commands");
        QTest::addColumn<double>("bytes");
        QTest::addColumn<double>("share");
        QTest::newRow("commands") << QByteArray("max-commands=2000") << 2000.0 << 0.0 << 0.0;
        QTest::newRow("bytes") << QByteArray("max-bytes=100000") << 0.0 << 100'000.0 << 0.0;
        QTest::newRow("percent") << QByteArray("max-percent=20") << 0.0 << 0.0 << 0.2;
    }
    void aSweepKeepsToItsBudget()
    {
        QFETCH(const QByteArray, limit);
        QFETCH(const double, commands);
        QFETCH(const double, bytes);
        QFETCH(const double, share);
        constexpr int kLocks = 1000;
        LiveServer server;
        fill(server, kLocks);
        const std::string url = store::toUrl(server.endpoint());
        auto parsed = store::parseEndpoint(url + '?' + limit.toStdString());
        auto* const endpoint = std::get_if<store::Endpoint>(&parsed);
        QVERIFY(endpoint != nullptr);
        Account account(server);
        const double seconds = sweepOnce(*endpoint, kLocks);
        const Account::Numbers spent = account.spent();
        const std::string story = std::to_string(seconds) + " s, " + std::to_string(spent.commands)
                                  + " commands, " + std::to_string(spent.bytes) + " bytes, "
                                  + std::to_string(spent.processorSeconds) + " s of the server";
        qInfo("%s", story.c_str());
        QVERIFY2(seconds > 0.3, story.c_str()); // without a budget it takes a tenth of that
        // The introduction of the connection, and what is asked at the end, are not of the sweep.
        if (commands > 0) {
            QVERIFY2(spent.commands < 1.1 * commands * seconds + 60, story.c_str());
        }
        if (bytes > 0) {
            QVERIFY2(spent.bytes < 1.1 * bytes * seconds + 40'000, story.c_str());
        }
        if (share > 0) {
            QVERIFY2(spent.processorSeconds < 1.2 * share * seconds + 0.05, story.c_str());
        }
    }

    void whereAnAddressSaysNothingTheOptionsCount()
    {
        constexpr int kLocks = 1'000;
        constexpr double kCommandsPerSecond = 2'000;
        LiveServer server;
        fill(server, kLocks);
        service::WatchOptions options;
        options.budget.commandsPerSecond = kCommandsPerSecond;
        WatchedSeconds watched;
        wire::RedisMonitor monitor;
        connect(&monitor, &service::LockMonitor::loadMeasured, this,
                [&watched](const service::ServerLoad& load) { watched.loads.push_back(load); });
        connect(&monitor, &service::LockMonitor::sweepProgressed, this,
                [&watched](const service::SweepProgress& progress) {
                    watched.isSwept = watched.isSwept || progress.isDone;
                });
        QElapsedTimer timer;
        timer.start();
        monitor.open({server.endpoint()}, options);
        QTRY_VERIFY_WITH_TIMEOUT(watched.isSwept && !watched.loads.empty(), kPatienceMs);
        QVERIFY(timer.elapsed() > 1000 * 3 * kLocks / kCommandsPerSecond); // three for each lock
        QVERIFY(watched.loads.back().budget == options.budget);
        store::Endpoint other = server.endpoint();
        other.budget.percent = 5;
        QVERIFY(options.budgetOf(other) == other.budget);
    }

    /// What the status bar shows of a watch: the commands and bytes that the server counted, and
    /// its processor time within a small factor.
    void whatIsSaidIsWhatTheServerCounted()
    {
        constexpr int kLocks = 5'000;
        LiveServer server;
        fill(server, kLocks);
        WatchedSeconds watched;
        Account account(server);
        wire::RedisMonitor monitor;
        connect(&monitor, &service::LockMonitor::loadMeasured, this,
                [&watched](const service::ServerLoad& load) { watched.loads.push_back(load); });
        connect(&monitor, &service::LockMonitor::sweepProgressed, this,
                [&watched](const service::SweepProgress& progress) {
                    watched.isSwept = watched.isSwept || progress.isDone;
                });
        monitor.open({server.endpoint()}, {});
        QTRY_VERIFY_WITH_TIMEOUT(watched.isSwept, kPatienceMs);
        const std::size_t soFar = watched.loads.size();
        QTRY_VERIFY_WITH_TIMEOUT(watched.loads.size() >= soFar + 3, kPatienceMs);
        const Account::Numbers spent = account.spent();
        double commands = 0;
        double bytes = 0;
        double processorSeconds = 0;
        for (const service::ServerLoad& load : watched.loads) {
            commands += load.commandsPerSecond; // each is of one second
            bytes += load.bytesPerSecond;
            processorSeconds += load.coreShare;
        }
        const std::string story = std::to_string(commands) + " of " + std::to_string(spent.commands)
                                  + " commands, " + std::to_string(bytes) + " of "
                                  + std::to_string(spent.bytes) + " bytes, "
                                  + std::to_string(processorSeconds) + " of "
                                  + std::to_string(spent.processorSeconds) + " s";
        qInfo("%s", story.c_str());
        QVERIFY2(spent.commands > 3 * kLocks, story.c_str());
        QVERIFY2(commands > 0.99 * spent.commands && commands < 1.01 * spent.commands + 20,
                 story.c_str());
        QVERIFY2(bytes > 0.97 * spent.bytes && bytes < 1.03 * spent.bytes, story.c_str());
        QVERIFY2(processorSeconds > spent.processorSeconds / 3
                     && processorSeconds < 3 * spent.processorSeconds,
                 story.c_str());
    }
};

LOCKSCOPE_TEST(TestLiveBudget, Core)

} // namespace lockscope::tst_live_budget

#include "tst_live_budget.moc"
