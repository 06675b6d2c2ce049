#include "core/kernel/diagnosis/diagnosis.h"
#include "core/kernel/inspect/watch/hold_history.h"
#include "core/operations/lock_observation.h"
#include "tests/kernel/text_in_failures.h"
#include "tests/support/pretend_keyspace.h"
#include "tests/support/scripted_servers.h"
#include "tests/support/test_program.h"
#include "tests/support/virtual_loop.h"

#include <QTest>

#include <string>

namespace lockscope::tst_lock_observation {

using namespace lockscope::inspect;
using namespace lockscope::testing;
using namespace std::chrono_literals;
using diagnosis::Diagnosis;
using store::Problem;

namespace {

const Bytes kAlice = "5f0c9a41-77aa-4c1e-9f00-1b2c3d4e5f60";
const Bytes kBob = "0a1b2c3d-4e5f-4a6b-8c7d-9e0f1a2b3c4d";

/// One server with one lock, which is observed for a time that only the test lets pass.
struct Bench {
    VirtualLoop loop;
    PretendKeyspace keyspace{loop.clock()};
    ScriptedServers servers{
        {[this](const store::Command& command) { return keyspace.answer(command); }}};
    LockBook book{1};

    auto observe(Duration span)
    {
        return loop.start(operations::observeLocks(servers, loop.clock(), book,
                                                   builtinFormatTable(),
                                                   {{{"order:lock", {"order:lock"}}}}, span));
    }

    LockPtr row() const { return book.rowCount() == 1 ? book.rows().front() : nullptr; }

    std::string reason() const
    {
        const Diagnosis found = diagnosis::diagnose({.record = *row(), .now = loop.now()});
        return found.findings.empty()
                   ? std::string()
                   : std::string(inspect::infoOf(found.findings.front().reason).id);
    }
};

} // namespace

class TestLockObservation : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void renewalsAreSeen();
    void holdsThatEndAndBeginAreSeen();
    void aServerThatIsLostEndsIt();
};

void TestLockObservation::renewalsAreSeen()
{
    Bench bench;
    bench.keyspace.setString("order:lock", kAlice, 30s);
    const auto task = bench.observe(90s);
    for (int i = 0; i < 9; ++i) {
        bench.loop.advance(9900ms);
        QVERIFY(!task.isFinished());
        QCOMPARE(bench.reason(), std::string(i < 6 ? "" : "renewed-forever"));
        bench.keyspace.expire("order:lock", 30s);
    }
    bench.loop.advance(1s);
    QVERIFY(task.isFinished());
    QVERIFY(!task.result());
    QCOMPARE(bench.row()->renewals, 9U);
}

void TestLockObservation::holdsThatEndAndBeginAreSeen()
{
    Bench bench;
    const auto task = bench.observe(10s);
    for (int i = 0; i < 3; ++i) {
        bench.keyspace.setString("order:lock", std::to_string(i) + kAlice.substr(1), 30s);
        bench.loop.advance(500ms);
        QVERIFY(bench.row());
        bench.keyspace.remove("order:lock");
        bench.loop.advance(100ms);
        QVERIFY(!bench.row());
    }
    bench.keyspace.setString("order:lock", kBob, 30s);
    bench.loop.advance(9s);
    QVERIFY(task.isFinished());
    QCOMPARE(bench.row()->history()->holds.size(), std::size_t(3));
    QVERIFY(bench.row()->history()->longest() <= Duration(550ms));
    QCOMPARE(bench.row()->history()->ranOutCount(), std::size_t(0));
}

void TestLockObservation::aServerThatIsLostEndsIt()
{
    Bench bench;
    bench.keyspace.setString("order:lock", kAlice, 30s);
    const auto task = bench.observe(10s);
    bench.loop.advance(1s);
    bench.servers.store(0).breakLink();
    bench.loop.advance(1s);
    QVERIFY(task.isFinished());
    QVERIFY(task.result());
    QCOMPARE(task.result()->first, std::uint16_t(0));
    QVERIFY(task.result()->second.kind != Problem::Kind::None);
}

LOCKSCOPE_TEST(TestLockObservation, Core)

} // namespace lockscope::tst_lock_observation

#include "tst_lock_observation.moc"
