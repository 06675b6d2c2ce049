#include "core/kernel/inspect/force_release.h"
#include "core/kernel/inspect/lock_inspection.h"
#include "core/kernel/inspect/undo_plan.h"
#include "tests/kernel/sim/sim_talk.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace lockscope::tst_undo_plan {

using namespace lockscope::inspect;
using namespace lockscope::testing;
using namespace std::chrono_literals;
using store::Outcome;
using store::Problem;

namespace {

const Bytes kAlice = "5f0c9a41-77aa-4c1e-9f00-1b2c3d4e5f60";
constexpr Instant kSeen{1h};

/// A simulated server with a lock that was looked at, and then released.
struct Bench {
    SimTalk talk;
    LockSnapshot seen{0, "order:lock", {}};
    ReleasePlan released;

    /// Looks at the key by what the server says, and makes the plan of its release.
    void look()
    {
        Observation key;
        key.key = "order:lock";
        const auto left = *talk.ask({"PTTL", key.key}).integer();
        key.ttl = left < 0 ? std::nullopt
                           : std::optional<Duration>(std::chrono::milliseconds(left));
        key.isComplete = true;
        key.seenAt = kSeen;
        if (*talk.ask({"TYPE", key.key}).text() == "string") {
            key.type = ValueType::String;
            key.value = *talk.ask({"GET", key.key}).text();
        } else {
            key.type = ValueType::Hash;
            const store::Reply all = talk.ask({"HGETALL", key.key});
            for (std::size_t i = 0; i + 1 < all.array()->size(); i += 2) {
                key.fields.push_back({*(*all.array())[i].text(), *(*all.array())[i + 1].text()});
            }
        }
        key.size = key.value.size() + key.fields.size();
        seen.keys = {key};
        LockInspection inspection;
        inspection.snapshot = seen;
        inspection.decodedLocks = decode(seen, builtinDecoders());
        inspection.expiresAtMs = {std::nullopt};
        released = planFor(inspection, ReleaseAction::Release).value();
    }
    ReleaseResult run(const ReleasePlan& plan)
    {
        return reportOfRestore(Outcome(talk.database.run(plan.command, {talk.lua, talk.now})))
            .result;
    }
    void lookAndRelease()
    {
        look();
        QVERIFY(run(released) == ReleaseResult::Released);
        QCOMPARE(talk("EXISTS order:lock"), QByteArray("0"));
    }
    /// So long after the look.
    std::optional<ReleasePlan> undoAfter(Duration span)
    {
        talk.now += span;
        return undoPlan(released, seen, kSeen + span);
    }
};

constexpr const char* kRedisson = "HSET order:lock 5f0c9a41-77aa-4c1e-9f00-1b2c3d4e5f60:63 2";

} // namespace

class TestUndoPlan : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aTokenComesBackWithWhatWouldBeLeftOfItsTime()
    {
        Bench bench;
        bench.talk.ask({"SET", "order:lock", kAlice, "PX", "30000"});
        bench.lookAndRelease();
        const auto undo = bench.undoAfter(10s);
        QVERIFY(undo->action == ReleaseAction::Restore);
        QCOMPARE(undo->cap, Duration(20s));
        QVERIFY(bench.run(*undo) == ReleaseResult::Released);
        QCOMPARE(*bench.talk.ask({"GET", "order:lock"}).text(), kAlice);
        QCOMPARE(*bench.talk.ask({"PTTL", "order:lock"}).integer(), std::int64_t(20'000));
    }

    void aHashComesBackWhole()
    {
        Bench bench;
        bench.talk(kRedisson);
        bench.talk("PEXPIRE order:lock 30000");
        const QByteArray before = bench.talk("HGETALL order:lock");
        bench.lookAndRelease();
        QVERIFY(bench.run(*bench.undoAfter(10s)) == ReleaseResult::Released);
        QCOMPARE(bench.talk("HGETALL order:lock"), before);
        QCOMPARE(*bench.talk.ask({"PTTL", "order:lock"}).integer(), std::int64_t(20'000));
    }

    void whatHadNoExpiryHasNone_data()
    {
        QTest::addColumn<QByteArray>("take");
        QTest::newRow("string") << QByteArray("SET order:lock "
                                              + QByteArray::fromStdString(kAlice));
        QTest::newRow("hash") << QByteArray(kRedisson);
    }
    void whatHadNoExpiryHasNone()
    {
        QFETCH(QByteArray, take);
        Bench bench;
        bench.talk(take.toStdString());
        bench.lookAndRelease();
        const auto undo = bench.undoAfter(10s);
        QCOMPARE(undo->cap, Duration(0));
        QVERIFY(bench.run(*undo) == ReleaseResult::Released);
        QCOMPARE(*bench.talk.ask({"PTTL", "order:lock"}).integer(), std::int64_t(-1));
    }

    void whatIsThereAgainStays_data() { whatHadNoExpiryHasNone_data(); }
    void whatIsThereAgainStays()
    {
        QFETCH(QByteArray, take);
        for (const char* const next : {"SET order:lock bob", "HSET order:lock bob 1"}) {
            Bench bench;
            bench.talk(take.toStdString());
            bench.lookAndRelease();
            bench.talk(next);
            QVERIFY(bench.run(*bench.undoAfter(1s)) == ReleaseResult::ChangedHands);
            const bool isString = *bench.talk.ask({"TYPE", "order:lock"}).text() == "string";
            QVERIFY(isString ? *bench.talk.ask({"GET", "order:lock"}).text() == "bob"
                             : bench.talk.ask({"HLEN", "order:lock"}).integer() == 1);
            QCOMPARE(*bench.talk.ask({"PTTL", "order:lock"}).integer(), std::int64_t(-1));
        }
    }

    void aLockThatWouldBeOverIsNotPutBack()
    {
        Bench bench;
        bench.talk.ask({"SET", "order:lock", kAlice, "PX", "30000"});
        bench.lookAndRelease();
        QVERIFY(!bench.undoAfter(30s));
    }

    void onlyTheWholeOfOneKeyIsPutBack()
    {
        Bench bench;
        bench.talk.ask({"SET", "order:lock", kAlice, "PX", "30000"});
        bench.look();
        const ReleasePlan plan = bench.released;
        const LockSnapshot seen = bench.seen;
        const auto isPossible = [&](auto&& spoil) {
            ReleasePlan otherPlan = plan;
            LockSnapshot otherSeen = seen;
            spoil(otherPlan, otherSeen);
            return undoPlan(otherPlan, otherSeen, kSeen).has_value();
        };
        using Plan = ReleasePlan;
        using Seen = LockSnapshot;
        QVERIFY(isPossible([](Plan&, Seen&) {}));
        QVERIFY(!isPossible([](Plan& p, Seen&) { p.action = ReleaseAction::CapTtl; }));
        QVERIFY(!isPossible([](Plan& p, Seen&) { p.action = ReleaseAction::Tombstone; }));
        QVERIFY(!isPossible([](Plan& p, Seen&) { p.servers = {0, 1}; }));
        QVERIFY(!isPossible([](Plan& p, Seen&) { p.recipe.companions = {"queue"}; }));
        QVERIFY(!isPossible([](Plan& p, Seen&) {
            p.recipe.checks.push_back(p.recipe.checks.front());
        }));
        QVERIFY(!isPossible([](Plan& p, Seen&) { p.recipe.checks.front().isPart = true; }));
        QVERIFY(!isPossible([](Plan& p, Seen&) {
            p.recipe.script = ReleaseRecipe::Script::PushToList;
        }));
        QVERIFY(!isPossible([](Plan& p, Seen&) { p.recipe.checks.front().value += "x"; }));
        QVERIFY(!isPossible([](Plan&, Seen& s) { s.keys.front().isComplete = false; }));
        QVERIFY(!isPossible([](Plan&, Seen& s) { s.keys.front().key = "other"; }));
        QVERIFY(!isPossible([](Plan&, Seen& s) { s.keys.push_back(s.keys.front()); }));
        QVERIFY(isPossible([](Plan&, Seen& s) { s.keys.emplace_back(); })); // does not exist
    }

    void aRedissonLockWithoutAQueueIsOneKey()
    {
        Bench bench;
        bench.talk(kRedisson);
        bench.look();
        bench.released.recipe.script = ReleaseRecipe::Script::RedissonFair;
        bench.released.recipe.companions = {"queue", "timeouts"};
        QVERIFY(!bench.undoAfter(0s)); // the queue was not looked for
        Observation queue;
        queue.key = "queue";
        queue.type = ValueType::None;
        bench.seen.companions = {queue};
        QVERIFY(bench.undoAfter(0s));
        bench.seen.companions.front().type = ValueType::List;
        QVERIFY(!bench.undoAfter(0s)); // its first waiter was woken
        bench.seen.companions.front().type = ValueType::Other;
        QVERIFY(!bench.undoAfter(0s)); // it could not be read
    }

    void everyAnswerHasItsMeaning()
    {
        const auto resultOf = [](const Outcome& outcome) {
            return reportOfRestore(outcome).result;
        };
        QVERIFY(resultOf(store::Reply::ofStatus("OK")) == ReleaseResult::Released);
        QVERIFY(resultOf(store::Reply()) == ReleaseResult::ChangedHands);
        QVERIFY(resultOf(store::Reply::ofError("NOPERM no")) == ReleaseResult::Refused);
        QVERIFY(resultOf(store::Reply::ofStatus("QUEUED")) == ReleaseResult::Unknown);
        Problem lost;
        lost.kind = Problem::Kind::ConnectionLost;
        const Outcome unknown = store::Unknown{lost};
        QVERIFY(resultOf(unknown) == ReleaseResult::Unknown);
    }
};

LOCKSCOPE_TEST(TestUndoPlan, Core)

} // namespace lockscope::tst_undo_plan

#include "tst_undo_plan.moc"
