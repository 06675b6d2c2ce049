#include "core/kernel/protocol/builtin/builtin.h"
#include "protocol_scripts.h"
#include "tests/kernel/protocol/builtin/answer_rows.h"
#include "tests/kernel/text_in_failures.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace lockscope::tst_rw_two_keys_counted {

using namespace lockscope::protocol;
using namespace lockscope::testing;
using namespace std::chrono_literals;
using store::Outcome;

namespace {

const LockProtocol& theProtocol = builtin::rwTwoKeysCounted();

AcquireOutcome attempt(ContenderBench& bench, Mode mode)
{
    LockRequest request = bench.request();
    request.mode = mode;
    return bench.loop().run(theProtocol.attempt(bench.contender(), request));
}

std::string release(ContenderBench& bench, Mode mode)
{
    Grant grant;
    grant.request = bench.request();
    grant.request.mode = mode;
    grant.token = "token";
    return wordFor(bench.loop().run(theProtocol.release(bench.contender(), grant)));
}

} // namespace

class TestRwTwoKeysCounted : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aReaderIsOnlyCounted();
    void aWriterLeavesItsToken();
    void everyWriteHasATokenOfItsOwn();
    void theLeaseCountsFromBeforeTheRequest();
    void theAnswerDecides_data();
    void theAnswerDecides();
    void aReaderIsCountedOff_data();
    void aReaderIsCountedOff();
    void aWriterComparesItsToken_data();
    void aWriterComparesItsToken();
};

void TestRwTwoKeysCounted::aReaderIsOnlyCounted()
{
    ContenderBench bench(answering({{"EVALSHA", number(1)}}));
    const auto outcome = attempt(bench, Mode::Read);
    QCOMPARE(takeGrant(outcome).token, Bytes());
    QCOMPARE(bench.store().asked(), std::vector<std::string>{calling(scripts::kRwTwoKeysCountedRead,
                                                                     "2 k:read k:write 10000")});
}

void TestRwTwoKeysCounted::aWriterLeavesItsToken()
{
    for (const Mode mode : {Mode::Write, Mode::Exclusive}) {
        ContenderBench bench(answering({{"EVALSHA", number(1)}}));
        const Grant grant = takeGrant(attempt(bench, mode));
        QCOMPARE(bench.store().asked(),
                 std::vector<std::string>{calling(scripts::kRwTwoKeysCountedWrite,
                                                  "2 k:read k:write " + grant.token + " 10000")});
    }
}

void TestRwTwoKeysCounted::everyWriteHasATokenOfItsOwn()
{
    ContenderBench bench(answering({{"EVALSHA", number(1)}}));
    const Grant first = takeGrant(attempt(bench, Mode::Write));
    QCOMPARE_NE(takeGrant(attempt(bench, Mode::Write)).token, first.token);
}

void TestRwTwoKeysCounted::theLeaseCountsFromBeforeTheRequest()
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

void TestRwTwoKeysCounted::theAnswerDecides_data()
{
    addAnswers({{"free", number(1), "granted"}, {"held", number(0), "refused"}});
}

void TestRwTwoKeysCounted::theAnswerDecides()
{
    QFETCH(const Outcome, answer);
    QFETCH(const std::string, word);
    for (const Mode mode : {Mode::Read, Mode::Write}) {
        ContenderBench bench(answering({{"EVALSHA", answer}}));
        QCOMPARE(wordFor(attempt(bench, mode)), word);
    }
}

void TestRwTwoKeysCounted::aReaderIsCountedOff_data()
{
    addAnswers({{"the last one", number(0), "released"},
                {"others read on", number(2), "released"},
                {"there was none", number(-1), "gone"}});
}

void TestRwTwoKeysCounted::aReaderIsCountedOff()
{
    QFETCH(const Outcome, answer);
    QFETCH(const std::string, word);
    ContenderBench bench(answering({{"EVALSHA", answer}}));
    QCOMPARE(release(bench, Mode::Read), word);
    QCOMPARE(bench.store().asked(),
             std::vector<std::string>{calling(scripts::kRwTwoKeysCountedReadUnlock, "1 k:read")});
}

void TestRwTwoKeysCounted::aWriterComparesItsToken_data()
{
    addAnswers({{"ours", number(1), "released"},
                {"another's", number(0), "another's"},
                {"gone", number(-1), "gone"}});
}

void TestRwTwoKeysCounted::aWriterComparesItsToken()
{
    QFETCH(const Outcome, answer);
    QFETCH(const std::string, word);
    ContenderBench bench(answering({{"EVALSHA", answer}}));
    QCOMPARE(release(bench, Mode::Write), word);
    QCOMPARE(bench.store().asked(),
             std::vector<std::string>{calling(scripts::kDeleteIfEqual, "1 k:write token")});
}

LOCKSCOPE_TEST(TestRwTwoKeysCounted, Core)

} // namespace lockscope::tst_rw_two_keys_counted

#include "tst_rw_two_keys_counted.moc"
