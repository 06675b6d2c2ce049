#include "core/kernel/protocol/attempts.h"
#include "core/kernel/protocol/builtin/builtin.h"
#include "protocol_scripts.h"
#include "tests/kernel/protocol/builtin/answer_rows.h"
#include "tests/kernel/text_in_failures.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <memory>

namespace lockscope::tst_redisson_read_write {

using namespace lockscope::protocol;
using namespace lockscope::testing;
using namespace std::chrono_literals;
using store::Notice;
using store::Outcome;

namespace {

const LockProtocol& theProtocol = builtin::redissonReadWrite();

const std::string kOwner = "5f0c9a41-77aa-4c1e-9f00-1b2c3d4e5f60:63";

LockRequest requestFor(const ContenderBench& bench, Mode mode)
{
    LockRequest request = bench.request();
    request.mode = mode;
    return request;
}

AcquireOutcome attempt(ContenderBench& bench, Mode mode)
{
    return bench.loop().run(theProtocol.attempt(bench.contender(), requestFor(bench, mode)));
}

Grant grantOf(const ContenderBench& bench, Mode mode)
{
    Grant grant;
    grant.request = requestFor(bench, mode);
    grant.token = mode == Mode::Read ? kOwner : kOwner + ":write";
    return grant;
}

/// Held by others for 20 s until `isFree`.
ScriptedStore::Script heldUntil(std::shared_ptr<bool> isFree)
{
    return [isFree](const store::Command&) {
        return *isFree ? numbers({1}) : numbers({0, 20'000});
    };
}

} // namespace

class TestRedissonReadWrite : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aReaderHasATimeOutKeyPerHold();
    void aWriterHasAFieldOfItsOwn();
    void aNameWithATagKeepsIt();
    void theAnswerDecides_data();
    void theAnswerDecides();
    void theCountOfHoldsIsTold();
    void aRefusalTellsHowLongItMayTake();
    void aWaiterListensAndTriesOnceMore();
    void aWaiterTriesAgainWithEveryMessage();
    void aWaiterWithoutAMessageTriesWhenTheHoldWouldHaveRunOut();
    void eachSideRenewsItsOwn();
    void theRenewalSaysWhetherItIsThere_data();
    void theRenewalSaysWhetherItIsThere();
    void eachSideUnlocksWithItsOwnScript();
    void theUnlockSaysWhatIsLeft_data();
    void theUnlockSaysWhatIsLeft();
    void anUnlockWithoutAnAnswerIsSentAgainUnderTheSameLatch();
};

void TestRedissonReadWrite::aReaderHasATimeOutKeyPerHold()
{
    ContenderBench bench(answering({{"EVALSHA", numbers({1})}}));
    attempt(bench, Mode::Read);
    QCOMPARE(bench.store().asked(),
             std::vector<std::string>{
                 calling(scripts::kRedissonReadLock,
                         "2 k {k}:" + kOwner + ":rwlock_timeout " + kOwner + " 10000")});
}

void TestRedissonReadWrite::aWriterHasAFieldOfItsOwn()
{
    for (const Mode mode : {Mode::Write, Mode::Exclusive}) {
        ContenderBench bench(answering({{"EVALSHA", numbers({1})}}));
        attempt(bench, mode);
        QCOMPARE(bench.store().asked(),
                 std::vector<std::string>{
                     calling(scripts::kRedissonWriteLock, "1 k " + kOwner + ":write 10000")});
    }
}

void TestRedissonReadWrite::aNameWithATagKeepsIt()
{
    ContenderBench bench(answering({{"EVALSHA", numbers({1})}}));
    LockRequest request = requestFor(bench, Mode::Read);
    request.key = "order:{42}";
    bench.loop().run(theProtocol.attempt(bench.contender(), request));
    QVERIFY(bench.store().asked().front().find(" order:{42}:" + kOwner + ":rwlock_timeout ")
            != std::string::npos);
}

void TestRedissonReadWrite::theAnswerDecides_data()
{
    addAnswers({{"free", numbers({1}), "granted"},
                {"ours already", numbers({3}), "granted 3"},
                {"held", numbers({0, 5000}), "refused"},
                {"held for ever", numbers({0, -1}), "refused"}});
}

void TestRedissonReadWrite::theAnswerDecides()
{
    QFETCH(const Outcome, answer);
    QFETCH(const std::string, word);
    for (const Mode mode : {Mode::Read, Mode::Write}) {
        ContenderBench bench(answering({{"EVALSHA", answer}}));
        QCOMPARE(wordFor(attempt(bench, mode)), word);
    }
}

void TestRedissonReadWrite::theCountOfHoldsIsTold()
{
    ContenderBench bench(answering({{"EVALSHA", numbers({3})}}));
    const auto outcome = attempt(bench, Mode::Write);
    QCOMPARE(takeGrant(outcome).holds, 3);
    QCOMPARE(takeGrant(outcome).trustedUntil, std::optional(bench.loop().now() + 10s));
}

void TestRedissonReadWrite::aRefusalTellsHowLongItMayTake()
{
    ContenderBench bench(answering({{"EVALSHA", numbers({0, 5000})}}));
    QCOMPARE(std::get<Refused>(attempt(bench, Mode::Read)).remaining, std::optional(Duration(5s)));
}

void TestRedissonReadWrite::aWaiterListensAndTriesOnceMore()
{
    const auto isFree = std::make_shared<bool>(false);
    ContenderBench bench(heldUntil(isFree));
    bench.channels().keepSilent();
    LockRequest request = requestFor(bench, Mode::Write);
    request.waitLimit = 60s;
    const auto task = bench.loop().start(acquire(theProtocol, bench.contender(), request));
    QCOMPARE(bench.channels().listened(), std::vector<Bytes>{"redisson_rwlock:{k}"});
    QCOMPARE(bench.store().asked().size(), std::size_t{1});
    *isFree = true; // released before the waiter listened
    bench.channels().tellAll(Notice::Kind::Listening);
    bench.loop().settle();
    QCOMPARE(wordFor(task.result()), std::string("granted"));
    QCOMPARE(bench.channels().listened(), std::vector<Bytes>{});
}

void TestRedissonReadWrite::aWaiterTriesAgainWithEveryMessage()
{
    const auto isFree = std::make_shared<bool>(false);
    ContenderBench bench(heldUntil(isFree));
    LockRequest request = requestFor(bench, Mode::Read);
    request.waitLimit = 60s;
    const auto task = bench.loop().start(acquire(theProtocol, bench.contender(), request));
    bench.channels().publish("redisson_rwlock:{k}", "1"); // another one was faster
    bench.loop().settle();
    QVERIFY(!task.isFinished());
    *isFree = true;
    bench.channels().publish("redisson_rwlock:{k}", "0");
    bench.loop().settle();
    QCOMPARE(wordFor(task.result()), std::string("granted"));
    QCOMPARE(takeGrant(task.result()).tries, 4);
}

void TestRedissonReadWrite::aWaiterWithoutAMessageTriesWhenTheHoldWouldHaveRunOut()
{
    const auto isFree = std::make_shared<bool>(false);
    ContenderBench bench(heldUntil(isFree));
    LockRequest request = requestFor(bench, Mode::Read);
    request.waitLimit = 60s;
    const auto task = bench.loop().start(acquire(theProtocol, bench.contender(), request));
    *isFree = true;
    bench.loop().advance(20s - 1us);
    QVERIFY(!task.isFinished());
    bench.loop().advance(1us);
    QCOMPARE(wordFor(task.result()), std::string("granted"));
}

void TestRedissonReadWrite::eachSideRenewsItsOwn()
{
    ContenderBench bench(answering({{"EVALSHA", number(1)}}));
    bench.loop().run(theProtocol.renew(bench.contender(), grantOf(bench, Mode::Read)));
    bench.loop().run(theProtocol.renew(bench.contender(), grantOf(bench, Mode::Write)));
    QCOMPARE(bench.store().asked(),
             (std::vector<std::string>{
                 calling(scripts::kRedissonReadRenew,
                         "2 k {k}:" + kOwner + ":rwlock_timeout " + kOwner + " 10000"),
                 calling(scripts::kRedissonRenew, "1 k " + kOwner + ":write 10000")}));
}

void TestRedissonReadWrite::theRenewalSaysWhetherItIsThere_data()
{
    addAnswers({{"ours", number(1), "renewed"},
                {"another's", number(0), "another's"},
                {"gone", number(-1), "gone"}});
}

void TestRedissonReadWrite::theRenewalSaysWhetherItIsThere()
{
    QFETCH(const Outcome, answer);
    QFETCH(const std::string, word);
    for (const Mode mode : {Mode::Read, Mode::Write}) {
        ContenderBench bench(answering({{"EVALSHA", answer}}));
        const auto outcome = bench.loop().run(theProtocol.renew(bench.contender(),
                                                                grantOf(bench, mode)));
        QCOMPARE(wordFor(outcome), word);
        if (const auto* const renewed = std::get_if<Renewed>(&outcome)) {
            QCOMPARE(renewed->trustedUntil, std::optional(bench.loop().now() + 10s));
        }
    }
}

void TestRedissonReadWrite::eachSideUnlocksWithItsOwnScript()
{
    for (const Mode mode : {Mode::Read, Mode::Write}) {
        ContenderBench bench(answering({{"EVALSHA", number(0)}, {"DEL", number(1)}}));
        const Grant grant = grantOf(bench, mode);
        bench.loop().run(theProtocol.release(bench.contender(), grant));
        const std::string forget = bench.store().asked().back();
        QVERIFY(forget.starts_with("DEL redisson_unlock_latch:{k}:"));
        const std::string latch = forget.substr(4);
        const std::string rest = ' ' + grant.token + " 10000 redisson_rwlock:{k} 18000";
        QCOMPARE(bench.store().asked().front(),
                 mode == Mode::Read
                     ? calling(scripts::kRedissonReadUnlock, "3 k " + latch + " {k}" + rest)
                     : calling(scripts::kRedissonWriteUnlock, "2 k " + latch + rest));
    }
}

void TestRedissonReadWrite::theUnlockSaysWhatIsLeft_data()
{
    QTest::addColumn<Outcome>("answer");
    QTest::addColumn<std::string>("word");
    QTest::newRow("free") << number(0) << std::string("released");
    QTest::newRow("held on") << number(2) << std::string("released, 2 left");
    QTest::newRow("gone") << number(-1) << std::string("gone");
    QTest::newRow("another's") << number(-2) << std::string("another's");
    QTest::newRow("not sent") << notSent() << std::string("unavailable");
    QTest::newRow("an error") << serverError() << std::string("unavailable");
    QTest::newRow("nonsense") << numbers({1}) << std::string("uncertain");
}

void TestRedissonReadWrite::theUnlockSaysWhatIsLeft()
{
    QFETCH(const Outcome, answer);
    QFETCH(const std::string, word);
    for (const Mode mode : {Mode::Read, Mode::Write}) {
        ContenderBench bench(answering({{"EVALSHA", answer}, {"DEL", number(0)}}));
        QCOMPARE(wordFor(bench.loop().run(theProtocol.release(bench.contender(),
                                                              grantOf(bench, mode)))),
                 word);
    }
}

void TestRedissonReadWrite::anUnlockWithoutAnAnswerIsSentAgainUnderTheSameLatch()
{
    ContenderBench bench(answering({{"EVALSHA", lostReply()}, {"DEL", number(0)}}));
    const auto task = bench.loop().start(theProtocol.release(bench.contender(),
                                                             grantOf(bench, Mode::Read)));
    bench.loop().advance(10s);
    QCOMPARE(wordFor(task.result()), std::string("uncertain"));
    const auto& asked = bench.store().asked();
    QCOMPARE(asked.size(), std::size_t{5}); // four times, and the latch is thrown away
    QVERIFY(asked[0] == asked[1] && asked[1] == asked[2] && asked[2] == asked[3]);
}

LOCKSCOPE_TEST(TestRedissonReadWrite, Core)

} // namespace lockscope::tst_redisson_read_write

#include "tst_redisson_read_write.moc"
