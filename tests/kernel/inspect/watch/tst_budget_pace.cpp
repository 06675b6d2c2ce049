#include "core/kernel/inspect/watch/budget_pace.h"
#include "core/kernel/inspect/watch/sweep.h"
#include "core/kernel/store/metered_store.h"
#include "tests/kernel/text_in_failures.h"
#include "tests/support/pretend_keyspace.h"
#include "tests/support/scripted_store.h"
#include "tests/support/test_program.h"
#include "tests/support/virtual_loop.h"

#include <QTest>

#include <string>
#include <vector>

namespace lockscope::tst_budget_pace {

using namespace lockscope::inspect;
using namespace lockscope::testing;
using namespace std::chrono_literals;
using store::Command;

namespace {

struct Basket final : SweepSink {
    std::size_t count = 0;
    void sighted(std::vector<LockSnapshot> snapshots) override { count += snapshots.size(); }
    void progressed(std::uint64_t /*scanned*/, std::uint64_t /*total*/) override {}
};

/// A sweep of 1,000 locks, within a budget.
struct Bench {
    VirtualLoop loop;
    PretendKeyspace keyspace{loop.clock()};
    ScriptedStore server{[this](const Command& command) { return keyspace.answer(command); }};
    store::MeteredStore store{loop.executor(), server};
    ServerWallClock wallClock;
    KeyReader reader{store, loop.clock(), wallClock};
    NameRules names;
    Basket basket;
    BudgetPace pace;
    Sweep sweep{loop.executor(), store, loop.clock(), reader, names, basket, &pace};

    explicit Bench(store::Budget budget) : pace(store, loop.clock(), budget)
    {
        for (int i = 0; i < 1000; ++i) {
            keyspace.setString("lock:" + std::to_string(i), "5f0c9a41", 30min);
        }
    }

    /// How long it takes, to about a tenth of a second.
    Duration sweepOnce()
    {
        const auto started = loop.start(sweep.run(SweepOptions()));
        const Instant begin = loop.now();
        std::uint64_t before = store.usage().commandCount;
        while (!started.isFinished()) {
            loop.advance(100ms);
            const std::uint64_t now = store.usage().commandCount;
            commandsMost = std::max(commandsMost, now - before);
            before = now;
        }
        return loop.now() - begin;
    }

    std::uint64_t commandsMost = 0; // within a tenth of a second
};

double secondsOf(Duration duration)
{
    return std::chrono::duration<double>(duration).count();
}

} // namespace

class TestBudgetPace : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void withoutABudgetNothingWaits()
    {
        Bench bench({});
        QVERIFY(bench.sweepOnce() == 0ms);
        QCOMPARE(bench.basket.count, std::size_t(1000));
    }

    void commandsAreSpreadOverTime()
    {
        Bench bench({500, 0, 0});
        const Duration spent = bench.sweepOnce();
        QCOMPARE(bench.basket.count, std::size_t(1000));
        const double price = static_cast<double>(bench.store.usage().commandCount) / 500;
        QVERIFY2(secondsOf(spent) >= price - 0.2 && secondsOf(spent) <= price + 0.2,
                 (std::to_string(secondsOf(spent)) + ", " + std::to_string(price)).c_str());
        QVERIFY2(bench.commandsMost <= 100, std::to_string(bench.commandsMost).c_str());
    }

    void bytesAreSpreadOverTime()
    {
        Bench bench({0, 20'000, 0});
        const Duration spent = bench.sweepOnce();
        const double price = static_cast<double>(bench.store.usage().bytes()) / 20'000;
        QVERIFY(price > 5);
        QVERIFY2(secondsOf(spent) >= price - 0.2 && secondsOf(spent) <= price + 0.2,
                 (std::to_string(secondsOf(spent)) + ", " + std::to_string(price)).c_str());
    }

    /// A server that took 30 ms for a piece is left alone for so long that these are 3 percent.
    void theTimeOfAPieceIsPaidForByTheShareOfTheServer()
    {
        Bench bench({0, 0, 3});
        const auto started = bench.loop.start([](Bench& b) -> async::Task<bool> {
            const Instant begunAt = b.loop.now();
            co_await b.loop.clock().wakeAt(begunAt + 30ms);
            co_await b.pace.settle(begunAt);
            co_return true;
        }(bench));
        bench.loop.advance(990ms);
        QVERIFY(!started.isFinished());
        bench.loop.advance(20ms);
        QVERIFY(started.isFinished());
    }

    /// What somebody else sent through the store is paid for by the next piece.
    void whatFollowsAChangeIsPaidForByTheSweep()
    {
        Bench bench({100, 0, 0});
        for (int i = 0; i < 50; ++i) {
            static_cast<void>(
                bench.loop.run([](store::Store& store) -> async::Task<store::Outcome> {
                    Command command("PTTL", "lock:1");
                    co_return co_await store.submit(std::move(command));
                }(bench.store)));
        }
        const auto started = bench.loop.start([](Bench& b) -> async::Task<bool> {
            co_await b.pace.settle(b.loop.now());
            co_return true;
        }(bench));
        bench.loop.advance(490ms);
        QVERIFY(!started.isFinished());
        bench.loop.advance(20ms);
        QVERIFY(started.isFinished());
    }

    void aSmallBudgetMakesSmallPieces()
    {
        QCOMPARE(Bench({40, 0, 0}).pace.keysAtOnce(128), std::size_t(1));
        QCOMPARE(Bench({1'000, 0, 0}).pace.keysAtOnce(128), std::size_t(25));
        QCOMPARE(Bench({1'000'000, 0, 0}).pace.keysAtOnce(128), std::size_t(128));
        QCOMPARE(Bench({}).pace.keysAtOnce(2000), std::size_t(2000));
        QCOMPARE(Bench({0, 40'000, 0}).pace.keysAtOnce(2000), std::size_t(10));
        QCOMPARE(Bench({0, 0, 50}).pace.keysAtOnce(2000), std::size_t(32));
    }
};

LOCKSCOPE_TEST(TestBudgetPace, None)

} // namespace lockscope::tst_budget_pace

#include "tst_budget_pace.moc"
