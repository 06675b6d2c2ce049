#include "core/kernel/protocol/builtin/builtin.h"
#include "protocol_scripts.h"
#include "tests/kernel/protocol/builtin/answer_rows.h"
#include "tests/kernel/text_in_failures.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace lockscope::tst_rw_hash_stamps {

using namespace lockscope::protocol;
using namespace lockscope::testing;
using namespace std::chrono_literals;
using store::Outcome;

namespace {

const LockProtocol& theProtocol = builtin::rwHashStamps();

AcquireOutcome attempt(ContenderBench& bench, Mode mode)
{
    LockRequest request = bench.request();
    request.mode = mode;
    return bench.loop().run(theProtocol.attempt(bench.contender(), request));
}

/// What the client's clock says, as it stands in the hash.
Bytes stampNow(ContenderBench& bench)
{
    return std::to_string(toEpochMs(bench.loop().clock().wallNow()));
}

} // namespace

class TestRwHashStamps : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aReaderComparesWithTheWriteTimeOut();
    void aWriterComparesWithBothTimeOuts();
    void aHoldCountsForTheTimeOutOfItsMode_data();
    void aHoldCountsForTheTimeOutOfItsMode();
    void theStampIsTakenBeforeTheRequestIsSent();
    void twoHoldsInOneMillisecondHaveTheSameStamp();
    void theAnswerDecides_data();
    void theAnswerDecides();
    void aReleaseComparesTheStampOfItsSide();
    void theReleaseSaysWhoseStampWasThere_data();
    void theReleaseSaysWhoseStampWasThere();
};

void TestRwHashStamps::aReaderComparesWithTheWriteTimeOut()
{
    ContenderBench bench(answering({{"EVALSHA", number(1)}}));
    attempt(bench, Mode::Read);
    QCOMPARE(bench.store().asked(),
             std::vector<std::string>{
                 calling(scripts::kRwHashStampsRead, "1 k " + stampNow(bench) + " 3000 10000")});
}

void TestRwHashStamps::aWriterComparesWithBothTimeOuts()
{
    for (const Mode mode : {Mode::Write, Mode::Exclusive}) {
        ContenderBench bench(answering({{"EVALSHA", number(1)}}));
        attempt(bench, mode);
        QCOMPARE(bench.store().asked(),
                 std::vector<std::string>{calling(scripts::kRwHashStampsWrite,
                                                  "1 k " + stampNow(bench) + " 1000 3000 10000")});
    }
}

void TestRwHashStamps::aHoldCountsForTheTimeOutOfItsMode_data()
{
    QTest::addColumn<Mode>("mode");
    QTest::addColumn<Duration>("lease");
    QTest::addColumn<Duration>("validity");
    QTest::newRow("read") << Mode::Read << Duration(10s) << Duration(1s);
    QTest::newRow("write") << Mode::Write << Duration(10s) << Duration(3s);
    QTest::newRow("the hash ends earlier") << Mode::Write << Duration(2s) << Duration(2s);
}

void TestRwHashStamps::aHoldCountsForTheTimeOutOfItsMode()
{
    QFETCH(const Mode, mode);
    QFETCH(const Duration, lease);
    QFETCH(const Duration, validity);
    ContenderBench bench(answering({{"EVALSHA", number(1)}}));
    LockRequest request = bench.request();
    request.mode = mode;
    request.lease = lease;
    const auto outcome = bench.loop().run(theProtocol.attempt(bench.contender(), request));
    QCOMPARE(takeGrant(outcome).trustedUntil, std::optional(bench.loop().now() + validity));
}

void TestRwHashStamps::theStampIsTakenBeforeTheRequestIsSent()
{
    ContenderBench bench(answering({{"EVALSHA", number(1)}}));
    const Bytes stamp = stampNow(bench);
    bench.store().hold();
    const auto task = bench.loop().start(theProtocol.attempt(bench.contender(), bench.request()));
    bench.loop().advance(700ms);
    bench.store().answerAll();
    bench.loop().settle();
    QCOMPARE(takeGrant(task.result()).token, stamp);
}

void TestRwHashStamps::twoHoldsInOneMillisecondHaveTheSameStamp()
{
    ContenderBench bench(answering({{"EVALSHA", number(1)}}));
    const Grant first = takeGrant(attempt(bench, Mode::Read));
    QCOMPARE(takeGrant(attempt(bench, Mode::Read)).token, first.token);
    bench.loop().advance(1ms);
    QCOMPARE_NE(takeGrant(attempt(bench, Mode::Read)).token, first.token);
}

void TestRwHashStamps::theAnswerDecides_data()
{
    addAnswers({{"free", number(1), "granted"}, {"held", number(0), "refused"}});
}

void TestRwHashStamps::theAnswerDecides()
{
    QFETCH(const Outcome, answer);
    QFETCH(const std::string, word);
    for (const Mode mode : {Mode::Read, Mode::Write}) {
        ContenderBench bench(answering({{"EVALSHA", answer}}));
        QCOMPARE(wordFor(attempt(bench, mode)), word);
    }
}

void TestRwHashStamps::aReleaseComparesTheStampOfItsSide()
{
    for (const auto& [mode, field] :
         {std::pair(Mode::Read, "read"), {Mode::Write, "write"}, {Mode::Exclusive, "write"}}) {
        ContenderBench bench(answering({{"EVALSHA", number(1)}}));
        const Grant grant = takeGrant(attempt(bench, mode));
        bench.store().forgetAsked();
        bench.loop().advance(2s);
        bench.loop().run(theProtocol.release(bench.contender(), grant));
        QCOMPARE(bench.store().asked(),
                 std::vector<std::string>{
                     calling(scripts::kDeleteFieldIfEqual,
                             "1 k " + std::string(field) + ' ' + grant.token)});
    }
}

void TestRwHashStamps::theReleaseSaysWhoseStampWasThere_data()
{
    addAnswers({{"ours", number(1), "released"},
                {"another's", number(0), "another's"},
                {"gone", number(-1), "gone"}});
}

void TestRwHashStamps::theReleaseSaysWhoseStampWasThere()
{
    QFETCH(const Outcome, answer);
    QFETCH(const std::string, word);
    ContenderBench bench(answering({{"EVALSHA", answer}}));
    Grant grant;
    grant.request = bench.request();
    grant.token = "1795176654459";
    QCOMPARE(wordFor(bench.loop().run(theProtocol.release(bench.contender(), grant))), word);
}

LOCKSCOPE_TEST(TestRwHashStamps, Core)

} // namespace lockscope::tst_rw_hash_stamps

#include "tst_rw_hash_stamps.moc"
