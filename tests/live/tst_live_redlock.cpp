#include "core/wire/watch/redis_monitor.h"
#include "tests/kernel/text_in_failures.h"
#include "tests/support/live/live_desk.h"
#include "tests/support/live/live_server.h"
#include "tests/support/live/live_watch.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <memory>

namespace lockscope::tst_live_redlock {

using namespace lockscope::testing;
using namespace std::chrono_literals;
using inspect::Flag;
using inspect::LockId;
using inspect::ReleaseResult;
using store::Endpoint;

namespace {

constexpr int kPatienceMs = 30'000;
const Bytes kAlice = "5f0c9a41-77aa-4c1e-9f00-1b2c3d4e5f60";
const Bytes kBob = "0a1b2c3d-4e5f-4a6b-8c7d-9e0f1a2b3c4d";

/// Independent servers that are one Redlock set.
struct Bench {
    std::vector<std::unique_ptr<LiveServer>> servers;

    explicit Bench(int count)
    {
        for (int i = 0; i < count; ++i) {
            servers.push_back(std::make_unique<LiveServer>());
        }
    }

    std::vector<Endpoint> endpoints() const
    {
        std::vector<Endpoint> all;
        for (const auto& server : servers) {
            all.push_back(server->endpoint());
            all.back().requestTimeout = 2s;
        }
        return all;
    }
    /// Takes the resource on these servers, as the algorithm does on all of them.
    void takeLock(std::initializer_list<std::size_t> where, const Bytes& owner,
                  int leaseMs = 600000)
    {
        for (const std::size_t index : where) {
            servers[index]->client()("SET", "resource:lock", owner, "NX", "PX", leaseMs);
        }
    }
    bool isHeldOn(std::size_t index) const
    {
        return servers[index]->client()("EXISTS", "resource:lock").integer() == 1;
    }
};

int heldOn(LiveWatch& watch)
{
    const inspect::LockPtr row = watch.row("resource:lock");
    return row ? row->quorum().held : 0;
}

bool hasFlag(LiveWatch& watch, Flag flag)
{
    const inspect::LockPtr row = watch.row("resource:lock");
    return row && row->flags.has(flag);
}

bool isSwept(LiveWatch& watch, std::size_t serverCount)
{
    for (std::uint16_t server = 0; server < serverCount; ++server) {
        if (watch.sweepCount(server) == 0) {
            return false;
        }
    }
    return true;
}

} // namespace

class TestLiveRedlock : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void votesFoldIntoOneRow_data();
    void votesFoldIntoOneRow();
    void aMinorityIsSuspiciousAndAMajorityIsNot();
    void twoOwnersAreSplit();
    void aReleaseHitsEveryServerThatHasTheToken();
    void aReleaseSparesTheRival();
    void aServerThatIsDownLeavesTheRestVisible();
    void aServerThatWasNeverReachedIsNoMissingVote();
    void whoIsNotAskedIsNamed();
    void everyServerSaysItsVoteAndItsClock();
    void leftoversAreRemovedWhereTheyAre();
    void leftoversOfARivalAreOfferedApart();
    void leftoversStayWhileAServerIsSilent();
    void locksOfTwoServersThatShareTheirNameAreTwo();
};

void TestLiveRedlock::initTestCase()
{
    if (!LiveServer::isInstalled()) {
        QSKIP("redis-server is not installed");
    }
}

void TestLiveRedlock::votesFoldIntoOneRow_data()
{
    QTest::addColumn<int>("serverCount");
    QTest::newRow("three servers") << 3;
    QTest::newRow("five servers") << 5;
}

void TestLiveRedlock::votesFoldIntoOneRow()
{
    QFETCH(const int, serverCount);
    Bench bench(serverCount);
    LiveWatch watch(bench.endpoints());
    QTRY_VERIFY_WITH_TIMEOUT(isSwept(watch, bench.servers.size()), kPatienceMs);
    for (int i = 0; i < serverCount; ++i) {
        bench.takeLock({std::size_t(i)}, kAlice);
    }
    QTRY_COMPARE_WITH_TIMEOUT(heldOn(watch), serverCount, kPatienceMs);
    QCOMPARE(watch.rowCount(), std::size_t(1));
    QCOMPARE(std::string(watch.row("resource:lock")->format()), std::string("redlock"));
    QVERIFY(watch.row("resource:lock")->isTakenWhileWatching);
    QCOMPARE(std::count(watch.story().begin(), watch.story().end(), "appeared resource:lock"), 1);
    for (const auto& server : bench.servers) {
        server->client()("DEL", "resource:lock");
    }
    QTRY_COMPARE_WITH_TIMEOUT(watch.rowCount(), std::size_t(0), kPatienceMs);
}

void TestLiveRedlock::aMinorityIsSuspiciousAndAMajorityIsNot()
{
    Bench bench(3);
    bench.takeLock({0}, kAlice);
    LiveWatch watch(bench.endpoints());
    QTRY_VERIFY_WITH_TIMEOUT(hasFlag(watch, Flag::Minority), kPatienceMs);
    bench.takeLock({2}, kAlice);
    QTRY_VERIFY_WITH_TIMEOUT(heldOn(watch) == 2 && !hasFlag(watch, Flag::Minority), kPatienceMs);
}

void TestLiveRedlock::twoOwnersAreSplit()
{
    Bench bench(5);
    bench.takeLock({0, 1, 2}, kAlice);
    bench.takeLock({3, 4}, kBob);
    LiveWatch watch(bench.endpoints());
    QTRY_VERIFY_WITH_TIMEOUT(hasFlag(watch, Flag::SplitOwners), kPatienceMs);
    QTRY_COMPARE_WITH_TIMEOUT(watch.ownerOf("resource:lock"), kAlice, kPatienceMs);
    QCOMPARE(watch.row("resource:lock")->holders.size(), std::size_t(2));
    QCOMPARE(watch.rowCount(), std::size_t(1));
}

void TestLiveRedlock::aReleaseHitsEveryServerThatHasTheToken()
{
    Bench bench(3);
    bench.takeLock({0, 2}, kAlice);
    LiveDesk desk(bench.endpoints());
    const quint64 inspection = desk.desk().inspectLock({LockId::kWholeSet, "resource:lock"});
    QTRY_VERIFY_WITH_TIMEOUT(desk.details(inspection) != nullptr, kPatienceMs);
    const operations::LockDetails details = *desk.details(inspection);
    QCOMPARE(int(details.lock->quorum().held), 2);
    QVERIFY(details.release->servers == (std::vector<std::uint16_t>{0, 2}));
    const quint64 release = desk.desk().execute(*details.release, {});
    QTRY_VERIFY_WITH_TIMEOUT(desk.report(release) != nullptr, kPatienceMs);
    QVERIFY(desk.report(release)->result == ReleaseResult::Released);
    QCOMPARE(desk.report(release)->perServer.size(), std::size_t(2));
    QVERIFY(!bench.isHeldOn(0) && !bench.isHeldOn(2));
    QCOMPARE(desk.auditLines().size(), 4);
    QTRY_VERIFY_WITH_TIMEOUT(desk.nextHold(release) != nullptr, kPatienceMs);
}

void TestLiveRedlock::aReleaseSparesTheRival()
{
    Bench bench(3);
    bench.takeLock({0}, kBob);
    bench.takeLock({1, 2}, kAlice);
    LiveDesk desk(bench.endpoints());
    const quint64 inspection = desk.desk().inspectLock({LockId::kWholeSet, "resource:lock"});
    QTRY_VERIFY_WITH_TIMEOUT(desk.details(inspection) != nullptr, kPatienceMs);
    QVERIFY(desk.details(inspection)->release->owner() == kAlice);
    const quint64 release = desk.desk().execute(*desk.details(inspection)->release, {});
    QTRY_VERIFY_WITH_TIMEOUT(desk.report(release) != nullptr, kPatienceMs);
    QVERIFY(desk.report(release)->result == ReleaseResult::Released);
    QVERIFY(bench.isHeldOn(0));
    QVERIFY(!bench.isHeldOn(1) && !bench.isHeldOn(2));
}

void TestLiveRedlock::aServerThatIsDownLeavesTheRestVisible()
{
    Bench bench(3);
    bench.takeLock({0, 1, 2}, kAlice);
    LiveWatch watch(bench.endpoints());
    QTRY_COMPARE_WITH_TIMEOUT(heldOn(watch), 3, kPatienceMs);
    bench.servers[1]->kill();
    QTRY_VERIFY_WITH_TIMEOUT(!watch.row("resource:lock")->isConfirmed, kPatienceMs);
    QVERIFY(watch.isOnline(0) && watch.isOnline(2));
    bench.servers[1]->restart(); // without its data
    QTRY_VERIFY_WITH_TIMEOUT(heldOn(watch) == 2 && watch.row("resource:lock")->isConfirmed,
                             kPatienceMs);
}

void TestLiveRedlock::aServerThatWasNeverReachedIsNoMissingVote()
{
    Bench bench(3);
    bench.takeLock({1, 2}, kAlice); // a majority, of which one half is out of sight
    const std::vector<Endpoint> endpoints = bench.endpoints();
    bench.servers[1]->kill();
    LiveWatch watch(endpoints);
    const auto isUndecided = [&watch] {
        const inspect::LockPtr row = watch.row("resource:lock");
        return row && row->quorum().unknown == 1 && row->quorum().isUndecided();
    };
    QTRY_VERIFY_WITH_TIMEOUT(isUndecided() && watch.sweepCount(0) > 0 && watch.sweepCount(2) > 0,
                             kPatienceMs);
    QVERIFY(watch.row("resource:lock")->quorum().isUnknown(1));
    bench.servers[1]->restart(); // without its data: now it is certain
    QTRY_VERIFY_WITH_TIMEOUT(hasFlag(watch, Flag::Minority), kPatienceMs);
    QCOMPARE(watch.row("resource:lock")->quorum().unknown, std::uint16_t(0));
    const bool wasEarlier = std::ranges::any_of(watch.changes(), [](const auto& change) {
        return change.lock->flags.has(Flag::Minority) && change.lock->quorum().unknown > 0;
    });
    QVERIFY(!wasEarlier);
}

void TestLiveRedlock::whoIsNotAskedIsNamed()
{
    Bench bench(3);
    bench.takeLock({0, 1, 2}, kAlice);
    const std::vector<Endpoint> endpoints = bench.endpoints();
    bench.servers[1]->kill();
    LiveDesk desk(endpoints);
    const quint64 inspection = desk.desk().inspectLock({LockId::kWholeSet, "resource:lock"});
    QTRY_VERIFY_WITH_TIMEOUT(desk.details(inspection) != nullptr, kPatienceMs);
    const operations::LockDetails& details = *desk.details(inspection);
    QCOMPARE(int(details.lock->quorum().held), 2);
    const std::string down = store::serverName(endpoints[1]);
    const bool isNamed = std::any_of(details.warnings.begin(), details.warnings.end(),
                                     [&](const std::string& w) { return w.starts_with(down); });
    QVERIFY(isNamed);
}

void TestLiveRedlock::everyServerSaysItsVoteAndItsClock()
{
    using Vote = diagnosis::SetNode::Vote;
    Bench bench(5);
    bench.takeLock({0, 1, 2}, kAlice);
    bench.takeLock({4}, kBob);
    const std::vector<Endpoint> endpoints = bench.endpoints();
    bench.servers[3]->kill();
    LiveDesk desk(endpoints);
    const quint64 inspection = desk.desk().inspectLock({LockId::kWholeSet, "resource:lock"});
    QTRY_VERIFY_WITH_TIMEOUT(desk.details(inspection) != nullptr, kPatienceMs);
    const std::vector<diagnosis::SetNode>& nodes = desk.details(inspection)->nodes;
    QCOMPARE(nodes.size(), std::size_t(5));
    QVERIFY(nodes[0].vote == Vote::SameOwner && nodes[4].vote == Vote::OtherOwner);
    QVERIFY(nodes[3].vote == Vote::Unknown);
    QVERIFY(nodes[3].problem.kind != store::Problem::Kind::None);
    QVERIFY(!nodes[3].replyTime);
    QVERIFY(nodes[0].expiresAt && nodes[0].clockAhead && nodes[0].replyTime);
    QVERIFY(inspect::quorumStateOf(*desk.details(inspection)->lock)
            == inspect::QuorumState::Majority);
}

void TestLiveRedlock::leftoversAreRemovedWhereTheyAre()
{
    Bench bench(5);
    bench.takeLock({1, 3}, kAlice);
    LiveDesk desk(bench.endpoints());
    const quint64 inspection = desk.desk().inspectLock({LockId::kWholeSet, "resource:lock"});
    QTRY_VERIFY_WITH_TIMEOUT(desk.details(inspection) != nullptr, kPatienceMs);
    QVERIFY(desk.details(inspection)->release->isOfMinority);
    const quint64 release = desk.desk().execute(*desk.details(inspection)->release, {});
    QTRY_VERIFY_WITH_TIMEOUT(desk.report(release) != nullptr, kPatienceMs);
    QVERIFY(desk.report(release)->result == ReleaseResult::Released);
    QCOMPARE(desk.report(release)->perServer.size(), std::size_t(2));
    QCOMPARE(desk.report(release)->votesLeft.value().held, std::uint16_t(0));
    QVERIFY(!bench.isHeldOn(1) && !bench.isHeldOn(3));
}

void TestLiveRedlock::leftoversOfARivalAreOfferedApart()
{
    Bench bench(3);
    bench.takeLock({0, 1}, kAlice);
    bench.takeLock({2}, kBob);
    LiveDesk desk(bench.endpoints());
    const quint64 inspection = desk.desk().inspectLock({LockId::kWholeSet, "resource:lock"});
    QTRY_VERIFY_WITH_TIMEOUT(desk.details(inspection) != nullptr, kPatienceMs);
    const std::vector<inspect::ReleasePlan>& rivals = desk.details(inspection)->releaseOne;
    QCOMPARE(rivals.size(), std::size_t(1));
    const quint64 release = desk.desk().execute(rivals.front(), {});
    QTRY_VERIFY_WITH_TIMEOUT(desk.report(release) != nullptr, kPatienceMs);
    QVERIFY(desk.report(release)->result == ReleaseResult::Released);
    QVERIFY(bench.isHeldOn(0) && bench.isHeldOn(1) && !bench.isHeldOn(2));
}

void TestLiveRedlock::leftoversStayWhileAServerIsSilent()
{
    Bench bench(3);
    bench.takeLock({0}, kAlice);
    LiveDesk desk(bench.endpoints());
    const quint64 inspection = desk.desk().inspectLock({LockId::kWholeSet, "resource:lock"});
    QTRY_VERIFY_WITH_TIMEOUT(desk.details(inspection) != nullptr, kPatienceMs);
    const inspect::ReleasePlan plan = desk.details(inspection)->release.value();
    QVERIFY(plan.isOfMinority);
    bench.servers[2]->process().freeze(); // it may have got the second vote by now
    const quint64 release = desk.desk().execute(plan, {});
    QTRY_VERIFY_WITH_TIMEOUT(desk.report(release) != nullptr, kPatienceMs);
    bench.servers[2]->process().thaw();
    QVERIFY(desk.report(release)->result == ReleaseResult::Refused);
    QVERIFY(bench.isHeldOn(0));
}

void TestLiveRedlock::locksOfTwoServersThatShareTheirNameAreTwo()
{
    Bench bench(2);
    bench.takeLock({0}, kAlice);
    bench.takeLock({1}, kBob);
    LiveWatch watch(bench.endpoints());
    QTRY_COMPARE_WITH_TIMEOUT(watch.rowCount(), std::size_t(2), kPatienceMs);
    QTRY_VERIFY_WITH_TIMEOUT(isSwept(watch, bench.servers.size()), kPatienceMs);
    QCOMPARE(watch.row("resource:lock")->quorum().total, std::uint16_t(0));
    bench.servers[1]->client()("SET", "resource:lock", kAlice, "PX", 600000);
    QTRY_COMPARE_WITH_TIMEOUT(watch.rowCount(), std::size_t(1), kPatienceMs);
    QCOMPARE(heldOn(watch), 2);
}

LOCKSCOPE_TEST(TestLiveRedlock, Core)

} // namespace lockscope::tst_live_redlock

#include "tst_live_redlock.moc"
