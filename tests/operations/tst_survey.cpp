#include "core/operations/survey.h"
#include "tests/support/pretend_keyspace.h"
#include "tests/support/scripted_servers.h"
#include "tests/support/test_program.h"
#include "tests/support/virtual_loop.h"

#include <QTest>

namespace lockscope::tst_survey {

using namespace lockscope::inspect;
using namespace lockscope::testing;
using namespace std::chrono_literals;
using operations::Survey;
using store::Problem;

namespace {

const Bytes kAlice = "5f0c9a41-77aa-4c1e-9f00-1b2c3d4e5f60";

/// Three servers, each with keys of its own.
struct Bench {
    VirtualLoop loop;
    std::vector<PretendKeyspace> keyspaces{3, PretendKeyspace(loop.clock())};
    ScriptedServers servers{{scriptOf(0), scriptOf(1), scriptOf(2)}};
    LockBook book{3};
    int progressCount = 0;
    Survey survey{loop.executor(), loop.clock(), servers, book, {}, [this] { ++progressCount; }};

    ScriptedStore::Script scriptOf(std::size_t server)
    {
        return [this, server](const store::Command& command) {
            return keyspaces[server].answer(command);
        };
    }
    void lockOn(const std::vector<std::size_t>& on)
    {
        for (const std::size_t server : on) {
            keyspaces[server].setString("order:lock", kAlice, 30s);
        }
    }
    /// Time passes where the survey wants to look again.
    std::optional<Survey::Failure> run()
    {
        const auto running = loop.start(survey.run());
        loop.advance(5s);
        return running.result();
    }
};

} // namespace

class TestSurvey : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyServerIsLookedAt();
    void whatIsNoLockIsAFinding();
    void waitersLeadToALockUnderAnyName();
    void aLockThatIsBeingTakenIsLookedAtAgain();
    void whatStaysSplitIsSplit();
    void aServerThatIsLostEndsIt();
};

void TestSurvey::everyServerIsLookedAt()
{
    Bench bench;
    bench.lockOn({0, 1, 2});
    bench.keyspaces[0].setString("other", "value");
    QVERIFY(!bench.run());
    QCOMPARE(bench.book.rows().size(), std::size_t(1));
    QVERIFY(bench.book.rows().front()->quorum() == (Quorum{3, 3}));
    QCOMPARE(bench.survey.scanned(), std::uint64_t(4));
    QCOMPARE(bench.survey.total(), std::uint64_t(4));
    QVERIFY(bench.progressCount > 0);
    QCOMPARE(bench.servers.store(2).askedCount("CLIENT LIST"), std::size_t(1));
}

void TestSurvey::whatIsNoLockIsAFinding()
{
    Bench bench;
    bench.keyspaces[1].setString("lock:count", "42");
    QVERIFY(!bench.run());
    QVERIFY(bench.book.rows().empty());
    QCOMPARE(bench.survey.findings(0).nearMissCount(), std::uint64_t(0));
    QCOMPARE(bench.survey.findings(1).nearMissCount(), std::uint64_t(1));
}

void TestSurvey::waitersLeadToALockUnderAnyName()
{
    Bench bench;
    bench.keyspaces[1].setString("orders", "2");
    bench.keyspaces[1].setString("visits", "2");
    bench.keyspaces[1].setSubscribers("redisson_countdownlatch__channel__{orders}", 3);
    QVERIFY(!bench.run());
    QCOMPARE(bench.book.rows().size(), std::size_t(1));
    QCOMPARE(bench.book.rows().front()->id.name, Bytes("orders"));
    QVERIFY(bench.book.rows().front()->waiters == 3);
}

void TestSurvey::aLockThatIsBeingTakenIsLookedAtAgain()
{
    Bench bench;
    bench.lockOn({0});
    const auto running = bench.loop.start(bench.survey.run());
    QVERIFY(!running.isFinished());
    bench.lockOn({1, 2});
    bench.loop.advance(5s);
    QVERIFY(!running.result());
    QVERIFY(bench.book.rows().front()->quorum() == (Quorum{3, 3}));
}

void TestSurvey::whatStaysSplitIsSplit()
{
    Bench bench;
    bench.lockOn({0});
    QVERIFY(!bench.run());
    QVERIFY(bench.book.rows().front()->quorum().isMinority());
}

void TestSurvey::aServerThatIsLostEndsIt()
{
    Bench bench;
    bench.lockOn({0, 1, 2});
    bench.servers.store(1).breakLink();
    const auto failure = bench.run();
    QVERIFY(failure.has_value());
    QCOMPARE(failure->server, std::uint16_t(1));
    QVERIFY(failure->problem.kind != Problem::Kind::None);
    QVERIFY(failure->sweep.has_value());
}

LOCKSCOPE_TEST(TestSurvey, Core)

} // namespace lockscope::tst_survey

#include "tst_survey.moc"
