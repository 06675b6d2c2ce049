#include "core/kernel/protocol/builtin/builtin.h"
#include "protocol_scripts.h"
#include "tests/kernel/protocol/builtin/answer_rows.h"
#include "tests/kernel/text_in_failures.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace lockscope::tst_rw_hash_fields {

using namespace lockscope::protocol;
using namespace lockscope::testing;
using namespace std::chrono_literals;
using store::Outcome;

namespace {

const LockProtocol& theProtocol = builtin::rwHashFields();

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

class TestRwHashFields : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void eachModeHasAScript();
    void theLeaseCountsFromBeforeTheRequest();
    void theStampIsTakenBeforeTheRequestIsSent();
    void twoHoldsInOneMillisecondHaveTheSameStamp();
    void theAnswerDecides_data();
    void theAnswerDecides();
    void aReleaseComparesTheStampOfItsSide();
    void theReleaseSaysWhoseStampWasThere_data();
    void theReleaseSaysWhoseStampWasThere();
};

void TestRwHashFields::eachModeHasAScript()
{
    for (const auto& [mode, script] : {std::pair(Mode::Read, scripts::kRwHashFieldsRead),
                                       {Mode::Write, scripts::kRwHashFieldsWrite},
                                       {Mode::Exclusive, scripts::kRwHashFieldsWrite}}) {
        ContenderBench bench(answering({{"EVALSHA", number(1)}}));
        attempt(bench, mode);
        QCOMPARE(bench.store().asked(),
                 std::vector<std::string>{calling(script, "1 k " + stampNow(bench) + " 10000")});
    }
}

void TestRwHashFields::theLeaseCountsFromBeforeTheRequest()
{
    ContenderBench bench(answering({{"EVALSHA", number(1)}}));
    const Instant sentAt = bench.loop().now();
    bench.store().hold();
    const auto task = bench.loop().start(theProtocol.attempt(bench.contender(), bench.request()));
    bench.loop().advance(3s);
    bench.store().answerAll();
    bench.loop().settle();
    QCOMPARE(takeGrant(task.result()).trustedUntil, std::optional(sentAt + 10s));
}

void TestRwHashFields::theStampIsTakenBeforeTheRequestIsSent()
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

void TestRwHashFields::twoHoldsInOneMillisecondHaveTheSameStamp()
{
    ContenderBench bench(answering({{"EVALSHA", number(1)}}));
    const Grant first = takeGrant(attempt(bench, Mode::Read));
    QCOMPARE(takeGrant(attempt(bench, Mode::Read)).token, first.token);
    bench.loop().advance(1ms);
    QCOMPARE_NE(takeGrant(attempt(bench, Mode::Read)).token, first.token);
}

void TestRwHashFields::theAnswerDecides_data()
{
    addAnswers({{"free", number(1), "granted"}, {"held", number(0), "refused"}});
}

void TestRwHashFields::theAnswerDecides()
{
    QFETCH(const Outcome, answer);
    QFETCH(const std::string, word);
    for (const Mode mode : {Mode::Read, Mode::Write}) {
        ContenderBench bench(answering({{"EVALSHA", answer}}));
        QCOMPARE(wordFor(attempt(bench, mode)), word);
    }
}

void TestRwHashFields::aReleaseComparesTheStampOfItsSide()
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

void TestRwHashFields::theReleaseSaysWhoseStampWasThere_data()
{
    addAnswers({{"ours", number(1), "released"},
                {"another's", number(0), "another's"},
                {"gone", number(-1), "gone"}});
}

void TestRwHashFields::theReleaseSaysWhoseStampWasThere()
{
    QFETCH(const Outcome, answer);
    QFETCH(const std::string, word);
    ContenderBench bench(answering({{"EVALSHA", answer}}));
    Grant grant;
    grant.request = bench.request();
    grant.token = "1795176654459";
    QCOMPARE(wordFor(bench.loop().run(theProtocol.release(bench.contender(), grant))), word);
}

LOCKSCOPE_TEST(TestRwHashFields, Core)

} // namespace lockscope::tst_rw_hash_fields

#include "tst_rw_hash_fields.moc"
