#include "core/wire/watch/watch_account.h"
#include "tests/kernel/text_in_failures.h"
#include "tests/support/scripted_store.h"
#include "tests/support/test_program.h"
#include "tests/support/virtual_loop.h"

#include <QTest>

#include <cmath>
#include <vector>

namespace lockscope::tst_watch_account {

using namespace lockscope::testing;
using store::Command;
using store::Outcome;
using store::Reply;

namespace {

bool isAbout(double value, double expected)
{
    return std::abs(value - expected) < 1e-9;
}

struct Bench {
    VirtualLoop loop;
    ScriptedStore server{[](const Command&) { return Outcome(Reply::ofStatus("OK")); }};
    store::MeteredStore store{loop.executor(), server};
    wire::WatchAccount account{store};

    void send(int count)
    {
        std::vector<Command> commands;
        for (int i = 0; i < count; ++i) {
            commands.emplace_back("SCAN", "0");
        }
        static_cast<void>(loop.run(
            [](store::Store& s, std::vector<Command> all) -> async::Task<std::vector<Outcome>> {
                co_return co_await s.submitAll(std::move(all));
            }(store, std::move(commands))));
    }

    inspect::WatchWork second(std::uint64_t sentCount)
    {
        inspect::WatchWork work;
        account.addSecondTo(work, sentCount);
        return work;
    }
};

} // namespace

class TestWatchAccount : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void eachSecondHasItsOwnCommands()
    {
        Bench bench;
        bench.account.takeStatistics(Reply::ofBulk(
            "# Commandstats\r\ncmdstat_scan:calls=10,usec=6000,usec_per_call=600.00\r\n"));
        bench.send(5);
        const inspect::WatchWork first = bench.second(5);
        QCOMPARE(first.commandsPerSecond, 5.0);
        QCOMPARE(first.requestsPerSecond, 1.0);
        QVERIFY(isAbout(first.executionPerSecond, 0.003));
        QCOMPARE(first.bytesPerSecond, 5.0 * 21 + 5 * 5);
        bench.send(2);
        const inspect::WatchWork next = bench.second(2);
        QCOMPARE(next.commandsPerSecond, 2.0);
        QVERIFY(isAbout(next.executionPerSecond, 0.0012));
        QCOMPARE(bench.second(0).bytesPerSecond, 0.0);
    }

    /// Heartbeats and subscriptions.
    void whatIsSentBesideTheStoreCounts()
    {
        Bench bench;
        bench.send(1);
        const inspect::WatchWork work = bench.second(4);
        QCOMPARE(work.commandsPerSecond, 4.0);
        QCOMPARE(work.requestsPerSecond, 4.0);
        QVERIFY(work.bytesPerSecond > 26);
    }

    void messagesCountWithTheirNames()
    {
        Bench bench;
        bench.account.takeMessages({"lock:1", "lock:22"});
        const double bytes = bench.second(0).bytesPerSecond;
        QVERIFY(bytes > 2 * 50 && bytes < 2 * 80);
        QCOMPARE(bench.second(0).bytesPerSecond, 0.0);
    }

    /// What is known of the commands stays when the server is not asked again.
    void anUnansweredQuestionChangesNothing()
    {
        Bench bench;
        bench.account.takeStatistics(
            Reply::ofBulk("# Commandstats\r\ncmdstat_scan:calls=1,usec=500,usec_per_call=500\r\n"));
        bench.account.takeStatistics(store::Unreachable{});
        bench.send(2);
        QVERIFY(isAbout(bench.second(2).executionPerSecond, 0.001));
    }
};

LOCKSCOPE_TEST(TestWatchAccount, None)

} // namespace lockscope::tst_watch_account

#include "tst_watch_account.moc"
