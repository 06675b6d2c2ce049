#include "core/kernel/async/gate.h"
#include "core/operations/lock_capture.h"
#include "tests/kernel/text_in_failures.h"
#include "tests/support/pretend_keyspace.h"
#include "tests/support/scripted_servers.h"
#include "tests/support/test_program.h"
#include "tests/support/virtual_loop.h"

#include <QTest>

#include <functional>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

namespace lockscope::tst_lock_capture {

using namespace lockscope::testing;
using namespace std::chrono_literals;
using diagnosis::CaptureEnd;
using inspect::LockId;
using operations::CaptureResult;
using operations::LockCapture;
using store::Problem;

namespace {

const Bytes kAlice = "5f0c9a41-77aa-4c1e-9f00-1b2c3d4e5f60";
const LockId kOrder{0, "order:lock"};

/// Hands out one line, and then waits until it is over.
class ScriptedFeed final : public operations::CommandFeed {
public:
    explicit ScriptedFeed(Clock& clock) : m_clock(clock) {}

    async::Task<Result> listen(operations::FeedLimits limits,
                               std::function<void(std::string_view)> take) override
    {
        take("1.5 [0 10.0.0.7:5162] \"set\" \"order:lock\" \"" + kAlice + '"');
        if (!m_isStopped) {
            co_await m_end.passBefore(m_clock, m_clock.now() + limits.span);
        }
        CaptureEnd end;
        end.kind = m_isStopped ? CaptureEnd::Kind::Stopped : CaptureEnd::Kind::TimeOver;
        co_return end;
    }
    void stop() override
    {
        m_isStopped = true;
        m_end.open();
    }

private:
    Clock& m_clock;
    async::Gate m_end;
    bool m_isStopped = false;
};

/// Three servers with the same keys.
struct Bench {
    VirtualLoop loop;
    PretendKeyspace keyspace{loop.clock()};
    ScriptedStore::Script script = [this](const store::Command& command) {
        return store::Outcome(keyspace.answer(command));
    };
    ScriptedServers servers{{script, script, script}};
    operations::LockInspector inspector{servers, loop.clock()};
    operations::LockListener listener{servers, inspector};
    std::vector<std::size_t> heard; // servers

    Bench()
    {
        keyspace.setString("order:lock", kAlice, 30s);
        servers.setFeeds([this](std::size_t server) {
            heard.push_back(server);
            return std::make_unique<ScriptedFeed>(loop.clock());
        });
    }

    StartedTask<CaptureResult> listen(const LockId& id)
    {
        return loop.start(listener.listen(id, {5s, 1000}));
    }
};

CaptureEnd::Kind endOf(const StartedTask<CaptureResult>& task)
{
    return std::get<LockCapture>(task.result()).end.kind;
}

} // namespace

/// What a real server tells by MONITOR: see tst_cli_who.
class TestLockCapture : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void itEndsByItself();
    void itEndsWhenItIsStopped();
    void itIsStoppedBeforeItHasBegun();
    void oneServerOfASetIsListenedTo();
    void whereNoNodeHasTheKeyNothingIsHeard();
    void aTaskThatIsDroppedLeavesNothingToStop();
};

void TestLockCapture::itEndsByItself()
{
    Bench bench;
    const auto task = bench.listen(kOrder);
    QVERIFY(!task.isFinished());
    bench.loop.advance(5s);
    QVERIFY(endOf(task) == CaptureEnd::Kind::TimeOver);
    const auto visitors = std::get<LockCapture>(task.result()).capture.visitors();
    QCOMPARE(visitors.size(), std::size_t(1));
    QCOMPARE(visitors.front().client, std::string("10.0.0.7:5162"));
    QCOMPARE(visitors.front().owners, std::vector{kAlice});
}

void TestLockCapture::itEndsWhenItIsStopped()
{
    Bench bench;
    bench.listener.stop(); // nothing is under way
    const auto task = bench.listen(kOrder);
    bench.loop.advance(1s);
    QVERIFY(!task.isFinished());
    bench.listener.stop();
    bench.loop.settle();
    QVERIFY(endOf(task) == CaptureEnd::Kind::Stopped);
    QCOMPARE(std::get<LockCapture>(task.result()).capture.visitors().size(), std::size_t(1));
}

void TestLockCapture::itIsStoppedBeforeItHasBegun()
{
    Bench bench;
    const StartedTask<CaptureResult> task(bench.loop.executor(),
                                          bench.listener.listen(kOrder, {5s, 1000}));
    bench.servers.setFeeds([&bench](std::size_t) {
        bench.listener.stop();
        return std::make_unique<ScriptedFeed>(bench.loop.clock());
    });
    bench.loop.settle();
    QVERIFY(endOf(task) == CaptureEnd::Kind::Stopped);
}

void TestLockCapture::oneServerOfASetIsListenedTo()
{
    Bench bench;
    bench.servers.store(0).breakLink();
    const auto task = bench.listen({LockId::kWholeSet, "order:lock"});
    bench.loop.advance(5s);
    QVERIFY(endOf(task) == CaptureEnd::Kind::TimeOver);
    QCOMPARE(bench.heard, std::vector<std::size_t>{1});
}

void TestLockCapture::whereNoNodeHasTheKeyNothingIsHeard()
{
    Bench bench;
    bench.servers.setFeeds({});
    const auto task = bench.listen(kOrder);
    QCOMPARE(std::get<Problem>(task.result()).kind, Problem::Kind::ClusterSlotsUnowned);
}

void TestLockCapture::aTaskThatIsDroppedLeavesNothingToStop()
{
    Bench bench;
    {
        const auto task = bench.listen(kOrder);
        QVERIFY(!task.isFinished());
    }
    bench.listener.stop();
    QCOMPARE(bench.heard.size(), std::size_t(1));
}

LOCKSCOPE_TEST(TestLockCapture, Core)

} // namespace lockscope::tst_lock_capture

#include "tst_lock_capture.moc"
