#include "core/kernel/protocol/catalogue.h"
#include "core/kernel/search/cell.h"
#include "core/kernel/search/explorer.h"
#include "core/kernel/search/matrix_tasks.h"
#include "core/kernel/search/remedies.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <optional>
#include <vector>

namespace lockscope::tst_remedies {

using search::Remedy;
using search::SearchTask;
using world::FaultKind;

namespace {

std::shared_ptr<const protocol::LockProtocol> lockOf(const char* id)
{
    return {std::shared_ptr<const void>(), protocol::findProtocol(id)};
}

/// Whether two clients hold the lock at once in some run, and how often it was granted at all.
struct Searched {
    bool isBroken = false;
    std::uint64_t chances = 0;
};

Searched searched(const std::vector<SearchTask>& tasks)
{
    Searched sum;
    sim::LuaEngine lua;
    const search::Goal goal{protocol::Promise::MutualExclusion, std::nullopt};
    for (const SearchTask& task : tasks) {
        for (const world::WorldPlan& plan : task.plans) {
            search::Bounds bounds;
            bounds.schedulesMax = 300;
            const auto found =
                search::Explorer({*task.protocol, plan, lua, bounds, goal, true, {}}).run();
            sum.isBroken = sum.isBroken || found.find(goal) != nullptr;
            sum.chances += found.coverage.chances.of(protocol::Promise::MutualExclusion);
        }
    }
    return sum;
}

Searched with(const std::vector<Remedy>& remedies, const char* id,
              const std::vector<FaultKind>& faults)
{
    return searched(search::matrixRowWith(remedies, lockOf(id), faults, {}));
}

Searched with(std::optional<Remedy> remedy, const char* id, FaultKind fault)
{
    return with(remedy ? std::vector{*remedy} : std::vector<Remedy>(), id, std::vector{fault});
}

} // namespace

class TestRemedies : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aLongerLeaseOutlastsAPause()
    {
        QVERIFY(with(std::nullopt, "set-nx-px-token", FaultKind::Pause).isBroken);
        const Searched better = with(Remedy::LongerLease, "set-nx-px-token", FaultKind::Pause);
        QVERIFY(!better.isBroken);
        QVERIFY(better.chances > 0);
    }

    void aLongerLeaseDoesNotMakeTwoCommandsOne()
    {
        QVERIFY(with(Remedy::LongerLease, "exists-then-set", FaultKind::Pause).isBroken);
    }

    void aGrantThatAReplicaHasSurvivesAFailover()
    {
        QVERIFY(with(std::nullopt, "set-nx-px-token", FaultKind::Failover).isBroken);
        const Searched better = with(Remedy::Replicas, "set-nx-px-token", FaultKind::Failover);
        QVERIFY(!better.isBroken);
        QVERIFY(better.chances > 0);
    }

    void aReplicaDoesNotHelpAgainstAPause()
    {
        QVERIFY(with(Remedy::Replicas, "set-nx-px-token", FaultKind::Pause).isBroken);
    }

    void twoRemediesWithstandWhatNeitherDoesAlone()
    {
        const std::vector faults{FaultKind::Pause, FaultKind::Failover};
        QVERIFY(with({Remedy::LongerLease}, "set-nx-px-token", faults).isBroken);
        QVERIFY(with({Remedy::Replicas}, "set-nx-px-token", faults).isBroken);
        const Searched better = with({Remedy::LongerLease, Remedy::Replicas}, "set-nx-px-token",
                                     faults);
        QVERIFY(!better.isBroken);
        QVERIFY(better.chances > 0);
    }

    void notEveryRemedyIsForEveryProtocol()
    {
        const auto& redlock = protocol::findProtocol("redlock")->info();
        const auto& flag = protocol::findProtocol("setnx-no-expiry")->info();
        QVERIFY(!search::isApplicable(Remedy::Replicas, redlock)); // it asks masters of its own
        QVERIFY(search::isApplicable(Remedy::LongerLease, redlock));
        QVERIFY(!search::isApplicable(Remedy::LongerLease, flag)); // it has none
    }
};

LOCKSCOPE_TEST(TestRemedies, Core)

} // namespace lockscope::tst_remedies

#include "tst_remedies.moc"
