#include "inspect/examination.h"
#include "kernel/text_in_failures.h"
#include "support/pretend_keyspace.h"
#include "support/scripted_store.h"
#include "support/virtual_loop.h"

#include <QTest>

using namespace lockscope;
using namespace lockscope::inspect;
using namespace lockscope::testing;
using namespace std::chrono_literals;
using store::Command;
using store::Outcome;
using store::Problem;

namespace {

const Bytes kAlice = "5f0c9a41-77aa-4c1e-9f00-1b2c3d4e5f60";
const Bytes kBob = "0a1b2c3d-4e5f-4a6b-8c7d-9e0f1a2b3c4d";

struct Bench {
    VirtualLoop loop;
    PretendKeyspace keyspace{loop.clock()};
    /// Called before each command, so that somebody else may come in between.
    std::function<void(const Command&)> interference;
    ScriptedStore store{[this](const Command& command) {
        if (interference) {
            interference(command);
        }
        return keyspace.answer(command);
    }};

    std::variant<Examination, Problem> tryExamine(Bytes name)
    {
        return loop.run(examine(store, loop.clock(), 0, std::move(name)));
    }
    Examination examined(Bytes name) { return std::get<Examination>(tryExamine(std::move(name))); }
    std::int64_t epochMsIn(Duration span) { return toEpochMs(loop.clock().wallNow()) + toMs(span); }
};

using Expiries = std::vector<std::optional<std::int64_t>>;

} // namespace

class TestExamination : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aTokenIsReadWithItsExpiry();
    void aPairIsFoundByItsName();
    void aPairIsFoundByOneOfItsKeys();
    void aKeyOfItsOwnIsNotTakenForAPair();
    void aNameThatSomebodyPointsAtIsBelieved();
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
    void withoutAReadingThereIsNoPlan();
};

void TestExamination::aTokenIsReadWithItsExpiry()
{
    Bench bench;
    bench.keyspace.setString("order:lock", kAlice, 30s);
    const Examination examination = bench.examined("order:lock");
    QCOMPARE(examination.readings.front().holders.front().owner, kAlice);
    QVERIFY(examination.expiresAtMs == (Expiries{bench.epochMsIn(30s)}));
    const LockPtr record = examination.record();
    QVERIFY(record->id == (LockId{0, "order:lock"}));
    QVERIFY(record->expiresAt == bench.loop.now() + 30s);
}

void TestExamination::aPairIsFoundByItsName()
{
    Bench bench;
    bench.keyspace.setString("lock:read", "1", 10s);
    const Examination examination = bench.examined("lock");
    QCOMPARE(examination.sighting.name, Bytes("lock"));
    QCOMPARE(examination.sighting.keys.size(), std::size_t(2));
    QVERIFY(examination.record()->mode == Mode::Read);
    QVERIFY(examination.expiresAtMs == (Expiries{bench.epochMsIn(10s), std::nullopt}));
}

void TestExamination::aPairIsFoundByOneOfItsKeys()
{
    Bench bench;
    bench.keyspace.setString("lock:write", "1", 10s);
    QCOMPARE(bench.examined("lock:write").record()->id.name, Bytes("lock"));
}

void TestExamination::aKeyOfItsOwnIsNotTakenForAPair()
{
    Bench bench;
    bench.keyspace.setHash("lock:write", {{"worker-17:a", "1"}}, 10s);
    const Examination examination = bench.examined("lock:write");
    QCOMPARE(std::string(examination.record()->format), std::string("reentrant-hash"));
    QCOMPARE(examination.sighting.name, Bytes("lock:write"));
}

void TestExamination::aNameThatSomebodyPointsAtIsBelieved()
{
    Bench bench;
    bench.keyspace.setString("sync:nightly", "1", 30s); // known through a user's pattern
    const Examination examination = bench.examined("sync:nightly");
    QVERIFY(!examination.readings.empty());
    QCOMPARE(examination.readings.front().format, std::string_view("flag"));
    QVERIFY(planFor(examination, ReleaseAction::Release).has_value());
}

void TestExamination::nothingThereIsNoLock()
{
    Bench bench;
    const Examination examination = bench.examined("order:lock");
    QVERIFY(examination.readings.empty());
    QVERIFY(examination.record() == nullptr);
    QVERIFY(!examination.sighting.exists());
}

void TestExamination::aLockThatIsRenewedMeanwhileIsReadAgain()
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
    QVERIFY(bench.examined("order:lock").expiresAtMs == (Expiries{bench.epochMsIn(60s)}));
    QCOMPARE(reads, 3);
}

void TestExamination::valueAndExpiryBelongToOneHold()
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
        const Examination examination = bench.examined("order:lock");
        const bool isAlice = examination.sighting.main().value == kAlice;
        QVERIFY2(examination.expiresAtMs == (Expiries{bench.epochMsIn(isAlice ? 30s : 90s)}),
                 std::to_string(moment).c_str());
    }
}

void TestExamination::aLockThatNeverStandsStillIsGivenUpOn()
{
    Bench bench;
    bench.keyspace.setString("order:lock", kAlice, 30s);
    Duration ttl = 30s;
    bench.interference = [&](const Command& command) {
        if (command.words.front() == "GETRANGE" && command.words[1] == "order:lock") {
            bench.keyspace.expire("order:lock", ttl += 1s);
        }
    };
    QVERIFY(bench.examined("order:lock").record() != nullptr); // the last look has to do
}

void TestExamination::anOlderServerTellsTheInstantByWhatIsLeft()
{
    Bench bench;
    bench.keyspace.setString("order:lock", kAlice, 30s);
    bench.keyspace.refuse(
        "PEXPIRETIME",
        "ERR unknown command `PEXPIRETIME`, with args beginning with: `order:lock`, ");
    QVERIFY(bench.examined("order:lock").expiresAtMs == (Expiries{bench.epochMsIn(30s)}));
    bench.keyspace.setString("order:lock", kAlice);
    QVERIFY(bench.examined("order:lock").expiresAtMs == (Expiries{std::nullopt}));
}

void TestExamination::aHiddenExpiryIsAProblem()
{
    Bench bench;
    bench.keyspace.setString("order:lock", kAlice, 30s);
    bench.keyspace.refuse("PEXPIRETIME",
                          "NOPERM this user has no permissions to run the 'pexpiretime' command");
    bench.keyspace.refuse("TIME", "NOPERM this user has no permissions to run the 'time' command");
    const auto result = bench.tryExamine("order:lock");
    const auto* const problem = std::get_if<Problem>(&result);
    QVERIFY(problem != nullptr);
    QVERIFY(problem->kind == Problem::Kind::NoPermission);
}

void TestExamination::aLostLinkIsAProblem()
{
    for (int answered = 0; answered < 6; ++answered) {
        Bench bench;
        bench.keyspace.setString("order:lock", kAlice, 30s);
        bench.store.hold();
        const auto examining = bench.loop.start(examine(bench.store, bench.loop.clock(), 0,
                                                        "order:lock"));
        for (int i = 0; i < answered; ++i) {
            bench.store.answerOne();
            bench.loop.settle();
        }
        if (examining.isFinished()) {
            QVERIFY(answered >= 5);
            continue;
        }
        bench.store.breakLink();
        bench.loop.settle();
        QVERIFY(examining.isFinished());
        QVERIFY(std::holds_alternative<Problem>(examining.result()));
    }
}

void TestExamination::thePlanComparesWhatWasSeen()
{
    Bench bench;
    bench.keyspace.setString("order:lock", kAlice, 30s);
    const std::optional<ReleasePlan> plan = planFor(bench.examined("order:lock"),
                                                    ReleaseAction::Release);
    QVERIFY(plan.has_value());
    QCOMPARE(plan->owner(), kAlice);
    QVERIFY(plan->servers == std::vector<std::uint16_t>{0});
    QVERIFY(plan->expiresAtMs == (Expiries{bench.epochMsIn(30s)}));
    const auto& words = plan->command.words;
    QCOMPARE(words.front(), Bytes("EVAL"));
    QVERIFY(std::find(words.begin(), words.end(), kAlice) != words.end());
}

void TestExamination::thePlanOfAFlagComparesTheExpiry()
{
    Bench bench;
    bench.keyspace.setString("order:lock", "1", 30s);
    const std::optional<ReleasePlan> plan = planFor(bench.examined("order:lock"),
                                                    ReleaseAction::Release);
    QVERIFY(plan.has_value());
    const auto& words = plan->command.words;
    QVERIFY(std::find(words.begin(), words.end(), std::to_string(bench.epochMsIn(30s)))
            != words.end());
}

void TestExamination::cappingKeepsTheCheck()
{
    Bench bench;
    bench.keyspace.setString("order:lock", kAlice);
    const std::optional<ReleasePlan> plan = planFor(bench.examined("order:lock"),
                                                    ReleaseAction::CapTtl, HolderChoice::all(),
                                                    60s);
    QVERIFY(plan.has_value());
    QVERIFY(plan->action == ReleaseAction::CapTtl);
    QCOMPARE(plan->command.words.back(), Bytes("60000"));
}

void TestExamination::withoutAReadingThereIsNoPlan()
{
    Bench bench;
    bench.keyspace.setOther("order:lock", "list");
    QVERIFY(!planFor(bench.examined("order:lock"), ReleaseAction::Release));
}

QTEST_GUILESS_MAIN(TestExamination)
#include "tst_examination.moc"
