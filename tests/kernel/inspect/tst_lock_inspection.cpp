#include "core/kernel/inspect/lock_inspection.h"
#include "tests/kernel/text_in_failures.h"
#include "tests/support/pretend_keyspace.h"
#include "tests/support/scripted_store.h"
#include "tests/support/test_program.h"
#include "tests/support/virtual_loop.h"

#include <QTest>

namespace lockscope::tst_lock_inspection {

using namespace lockscope::inspect;
using namespace lockscope::testing;
using namespace std::chrono_literals;
using store::Command;
using store::Problem;

namespace {

const Bytes kAlice = "5f0c9a41-77aa-4c1e-9f00-1b2c3d4e5f60";
const Bytes kBob = "0a1b2c3d-4e5f-4a6b-8c7d-9e0f1a2b3c4d";

struct Bench {
    VirtualLoop loop;
    PretendKeyspace keyspace{loop.clock()};
    /// Called before each command, so that another client may come in between.
    std::function<void(const Command&)> interference;
    ScriptedStore store{[this](const Command& command) {
        if (interference) {
            interference(command);
        }
        return keyspace.answer(command);
    }};

    std::variant<LockInspection, Problem> tryInspect(Bytes name)
    {
        return loop.run(inspectLock(store, loop.clock(), 0, std::move(name)));
    }
    LockInspection inspected(Bytes name)
    {
        return std::get<LockInspection>(tryInspect(std::move(name)));
    }
    std::int64_t epochMsIn(Duration span) { return toEpochMs(loop.clock().wallNow()) + toMs(span); }
};

using Expiries = std::vector<std::optional<std::int64_t>>;

} // namespace

class TestLockInspection : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aTokenIsReadWithItsExpiry();
    void aPairIsFoundByItsName();
    void aPairIsFoundByOneOfItsKeys();
    void aKeyOfItsOwnIsNotTakenForAPair();
    void aNameThatSomebodyPointsAtIsBelieved();
    void whatListShowsIsProven();
    void aDecisionIsProof();
    void aValueThatFitsNoDecisionIsShown();
    void nothingThereIsNoLock();
    void aLockThatIsRenewedMeanwhileIsReadAgain();
    void valueAndExpiryBelongToOneHold();
    void aLockThatNeverStandsStillIsGivenUpOn();
    void anOlderServerTellsTheInstantByWhatIsLeft();
    void aHiddenExpiryIsAProblem();
    void aLostLinkIsAProblem();
    void thePlanComparesWhatWasSeen();
    void thePlanOfAFlagComparesTheExpiry();
    void cappingKeepsTheCheck();
    void theWarningSaysWhetherAnOwnerIsNamed();
    void oneOfACountCanBeReleased();
    void withoutADecodedLockThereIsNoPlan();
};

void TestLockInspection::aTokenIsReadWithItsExpiry()
{
    Bench bench;
    bench.keyspace.setString("order:lock", kAlice, 30s);
    const LockInspection inspection = bench.inspected("order:lock");
    QCOMPARE(inspection.decodedLocks.front().holders.front().owner, kAlice);
    QVERIFY(inspection.expiresAtMs == (Expiries{bench.epochMsIn(30s)}));
    const LockPtr record = inspection.record();
    QVERIFY(record->id == (LockId{0, "order:lock"}));
    QVERIFY(record->expiresAt == bench.loop.now() + 30s);
}

void TestLockInspection::aPairIsFoundByItsName()
{
    Bench bench;
    bench.keyspace.setString("lock:read", "1", 10s);
    const LockInspection inspection = bench.inspected("lock");
    QCOMPARE(inspection.snapshot.name, Bytes("lock"));
    QCOMPARE(inspection.snapshot.keys.size(), std::size_t(2));
    QVERIFY(inspection.record()->mode == Mode::Read);
    QVERIFY(inspection.expiresAtMs == (Expiries{bench.epochMsIn(10s), std::nullopt}));
}

void TestLockInspection::aPairIsFoundByOneOfItsKeys()
{
    Bench bench;
    bench.keyspace.setString("lock:write", "1", 10s);
    QCOMPARE(bench.inspected("lock:write").record()->id.name, Bytes("lock"));
}

void TestLockInspection::aKeyOfItsOwnIsNotTakenForAPair()
{
    Bench bench;
    bench.keyspace.setHash("lock:write", {{"worker-17:a", "1"}}, 10s);
    const LockInspection inspection = bench.inspected("lock:write");
    QCOMPARE(std::string(inspection.record()->format()), std::string("reentrant-hash"));
    QCOMPARE(inspection.snapshot.name, Bytes("lock:write"));
}

void TestLockInspection::aNameThatSomebodyPointsAtIsBelieved()
{
    Bench bench;
    bench.keyspace.setString("sync:nightly", "1", 30s); // known through a user's pattern
    const LockInspection inspection = bench.inspected("sync:nightly");
    QVERIFY(!inspection.decodedLocks.empty());
    QCOMPARE(inspection.decodedLocks.front().format, std::string_view("flag"));
    QVERIFY(planFor(inspection, ReleaseAction::Release).has_value());
}

void TestLockInspection::whatListShowsIsProven()
{
    Bench bench;
    const auto isProven = [&bench](const Bytes& name) {
        const LockInspection inspection = bench.inspected(name);
        const auto plan = planFor(inspection, ReleaseAction::Release);
        return inspection.isProven() && plan && !plan->needsFormat;
    };
    bench.keyspace.setString("lock:nightly", "1", 30s);
    QVERIFY(isProven("lock:nightly"));
    bench.keyspace.setHash("order:42", {{kAlice + ":63", "1"}}, 30s); // its form is proof enough
    QVERIFY(isProven("order:42"));
    bench.keyspace.setString("config:mode", "production");
    QVERIFY(!isProven("config:mode"));
    bench.keyspace.setString("file:17", kAlice, 30s); // tokens of data look like this, too
    QVERIFY(!isProven("file:17"));
    bench.keyspace.setString("package-lock:web:sha", "1", 30s); // its name is that of data
    QVERIFY(!isProven("package-lock:web:sha"));
}

void TestLockInspection::aDecisionIsProof()
{
    Bench bench;
    bench.keyspace.setString("config:mode", "production");
    const auto inspectedAs = [&bench](const std::string& format) {
        const FormatTablePtr formats = builtinFormatTable()->treating({"config:mode", format});
        return std::get<LockInspection>(bench.loop.run(inspectLock(bench.store, bench.loop.clock(),
                                                                   0, "config:mode", formats)));
    };
    const LockInspection fitting = inspectedAs("token");
    QVERIFY(fitting.isProven());
    QVERIFY(fitting.misfit() == nullptr);
    QVERIFY(!planFor(fitting, ReleaseAction::Release)->needsFormat);
    const LockInspection other = inspectedAs("redis-py");
    QVERIFY(other.misfit() != nullptr);
    QCOMPARE(other.fittingFormats().at(0), std::string_view("token"));
}

void TestLockInspection::aValueThatFitsNoDecisionIsShown()
{
    Bench bench;
    bench.keyspace.setString("lock.global.init", "2026-11-28T21:14:05+00:00::server 0, \x01");
    const auto seen =
        bench.loop.run(inspectLock(bench.store, bench.loop.clock(), 0, "lock.global.init",
                                   builtinFormatTable()->treating({"lock.global.*", "token"})));
    const auto& inspection = std::get<LockInspection>(seen);
    QVERIFY(inspection.misfit() != nullptr);
    QVERIFY(inspection.fittingFormats().empty());
    QCOMPARE(inspection.decodedLocks.at(0).format, std::string_view("named-key")); // as in `list`
    QVERIFY(!planFor(inspection, ReleaseAction::Release));
}

void TestLockInspection::nothingThereIsNoLock()
{
    Bench bench;
    const LockInspection inspection = bench.inspected("order:lock");
    QVERIFY(inspection.decodedLocks.empty());
    QVERIFY(inspection.record() == nullptr);
    QVERIFY(!inspection.snapshot.exists());
}

void TestLockInspection::aLockThatIsRenewedMeanwhileIsReadAgain()
{
    Bench bench;
    bench.keyspace.setString("order:lock", kAlice, 30s);
    int reads = 0;
    bench.interference = [&](const Command& command) {
        if (command.words.front() == "GETRANGE" && command.words[1] == "order:lock"
            && ++reads == 2) {
            bench.keyspace.expire("order:lock", 60s);
        }
    };
    QVERIFY(bench.inspected("order:lock").expiresAtMs == (Expiries{bench.epochMsIn(60s)}));
    QCOMPARE(reads, 3);
}

void TestLockInspection::valueAndExpiryBelongToOneHold()
{
    // Whatever the moment at which Bob takes over from Alice: never her value with his expiry, or
    // his with hers.
    for (int moment = 1; moment < 60; ++moment) {
        Bench bench;
        bench.keyspace.setString("order:lock", kAlice, 30s);
        int asked = 0;
        bench.interference = [&](const Command&) {
            if (++asked == moment) {
                bench.keyspace.setString("order:lock", kBob, 90s);
            }
        };
        const LockInspection inspection = bench.inspected("order:lock");
        const bool isAlice = inspection.snapshot.main().value == kAlice;
        QVERIFY2(inspection.expiresAtMs == (Expiries{bench.epochMsIn(isAlice ? 30s : 90s)}),
                 std::to_string(moment).c_str());
    }
}

void TestLockInspection::aLockThatNeverStandsStillIsGivenUpOn()
{
    Bench bench;
    bench.keyspace.setString("order:lock", kAlice, 30s);
    Duration ttl = 30s;
    bench.interference = [&](const Command& command) {
        if (command.words.front() == "GETRANGE" && command.words[1] == "order:lock") {
            bench.keyspace.expire("order:lock", ttl += 1s);
        }
    };
    QVERIFY(bench.inspected("order:lock").record() != nullptr); // the last look has to do
}

void TestLockInspection::anOlderServerTellsTheInstantByWhatIsLeft()
{
    Bench bench;
    bench.keyspace.setString("order:lock", kAlice, 30s);
    bench.keyspace.refuse(
        "PEXPIRETIME",
        "ERR unknown command `PEXPIRETIME`, with args beginning with: `order:lock`, ");
    QVERIFY(bench.inspected("order:lock").expiresAtMs == (Expiries{bench.epochMsIn(30s)}));
    bench.keyspace.setString("order:lock", kAlice);
    QVERIFY(bench.inspected("order:lock").expiresAtMs == (Expiries{std::nullopt}));
}

void TestLockInspection::aHiddenExpiryIsAProblem()
{
    Bench bench;
    bench.keyspace.setString("order:lock", kAlice, 30s);
    bench.keyspace.refuse("PEXPIRETIME",
                          "NOPERM this user has no permissions to run the 'pexpiretime' command");
    bench.keyspace.refuse("TIME", "NOPERM this user has no permissions to run the 'time' command");
    const auto result = bench.tryInspect("order:lock");
    const auto* const problem = std::get_if<Problem>(&result);
    QVERIFY(problem != nullptr);
    QVERIFY(problem->kind == Problem::Kind::NoPermission);
}

void TestLockInspection::aLostLinkIsAProblem()
{
    for (int answered = 0; answered < 6; ++answered) {
        Bench bench;
        bench.keyspace.setString("order:lock", kAlice, 30s);
        bench.store.hold();
        const auto inspecting = bench.loop.start(inspectLock(bench.store, bench.loop.clock(), 0,
                                                             "order:lock"));
        for (int i = 0; i < answered; ++i) {
            bench.store.answerOne();
            bench.loop.settle();
        }
        if (inspecting.isFinished()) {
            QVERIFY(answered >= 5);
            continue;
        }
        bench.store.breakLink();
        bench.loop.settle();
        QVERIFY(inspecting.isFinished());
        QVERIFY(std::holds_alternative<Problem>(inspecting.result()));
    }
}

void TestLockInspection::thePlanComparesWhatWasSeen()
{
    Bench bench;
    bench.keyspace.setString("order:lock", kAlice, 30s);
    const std::optional<ReleasePlan> plan = planFor(bench.inspected("order:lock"),
                                                    ReleaseAction::Release);
    QVERIFY(plan.has_value());
    QCOMPARE(plan->owner(), kAlice);
    QVERIFY(plan->servers == std::vector<std::uint16_t>{0});
    QVERIFY(plan->expiresAtMs == (Expiries{bench.epochMsIn(30s)}));
    const auto& words = plan->command.words;
    QCOMPARE(words.front(), Bytes("EVAL"));
    QVERIFY(std::find(words.begin(), words.end(), kAlice) != words.end());
}

void TestLockInspection::thePlanOfAFlagComparesTheExpiry()
{
    Bench bench;
    bench.keyspace.setString("order:lock", "1", 30s);
    const std::optional<ReleasePlan> plan = planFor(bench.inspected("order:lock"),
                                                    ReleaseAction::Release);
    QVERIFY(plan.has_value());
    const auto& words = plan->command.words;
    QVERIFY(std::find(words.begin(), words.end(), std::to_string(bench.epochMsIn(30s)))
            != words.end());
}

void TestLockInspection::cappingKeepsTheCheck()
{
    Bench bench;
    bench.keyspace.setString("order:lock", kAlice);
    const std::optional<ReleasePlan> plan = planFor(bench.inspected("order:lock"),
                                                    ReleaseAction::CapTtl, HolderChoice::all(),
                                                    60s);
    QVERIFY(plan.has_value());
    QVERIFY(plan->action == ReleaseAction::CapTtl);
    QCOMPARE(plan->command.words.back(), Bytes("60000"));
}

void TestLockInspection::theWarningSaysWhetherAnOwnerIsNamed()
{
    Bench bench;
    bench.keyspace.setString("order:lock", "1", 30s);
    const auto warningOf = [&bench] {
        const auto plan = planFor(bench.inspected("order:lock"), ReleaseAction::Release);
        return std::string(plan->recipe.warnings.front());
    };
    QCOMPARE(warningOf(), std::string("The value names no owner. The next hold may look exactly "
                                      "like this one."));
    bench.keyspace.setString("order:lock", "web-1:4711", 30s);
    QCOMPARE(warningOf(), std::string("The owner may be the same for every hold of its process. "
                                      "The next hold may look exactly like this one."));
}

void TestLockInspection::oneOfACountCanBeReleased()
{
    Bench bench;
    const Bytes key = "oc1/lockfiles/7d0f2f1b7d0f2f1b7d0f2f1b7d0f2f1c";
    bench.keyspace.setString(key, "3", 3600s);
    const std::vector<ReleasePlan> plans = plansForEach(bench.inspected(key));
    QCOMPARE(plans.size(), std::size_t(1));
    QVERIFY(plans.front().leavesOthers());
    QVERIFY(!plans.front().endsSeveral());
    QCOMPARE(plans.front().holders.front().holds, 1U);
    bench.keyspace.setString(key, "1", 3600s);
    QVERIFY(plansForEach(bench.inspected(key)).empty());
}

void TestLockInspection::withoutADecodedLockThereIsNoPlan()
{
    Bench bench;
    bench.keyspace.setOther("order:lock", "list");
    QVERIFY(!planFor(bench.inspected("order:lock"), ReleaseAction::Release));
}

LOCKSCOPE_TEST(TestLockInspection, Core)

} // namespace lockscope::tst_lock_inspection

#include "tst_lock_inspection.moc"
