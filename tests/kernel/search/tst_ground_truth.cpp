#include "core/kernel/protocol/catalogue.h"
#include "core/kernel/search/cell.h"
#include "core/kernel/search/default_plans.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <iterator>
#include <string>

namespace lockscope::tst_ground_truth {

using protocol::Promise;
using search::Bounds;
using search::PromiseResult;
using search::SearchReport;
using world::FaultKind;
using world::ViolationKind;

namespace {

constexpr int kAnyLength = 1000;

/// A flaw that is written down, by its number there.
struct Flaw {
    const char* name;
    const char* protocol;
    FaultKind fault;
    Promise promise;
    ViolationKind kind;
    int lengthMax; // "explored n", where it says so
};

constexpr Flaw kFlaws[] = {
    {"1", "exists-then-set", FaultKind::Interleaving, Promise::MutualExclusion,
     ViolationKind::DoubleGrant, 4},
    {"2", "exists-then-set", FaultKind::Interleaving, Promise::OwnerOnlyRelease,
     ViolationKind::WrongRelease, 7},
    {"3, check then set", "exists-then-set", FaultKind::Crash, Promise::NoStuckLock,
     ViolationKind::PermanentLock, 12},
    {"3, SETNX alone", "setnx-no-expiry", FaultKind::Crash, Promise::NoStuckLock,
     ViolationKind::PermanentLock, 12},
    {"4", "setnx-then-expire", FaultKind::Crash, Promise::NoStuckLock, ViolationKind::PermanentLock,
     11},
    {"10, protocol 2", "setnx-then-expire", FaultKind::Pause, Promise::MutualExclusion,
     ViolationKind::DoubleBelief, 13},
    {"10, protocol 3", "setnx-getset", FaultKind::Pause, Promise::MutualExclusion,
     ViolationKind::DoubleBelief, kAnyLength},
    {"10, protocol 4", "set-nx-ex", FaultKind::Pause, Promise::MutualExclusion,
     ViolationKind::DoubleBelief, 11},
    {"10, protocol 4a", "lua-setnx-expire", FaultKind::Pause, Promise::MutualExclusion,
     ViolationKind::DoubleBelief, 11},
    {"10, protocol 5", "set-nx-px-token", FaultKind::Pause, Promise::MutualExclusion,
     ViolationKind::DoubleBelief, 11},
    {"10, protocol 7", "reentrant-hash", FaultKind::Pause, Promise::MutualExclusion,
     ViolationKind::DoubleBelief, 11},
    {"10, protocol 8", "client-reentrant", FaultKind::Pause, Promise::MutualExclusion,
     ViolationKind::DoubleBelief, kAnyLength},
    {"10, protocol 12", "rw-two-keys-counted", FaultKind::Pause, Promise::ReadWriteExclusion,
     ViolationKind::DoubleBelief, kAnyLength},
    {"10, protocol 13", "rw-hash-stamps", FaultKind::Pause, Promise::ReadWriteExclusion,
     ViolationKind::DoubleBelief, 17},
    {"10, protocol 14", "fenced-token", FaultKind::Pause, Promise::MutualExclusion,
     ViolationKind::DoubleBelief, kAnyLength},
    {"11, protocol 2", "setnx-then-expire", FaultKind::Pause, Promise::OwnerOnlyRelease,
     ViolationKind::WrongRelease, kAnyLength},
    {"11, protocol 3p", "setnx-getset", FaultKind::Pause, Promise::OwnerOnlyRelease,
     ViolationKind::WrongRelease, kAnyLength},
    {"11, protocol 4", "set-nx-ex", FaultKind::Pause, Promise::OwnerOnlyRelease,
     ViolationKind::WrongRelease, 14},
    {"11, protocol 4a", "lua-setnx-expire", FaultKind::Pause, Promise::OwnerOnlyRelease,
     ViolationKind::WrongRelease, kAnyLength},
    {"14, heartbeat", "lua-token-heartbeat", FaultKind::Pause, Promise::MutualExclusion,
     ViolationKind::DoubleBelief, 15},
    {"14, answers lost", "lua-token-heartbeat", FaultKind::ConnectionLoss, Promise::MutualExclusion,
     ViolationKind::DoubleBelief, kAnyLength},
    {"14, bounded", "bounded-watchdog", FaultKind::Pause, Promise::MutualExclusion,
     ViolationKind::DoubleBelief, 15},
    {"14, Redisson", "redisson-lock", FaultKind::Pause, Promise::MutualExclusion,
     ViolationKind::DoubleBelief, 16},
    {"19", "reentrant-hash", FaultKind::MessageCopy, Promise::ReentryBalance,
     ViolationKind::ReentryImbalance, 8},
    {"20", "setnx-getset", FaultKind::ClockSkew, Promise::MutualExclusion,
     ViolationKind::DoubleGrant, 6},
    {"23", "setnx-getset", FaultKind::Crash, Promise::OwnerOnlyRelease,
     ViolationKind::WrongExtension, kAnyLength},
    {"30, protocol 4", "set-nx-ex", FaultKind::ClockStep, Promise::MutualExclusion,
     ViolationKind::DoubleGrant, 8},
    {"30, protocol 5", "set-nx-px-token", FaultKind::ClockStep, Promise::MutualExclusion,
     ViolationKind::DoubleGrant, 8},
    {"30, protocol 7", "reentrant-hash", FaultKind::ClockStep, Promise::MutualExclusion,
     ViolationKind::DoubleGrant, 8},
    {"30, protocol 12", "rw-two-keys-counted", FaultKind::ClockStep, Promise::ReadWriteExclusion,
     ViolationKind::DoubleGrant, 8},
    {"30, protocol 13", "rw-hash-fields", FaultKind::ClockStep, Promise::ReadWriteExclusion,
     ViolationKind::DoubleGrant, 8},
    {"31, protocol 2a", "setnx-no-expiry", FaultKind::Failover, Promise::MutualExclusion,
     ViolationKind::DoubleGrant, 3},
    {"31, protocol 4", "set-nx-ex", FaultKind::Failover, Promise::MutualExclusion,
     ViolationKind::DoubleGrant, 3},
    {"31, protocol 5", "set-nx-px-token", FaultKind::Failover, Promise::MutualExclusion,
     ViolationKind::DoubleGrant, 3},
    {"31, Redisson", "redisson-lock", FaultKind::Failover, Promise::MutualExclusion,
     ViolationKind::DoubleGrant, kAnyLength},
    {"31, readers and writers", "redisson-read-write", FaultKind::Failover,
     Promise::ReadWriteExclusion, ViolationKind::DoubleGrant, kAnyLength},
    {"32, protocol 4", "set-nx-ex", FaultKind::ServerRestart, Promise::MutualExclusion,
     ViolationKind::DoubleGrant, 8},
    {"32, protocol 7", "reentrant-hash", FaultKind::ServerRestart, Promise::MutualExclusion,
     ViolationKind::DoubleGrant, 8},
    {"34", "set-nx-px-token", FaultKind::Eviction, Promise::MutualExclusion,
     ViolationKind::DoubleGrant, kAnyLength},
    {"a blind DEL", "set-nx-px-token", FaultKind::ForceRelease, Promise::MutualExclusion,
     ViolationKind::DoubleGrant, kAnyLength},
    {"43, reentrant hash", "reentrant-hash", FaultKind::MixedLeases, Promise::MutualExclusion,
     ViolationKind::DoubleGrant, 7},
    {"43, Redisson", "redisson-lock", FaultKind::MixedLeases, Promise::MutualExclusion,
     ViolationKind::DoubleGrant, 7},
    {"44, reentrant hash", "reentrant-hash", FaultKind::SharedIdentity, Promise::MutualExclusion,
     ViolationKind::DoubleGrant, kAnyLength},
    {"44, Redisson", "redisson-lock", FaultKind::SharedIdentity, Promise::MutualExclusion,
     ViolationKind::DoubleGrant, kAnyLength},
    {"44, Redisson's fair lock", "redisson-fair", FaultKind::SharedIdentity,
     Promise::MutualExclusion, ViolationKind::DoubleGrant, kAnyLength},
    {"50", "redlock", FaultKind::Pause, Promise::MutualExclusion, ViolationKind::DoubleBelief, 41},
    {"52, a clock", "redlock", FaultKind::ClockStep, Promise::MutualExclusion,
     ViolationKind::DoubleGrant, 9},
    {"52, a restart", "redlock", FaultKind::ServerRestart, Promise::MutualExclusion,
     ViolationKind::DoubleGrant, 9},
    {"60, protocol 2", "setnx-then-expire", FaultKind::MessageDelay, Promise::OwnerOnlyRelease,
     ViolationKind::WrongRelease, 25},
    {"60, protocol 3p", "setnx-getset", FaultKind::MessageDelay, Promise::OwnerOnlyRelease,
     ViolationKind::WrongRelease, 25},
    {"60, protocol 4", "set-nx-ex", FaultKind::MessageDelay, Promise::OwnerOnlyRelease,
     ViolationKind::WrongRelease, 20},
    {"61, SETNX alone", "setnx-no-expiry", FaultKind::ConnectionLoss, Promise::NoStuckLock,
     ViolationKind::PermanentLock, 22},
    {"61, check then set", "exists-then-set", FaultKind::ConnectionLoss, Promise::NoStuckLock,
     ViolationKind::PermanentLock, 22},
    {"62, protocol 2", "setnx-then-expire", FaultKind::MessageDelay, Promise::NoStuckLock,
     ViolationKind::PermanentLock, 26},
    {"62, protocol 2a", "setnx-no-expiry", FaultKind::MessageDelay, Promise::NoStuckLock,
     ViolationKind::PermanentLock, 26},
    {"63", "reentrant-hash", FaultKind::MessageDelay, Promise::ReentryBalance,
     ViolationKind::ReentryImbalance, 8},
    {"64, heartbeat", "lua-token-heartbeat", FaultKind::Hang, Promise::Progress,
     ViolationKind::ZombieRenewal, 42},
    {"64, Redisson", "redisson-lock", FaultKind::Hang, Promise::Progress,
     ViolationKind::ZombieRenewal, 42},
    {"65, protocol 4", "set-nx-ex", FaultKind::Interleaving, Promise::Fairness,
     ViolationKind::Starvation, kAnyLength},
    {"65, protocol 5", "set-nx-px-token", FaultKind::Interleaving, Promise::Fairness,
     ViolationKind::Starvation, kAnyLength},
    {"67 (c)", "redisson-lock", FaultKind::Eviction, Promise::NoLostWakeup,
     ViolationKind::LostWakeup, kAnyLength},
    {"66, a dead waiter", "redisson-fair", FaultKind::Crash, Promise::NoStuckLock,
     ViolationKind::NeverGranted, 8},
    {"71", "rw-two-keys-counted", FaultKind::Pause, Promise::OwnerOnlyRelease,
     ViolationKind::WrongRelease, 15},
    {"72", "rw-two-keys-counted", FaultKind::Interleaving, Promise::Fairness,
     ViolationKind::Starvation, kAnyLength},
    {"73", "rw-two-keys-counted", FaultKind::Interleaving, Promise::ReadWriteExclusion,
     ViolationKind::DoubleGrant, 10},
    {"80", "rw-hash-stamps", FaultKind::Interleaving, Promise::ReadWriteExclusion,
     ViolationKind::DoubleGrant, 14},
    {"81", "rw-hash-stamps", FaultKind::Interleaving, Promise::ReentryBalance,
     ViolationKind::ReentryImbalance, kAnyLength},
    {"84", "rw-hash-fields", FaultKind::Interleaving, Promise::ReadWriteExclusion,
     ViolationKind::DoubleGrant, 11},
    {"85", "rw-hash-stamps", FaultKind::Interleaving, Promise::Fairness, ViolationKind::Starvation,
     kAnyLength},
    {"86, 105", "rw-hash-stamps", FaultKind::ClockSkew, Promise::ReadWriteExclusion,
     ViolationKind::DoubleGrant, kAnyLength},
    {"92, fences", "fenced-token", FaultKind::Failover, Promise::FencingOrder,
     ViolationKind::FenceDisorder, 8},
    {"92, damage", "fenced-token", FaultKind::Failover, Promise::MutualExclusion,
     ViolationKind::LostWrite, 8},
    {"101", "client-reentrant", FaultKind::MessageDelay, Promise::MutualExclusion,
     ViolationKind::DoubleBelief, kAnyLength},
    {"102", "client-reentrant", FaultKind::Interleaving, Promise::MutualExclusion,
     ViolationKind::DoubleBelief, kAnyLength},
    {"103", "rw-two-keys", FaultKind::Interleaving, Promise::ReadWriteExclusion,
     ViolationKind::DoubleBelief, kAnyLength},
    {"103, the release", "rw-two-keys", FaultKind::Interleaving, Promise::OwnerOnlyRelease,
     ViolationKind::WrongRelease, kAnyLength},
    {"permits and a clock that drifts", "semaphore", FaultKind::ClockDrift,
     Promise::MutualExclusion, ViolationKind::DoubleGrant, 4},
};

/// Cells that are written down as safe: nothing that belongs to the column breaks.
struct Safe {
    const char* name;
    const char* protocol;
    FaultKind fault;
    std::uint64_t schedulesMax = 20'000; // fewer where everything would take too long for a test
};

constexpr Safe kSafe[] = {
    {"2, no fault", "setnx-then-expire", FaultKind::Interleaving},
    {"2a, no fault", "setnx-no-expiry", FaultKind::Interleaving},
    {"2a, pause", "setnx-no-expiry", FaultKind::Pause},
    {"3, no fault", "setnx-getset", FaultKind::Interleaving},
    {"4, no fault", "set-nx-ex", FaultKind::Interleaving},
    {"4, crash", "set-nx-ex", FaultKind::Crash},
    {"4, clock of a client", "set-nx-ex", FaultKind::ClockSkew},
    {"4a, crash", "lua-setnx-expire", FaultKind::Crash},
    {"5, no fault", "set-nx-px-token", FaultKind::Interleaving},
    {"5, crash", "set-nx-px-token", FaultKind::Crash},
    {"5, late message", "set-nx-px-token", FaultKind::MessageDelay},
    {"5, lost message", "set-nx-px-token", FaultKind::MessageLoss},
    {"5, copied message", "set-nx-px-token", FaultKind::MessageCopy},
    {"5, lost answer", "set-nx-px-token", FaultKind::ConnectionLoss},
    {"5, clock of a client", "set-nx-px-token", FaultKind::ClockSkew},
    {"5, partition", "set-nx-px-token", FaultKind::Partition},
    {"6, no fault", "lua-token-heartbeat", FaultKind::Interleaving},
    {"6, crash", "lua-token-heartbeat", FaultKind::Crash},
    {"9, hung worker", "bounded-watchdog", FaultKind::Hang},
    {"9, lost answer", "bounded-watchdog", FaultKind::ConnectionLoss},
    {"11, no fault", "redlock", FaultKind::Interleaving, 300},
    {"11, crash", "redlock", FaultKind::Crash, 300},
    {"11, late message", "redlock", FaultKind::MessageDelay, 300},
    {"11, clock of a client", "redlock", FaultKind::ClockSkew, 300},
    {"14, no fault", "fenced-token", FaultKind::Interleaving},
    {"list hand-off, no fault", "list-handoff", FaultKind::Interleaving},
    {"list hand-off, crash", "list-handoff", FaultKind::Crash},
    {"semaphore, no fault", "semaphore", FaultKind::Interleaving},
    {"semaphore, crash", "semaphore", FaultKind::Crash},
    {"owners, no fault", "rw-hash-owners", FaultKind::Interleaving},
    {"owners, late message", "rw-hash-owners", FaultKind::MessageDelay, 300},
    {"owners, clock of a client", "rw-hash-owners", FaultKind::ClockSkew},
    {"scripts forgotten", "redisson-read-write", FaultKind::ScriptFlush},
};

SearchReport searchCell(const char* protocolId, FaultKind fault, std::uint64_t schedulesMax)
{
    static sim::LuaEngine lua;
    const protocol::LockProtocol& protocol = *protocol::findProtocol(protocolId);
    const auto plans = search::defaultPlans(protocol.info(), fault);
    return searchPlans(protocol, plans, lua, Bounds{schedulesMax});
}

} // namespace

/// What docs/simulation.md says of every flaw that is known is what the search says.
class TestGroundTruth : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void flawIsFound_data();
    void flawIsFound();
    void safeCellHolds_data();
    void safeCellHolds();
    void reentrantLocksExcludeWhenUsedAsMeant();
    void staleHolderIsFencedOff();
    void refusedWritersHarmNobody();
};

void TestGroundTruth::flawIsFound_data()
{
    QTest::addColumn<int>("index");
    for (std::size_t i = 0; i < std::size(kFlaws); ++i) {
        QTest::newRow(kFlaws[i].name) << static_cast<int>(i);
    }
}

void TestGroundTruth::flawIsFound()
{
    QFETCH(int, index);
    const Flaw& flaw = kFlaws[index];
    static sim::LuaEngine lua;
    const protocol::LockProtocol& protocol = *protocol::findProtocol(flaw.protocol);
    const search::Goal goal{flaw.promise, flaw.kind};
    int shortest = kAnyLength + 1;
    for (const world::WorldPlan& plan : search::defaultPlans(protocol.info(), flaw.fault)) {
        search::Explorer explorer({protocol, plan, lua, Bounds{20'000}, goal, true, {}});
        const search::Exploration exploration = explorer.run();
        if (const search::Finding* const finding = exploration.find(goal)) {
            shortest = std::min(shortest, finding->length);
        }
        if (shortest <= flaw.lengthMax) {
            break;
        }
    }
    qInfo("%s under %s: %d steps", flaw.protocol, std::string(idOf(flaw.fault)).c_str(), shortest);
    QCOMPARE_LE(shortest, flaw.lengthMax);
}

void TestGroundTruth::safeCellHolds_data()
{
    QTest::addColumn<int>("index");
    for (std::size_t i = 0; i < std::size(kSafe); ++i) {
        QTest::newRow(kSafe[i].name) << static_cast<int>(i);
    }
}

void TestGroundTruth::safeCellHolds()
{
    QFETCH(int, index);
    const Safe& safe = kSafe[index];
    const SearchReport report = searchCell(safe.protocol, safe.fault, safe.schedulesMax);
    for (const PromiseResult& result : report.promises) {
        const bool isBroken = result.status == PromiseResult::Status::Broken
                              && result.promise != Promise::Fairness;
        QVERIFY2(!isBroken, std::string(idOf(result.promise)).c_str());
    }
    if (safe.schedulesMax == Safe{}.schedulesMax) {
        QVERIFY2(report.coverage.isComplete, "not everything was seen");
    }
}

/// What breaks them is misuse, and the world does not use them like that.
void TestGroundTruth::reentrantLocksExcludeWhenUsedAsMeant()
{
    for (const char* const id :
         {"redisson-lock", "redisson-fair", "redisson-read-write", "reentrant-hash"}) {
        const SearchReport report = searchCell(id, FaultKind::Interleaving, 400);
        const bool hasModes = protocol::findProtocol(id)->info().hasModes;
        const PromiseResult& exclusion = report.of(hasModes ? Promise::ReadWriteExclusion
                                                            : Promise::MutualExclusion);
        QVERIFY2(exclusion.status == PromiseResult::Status::Held, id);
        QVERIFY2(exclusion.isPromised, id);
        QVERIFY2(exclusion.chances > 0, id);
    }
}

/// Lock-flaws 90: with the fence checked on the first access, reading included, nothing is lost.
void TestGroundTruth::staleHolderIsFencedOff()
{
    const SearchReport report = searchCell("fenced-token", FaultKind::Pause, 20'000);
    const PromiseResult& exclusion = report.of(Promise::MutualExclusion);
    QCOMPARE(exclusion.status, PromiseResult::Status::Broken);
    QVERIFY(exclusion.finding->violation.kind == ViolationKind::DoubleBelief);
    QCOMPARE(report.of(Promise::FencingOrder).status, PromiseResult::Status::Held);
}

/// They leave a mark in the hash of the lock and move its expiry; holds end by their own fields.
void TestGroundTruth::refusedWritersHarmNobody()
{
    const protocol::ProtocolInfo& info = protocol::findProtocol("rw-hash-owners")->info();
    for (const world::FaultInfo& one : world::allFaults()) {
        const FaultKind fault = one.kind;
        if (world::isMisuse(fault) || !search::isApplicable(fault, info)) {
            continue;
        }
        const SearchReport report = searchCell("rw-hash-owners", fault, 150);
        const PromiseResult& ownerOnly = report.of(Promise::OwnerOnlyRelease);
        QVERIFY2(ownerOnly.status == PromiseResult::Status::Held, idOf(fault).data());
    }
}

LOCKSCOPE_TEST(TestGroundTruth, None)

} // namespace lockscope::tst_ground_truth

#include "tst_ground_truth.moc"
