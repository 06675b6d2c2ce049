#include "core/kernel/base/rng.h"
#include "core/operations/lock_releaser.h"
#include "tests/kernel/text_in_failures.h"
#include "tests/support/test_program.h"
#include "tests/support/virtual_loop.h"
#include "tests/support/watching_servers.h"

#include <QTest>

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace lockscope::tst_hold_guards {

using namespace lockscope::inspect;
using namespace lockscope::testing;
using namespace std::chrono_literals;
using operations::kGuardConnectionsMax;
using operations::LockInspector;
using Purpose = LockInspector::Purpose;
using store::Command;
using store::Problem;

namespace {

struct ForgetfulLog final : operations::AuditLog {
    std::string append(const std::string&) override { return {}; }
};

/// Flags without expiry, which only their guards tell from the next hold.
struct Bench {
    VirtualLoop loop;
    WatchingServers servers{loop.clock()};
    ForgetfulLog log;
    LockInspector inspector{servers, loop.clock()};
    operations::LockReleaser releaser{
        servers, inspector, loop.clock(), log, {"anna", "", "ops-1", "test 1", 1}, 7};

    static Bytes name(int i) { return "import:" + std::to_string(i) + ":lock"; }

    std::optional<ReleasePlan> tryToPlan(const Bytes& key)
    {
        return loop.run(inspector.explain({0, key}, Purpose::Release)).release;
    }
    ReleasePlan plan(const Bytes& key) { return tryToPlan(key).value(); }
    std::vector<ReleasePlan> plans(int count)
    {
        std::vector<ReleasePlan> all;
        for (int i = 0; i < count; ++i) {
            servers.takeOver(name(i));
            all.push_back(plan(name(i)));
        }
        return all;
    }
    ReleaseReport executed(const ReleasePlan& plan)
    {
        operations::ServerReports reports;
        return loop.run(releaser.release({{plan}, {}, {}}, reports));
    }
    std::size_t connectionCount() { return inspector.guards().connectionCount(); }
};

bool isLook(const Command& command)
{
    return command.words.front() == "GETRANGE";
}

} // namespace

class TestHoldGuards : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aLockThatWasFreeAtTheFirstLookIsGuarded();
    void anAnonymousPlanWithoutAGuardIsRefused();
    void aCapIsSentWithoutAGuard();
    void anyNumberOfHoldsIsGuarded_data();
    void anyNumberOfHoldsIsGuarded();
    void aWriteVoidsOnlyTheGuardsThatShareItsConnection();
    void noHoldThatBeganLaterIsReleased_data();
    void noHoldThatBeganLaterIsReleased();
    void aSharedConnectionThatWasLostGuardsNothing();
    void guardsThatEndedTakeNoConnection();
    void whereNothingMayBeWatchedTheTwoStayAsTheyAre();
};

/// A releases before the first look of the connection that guards, B takes before the second look,
/// and C takes before the release.
void TestHoldGuards::aLockThatWasFreeAtTheFirstLookIsGuarded()
{
    Bench bench;
    const Bytes lock = "order:lock";
    bench.servers.takeOver(lock); // A
    int looks = 0;
    bench.servers.beforeEach = [&](int connection, const Command& command) {
        if (connection == 0 || !isLook(command) || command.words[1] != lock) {
            return;
        }
        ++looks;
        if (looks == 1) {
            bench.servers.remove(lock);
        } else if (looks == 2) {
            bench.servers.takeOver(lock); // B
        }
    };
    const std::optional<ReleasePlan> plan = bench.tryToPlan(lock);
    bench.servers.beforeEach = nullptr;
    QVERIFY(looks >= 2);
    QVERIFY(plan.has_value());
    QVERIFY(plan->guard.has_value());
    bench.servers.takeOver(lock); // C
    const ReleaseReport report = bench.executed(*plan);
    QVERIFY(report.result == ReleaseResult::ChangedHands);
    QVERIFY(report.wasWritten);
    QVERIFY(bench.servers.has(lock));
}

void TestHoldGuards::anAnonymousPlanWithoutAGuardIsRefused()
{
    for (const bool mayWatch : {true, false}) {
        Bench bench;
        bench.servers.takeOver("order:lock");
        if (!mayWatch) {
            bench.servers.refuse("WATCH", "NOPERM this user has no permissions to run 'watch'");
        }
        const auto details = bench.loop.run(bench.inspector.explain({0, "order:lock"},
                                                                    mayWatch ? Purpose::Look
                                                                             : Purpose::Release));
        const ReleaseReport report = bench.executed(details.release.value());
        QVERIFY(report.result == ReleaseResult::Refused);
        QVERIFY2(report.ownReason.find("another hold may have started") != std::string::npos,
                 report.ownReason.c_str());
        QVERIFY(bench.servers.has("order:lock"));
    }
}

void TestHoldGuards::aCapIsSentWithoutAGuard()
{
    Bench bench;
    bench.servers.takeOver("order:lock");
    const auto details = bench.loop.run(bench.inspector.explain({0, "order:lock"}, Purpose::Look));
    QVERIFY(bench.executed(details.capTtl.value()).result == ReleaseResult::Released);
}

void TestHoldGuards::anyNumberOfHoldsIsGuarded_data()
{
    QTest::addColumn<int>("count");
    QTest::newRow("each has a connection") << int(kGuardConnectionsMax);
    QTest::newRow("two share one") << int(kGuardConnectionsMax) + 1;
    QTest::newRow("forty") << 40;
    QTest::newRow("several hundred") << 300;
}

void TestHoldGuards::anyNumberOfHoldsIsGuarded()
{
    QFETCH(const int, count);
    Bench bench;
    const std::vector<ReleasePlan> plans = bench.plans(count);
    QVERIFY(bench.connectionCount() <= kGuardConnectionsMax);
    for (const ReleasePlan& plan : plans) {
        const ReleaseReport report = bench.executed(plan);
        QVERIFY2(report.result == ReleaseResult::Released, report.ownReason.c_str());
        QVERIFY(!bench.servers.has(plan.lock->id.name));
        QVERIFY(bench.connectionCount() <= kGuardConnectionsMax);
    }
    QCOMPARE(bench.connectionCount(), std::size_t(0));
}

void TestHoldGuards::aWriteVoidsOnlyTheGuardsThatShareItsConnection()
{
    Bench bench;
    const std::vector<ReleasePlan> plans = bench.plans(40);
    bench.servers.takeOver(Bench::name(7));
    int voided = 0;
    for (std::size_t i = 0; i < plans.size(); ++i) {
        const ReleaseReport report = bench.executed(plans[i]);
        const bool isReleased = report.result == ReleaseResult::Released;
        QVERIFY(!isReleased || i != 7);
        QVERIFY(isReleased || report.wasWritten
                || report.ownReason.find("watched together") != std::string::npos);
        voided += isReleased ? 0 : 1;
    }
    QVERIFY(bench.servers.has(Bench::name(7)));
    QVERIFY(voided <= 2); // 40 holds, 24 connections
}

void TestHoldGuards::noHoldThatBeganLaterIsReleased_data()
{
    QTest::addColumn<quint64>("seed");
    for (quint64 seed = 1; seed <= 40; ++seed) {
        QTest::addRow("%llu", static_cast<unsigned long long>(seed)) << seed;
    }
}

/// Clients write at any moment: while holds are inspected, while connections are exchanged, and
/// between a look and its release.
void TestHoldGuards::noHoldThatBeganLaterIsReleased()
{
    QFETCH(const quint64, seed);
    Bench bench;
    Rng rng(seed);
    constexpr int kLocks = 70;
    const std::uint64_t rarity = 1 + rng.below(600);
    for (int i = 0; i < kLocks; ++i) {
        bench.servers.takeOver(Bench::name(i));
    }
    std::map<Bytes, int> versionsAtLook; // the latest one
    bench.servers.beforeEach = [&](int, const Command& command) {
        if (rng.below(rarity) == 0) {
            bench.servers.takeOver(Bench::name(static_cast<int>(rng.below(kLocks))));
        }
        if (isLook(command)) {
            versionsAtLook[command.words[1]] = bench.servers.version(command.words[1]);
        }
    };
    struct Aim {
        ReleasePlan plan;
        int version = 0; // of the lock, when it was read
    };
    std::vector<Aim> aims;
    int releasedCount = 0;
    for (int step = 0; step < 3 * kLocks; ++step) {
        if (aims.empty() || rng.below(3) != 0) {
            const Bytes lock = Bench::name(static_cast<int>(rng.below(kLocks)));
            if (auto plan = bench.tryToPlan(lock)) {
                aims.push_back({std::move(*plan), versionsAtLook[lock]});
            }
            continue;
        }
        std::swap(aims[rng.below(aims.size())], aims.back());
        const Aim aim = std::move(aims.back());
        aims.pop_back();
        bench.servers.removed.clear();
        const ReleaseReport report = bench.executed(aim.plan);
        for (const auto& [key, version] : bench.servers.removed) {
            QCOMPARE(key, aim.plan.lock->id.name);
            QVERIFY2(version == aim.version, (key + " was another hold").c_str());
            ++releasedCount;
        }
        QCOMPARE(report.result == ReleaseResult::Released, !bench.servers.removed.empty());
    }
    QVERIFY(rarity < 50 || releasedCount > 0);
}

void TestHoldGuards::aSharedConnectionThatWasLostGuardsNothing()
{
    Bench bench;
    const std::vector<ReleasePlan> plans = bench.plans(40);
    bench.servers.breakConnections();
    for (const ReleasePlan& plan : plans) {
        QVERIFY(bench.executed(plan).result == ReleaseResult::Refused);
        QVERIFY(bench.servers.has(plan.lock->id.name));
    }
}

void TestHoldGuards::guardsThatEndedTakeNoConnection()
{
    Bench bench;
    const std::vector<ReleasePlan> plans = bench.plans(40);
    for (const ReleasePlan& plan : plans) {
        bench.inspector.guards().end(plan.guard.value());
    }
    QCOMPARE(bench.connectionCount(), std::size_t(0));
    const ReleaseReport report = bench.executed(plans.front());
    QCOMPARE(report.problem.kind, Problem::Kind::GuardLost);
}

/// The guards that exist stay good; only the new hold has none.
void TestHoldGuards::whereNothingMayBeWatchedTheTwoStayAsTheyAre()
{
    Bench bench;
    const std::vector<ReleasePlan> plans = bench.plans(int(kGuardConnectionsMax));
    bench.servers.refuse("WATCH", "NOPERM this user has no permissions to run 'watch'");
    bench.servers.takeOver("order:lock");
    QVERIFY(!bench.plan("order:lock").guard);
    for (const ReleasePlan& plan : plans) {
        QVERIFY(bench.executed(plan).result == ReleaseResult::Released);
    }
}

LOCKSCOPE_TEST(TestHoldGuards, Core)

} // namespace lockscope::tst_hold_guards

#include "tst_hold_guards.moc"
