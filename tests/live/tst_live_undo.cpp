#include "core/kernel/inspect/undo_plan.h"
#include "tests/live/release_bench.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace lockscope::tst_live_undo {

using namespace lockscope::inspect;
using namespace lockscope::testing;
using namespace std::chrono_literals;
using operations::LockDetails;

namespace {

const Bytes kAlice = "5f0c9a41-77aa-4c1e-9f00-1b2c3d4e5f60";
const Bytes kWorker = "worker-17:a"; // of a hash
constexpr std::int64_t kLeaseMs = 600'000;

} // namespace

/// A release is taken back on a real server, through the desk and its audit file.
class TestLiveUndo : public QObject {
    Q_OBJECT

    /// Looks at the lock and releases it; how to undo that.
    static ReleasePlan releasedBy(ReleaseBench& bench)
    {
        bench.open();
        const LockDetails details = bench.lookUp("order:lock");
        const ReleaseReport report = bench.executed(*details.release);
        const LockSnapshot& seen = details.snapshots.front();
        const auto undo = undoPlan(*details.release, seen, seen.main().seenAt + 1s);
        if (report.result != ReleaseResult::Released || !undo || bench.exists("order:lock")) {
            qFatal("the lock was not released");
        }
        return *undo;
    }
    static std::int64_t leftMs(ReleaseBench& bench)
    {
        return bench.server.client()("PTTL", "order:lock").integer().value_or(0);
    }

private Q_SLOTS:
    void initTestCase()
    {
        if (!LiveServer::isInstalled()) {
            QSKIP("redis-server is not installed");
        }
    }

    void aTokenIsPutBackAndWrittenDown()
    {
        ReleaseBench bench;
        bench.server.client()("SET", "order:lock", kAlice, "PX", kLeaseMs);
        const ReleasePlan undo = releasedBy(bench);
        QVERIFY(bench.executed(undo, u"stuck"_qs).result == ReleaseResult::Released);
        QCOMPARE(bench.server.client()("GET", "order:lock"), store::Reply::ofBulk(kAlice));
        QCOMPARE_LE(leftMs(bench), kLeaseMs - 1000);
        QCOMPARE_GT(leftMs(bench), kLeaseMs / 2);
        QCOMPARE(bench.desk->auditLines().size(), 4);
        const nlohmann::json line = bench.auditLine();
        QCOMPARE(line["action"].get<std::string>(), std::string("restore"));
        QCOMPARE(line["outcome"].get<std::string>(), std::string("restored"));
        QCOMPARE(line["capMs"].get<std::int64_t>(), toMs(undo.cap));
        QCOMPARE(line["reason"].get<std::string>(), std::string("stuck"));
    }

    void aHashIsPutBackWhole()
    {
        ReleaseBench bench;
        bench.server.client()("HSET", "order:lock", kWorker, 2);
        bench.server.client()("PEXPIRE", "order:lock", kLeaseMs);
        const ReleasePlan undo = releasedBy(bench);
        QVERIFY(bench.executed(undo).result == ReleaseResult::Released);
        QCOMPARE(bench.server.client()("HGET", "order:lock", kWorker), store::Reply::ofBulk("2"));
        QCOMPARE_LE(leftMs(bench), kLeaseMs - 1000);
        QCOMPARE_GT(leftMs(bench), kLeaseMs / 2);
        // Once more: now it is there.
        const ReleaseReport again = bench.executed(undo);
        QVERIFY(again.result == ReleaseResult::ChangedHands);
        QCOMPARE(again.nowThere->holders.front().owner, kWorker);
    }

    void whatSomebodyTookMeanwhileStays()
    {
        ReleaseBench bench;
        bench.server.client()("SET", "order:lock", kAlice, "PX", kLeaseMs);
        const ReleasePlan undo = releasedBy(bench);
        const Bytes bob = "0a1b2c3d-4e5f-4a6b-8c7d-9e0f1a2b3c4d";
        bench.server.client()("SET", "order:lock", bob, "PX", kLeaseMs);
        const ReleaseReport report = bench.executed(undo);
        QVERIFY(report.result == ReleaseResult::ChangedHands);
        QCOMPARE(report.nowThere->holders.front().owner, bob);
        QCOMPARE(bench.server.client()("GET", "order:lock"), store::Reply::ofBulk(bob));
        QCOMPARE(bench.auditLine()["outcome"].get<std::string>(), std::string("changed-hands"));
    }

    /// A script that stopped between the two would leave a lock that never ends.
    void aHashThatCouldNotExpireIsNotMade()
    {
        ReleaseBench bench;
        bench.server.client()("HSET", "order:lock", kWorker, 1);
        bench.server.client()("PEXPIRE", "order:lock", kLeaseMs);
        const ReleasePlan undo = releasedBy(bench);
        bench.server.client()("ACL", "SETUSER", "default", "-pexpire");
        QVERIFY(bench.executed(undo).result == ReleaseResult::Refused);
        QVERIFY(!bench.exists("order:lock"));
    }
};

LOCKSCOPE_TEST(TestLiveUndo, Core)

} // namespace lockscope::tst_live_undo

#include "tst_live_undo.moc"
