#include "core/kernel/protocol/builtin/builtin.h"
#include "protocol_scripts.h"
#include "tests/kernel/protocol/builtin/answer_rows.h"
#include "tests/kernel/text_in_failures.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace lockscope::tst_rw_two_keys {

using namespace lockscope::protocol;
using namespace lockscope::testing;
using namespace std::chrono_literals;
using store::Outcome;

namespace {

const LockProtocol& theProtocol = builtin::rwTwoKeys();

LockRequest requestFor(const ContenderBench& bench, Mode mode)
{
    LockRequest request = bench.request();
    request.mode = mode;
    return request;
}

} // namespace

class TestRwTwoKeys : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void eachSideLooksAtTheOtherFirst_data();
    void eachSideLooksAtTheOtherFirst();
    void theAnswerDecides_data();
    void theAnswerDecides();
    void theLeaseIsRoundedUpToSeconds();
    void everybodySetsTheSameFlag();
    void aReleaseDeletesTheFlagOfItsSide_data();
    void aReleaseDeletesTheFlagOfItsSide();
    void theReleaseSaysWhetherThereWasAFlag_data();
    void theReleaseSaysWhetherThereWasAFlag();
};

void TestRwTwoKeys::eachSideLooksAtTheOtherFirst_data()
{
    QTest::addColumn<Mode>("mode");
    QTest::addColumn<std::string>("asked");
    const std::string write = calling(scripts::kRwTwoKeysWrite, "2 k:read k:write 10");
    QTest::newRow("read") << Mode::Read << calling(scripts::kRwTwoKeysRead, "2 k:read k:write 10");
    QTest::newRow("write") << Mode::Write << write;
    QTest::newRow("exclusive") << Mode::Exclusive << write;
}

void TestRwTwoKeys::eachSideLooksAtTheOtherFirst()
{
    QFETCH(const Mode, mode);
    QFETCH(const std::string, asked);
    ContenderBench bench(answering({{"EVALSHA", number(1)}}));
    bench.loop().run(theProtocol.attempt(bench.contender(), requestFor(bench, mode)));
    QCOMPARE(bench.store().asked(), std::vector<std::string>{asked});
}

void TestRwTwoKeys::theAnswerDecides_data()
{
    addAnswers({{"free", number(1), "granted"}, {"held", number(0), "refused"}});
}

void TestRwTwoKeys::theAnswerDecides()
{
    QFETCH(const Outcome, answer);
    QFETCH(const std::string, word);
    for (const Mode mode : {Mode::Read, Mode::Write}) {
        ContenderBench bench(answering({{"EVALSHA", answer}}));
        QCOMPARE(wordFor(bench.loop().run(theProtocol.attempt(bench.contender(),
                                                              requestFor(bench, mode)))),
                 word);
    }
}

void TestRwTwoKeys::theLeaseIsRoundedUpToSeconds()
{
    ContenderBench bench(answering({{"EVALSHA", number(1)}}));
    LockRequest request = requestFor(bench, Mode::Read);
    request.lease = 1001ms;
    const Instant sentAt = bench.loop().now();
    const auto outcome = bench.loop().run(theProtocol.attempt(bench.contender(), request));
    QVERIFY(bench.store().asked().front().ends_with(" k:write 2"));
    QCOMPARE(takeGrant(outcome).trustedUntil, std::optional(sentAt + 1001ms));
}

void TestRwTwoKeys::everybodySetsTheSameFlag()
{
    ContenderBench bench(answering({{"EVALSHA", number(1)}}));
    const auto read = bench.loop().run(theProtocol.attempt(bench.contender(),
                                                           requestFor(bench, Mode::Read)));
    const auto write = bench.loop().run(theProtocol.attempt(bench.contender(),
                                                            requestFor(bench, Mode::Write)));
    QCOMPARE(takeGrant(read).token, Bytes("1"));
    QCOMPARE(takeGrant(write).token, Bytes("1"));
}

void TestRwTwoKeys::aReleaseDeletesTheFlagOfItsSide_data()
{
    QTest::addColumn<Mode>("mode");
    QTest::addColumn<std::string>("asked");
    QTest::newRow("read") << Mode::Read << std::string("DEL k:read");
    QTest::newRow("write") << Mode::Write << std::string("DEL k:write");
    QTest::newRow("exclusive") << Mode::Exclusive << std::string("DEL k:write");
}

void TestRwTwoKeys::aReleaseDeletesTheFlagOfItsSide()
{
    QFETCH(const Mode, mode);
    QFETCH(const std::string, asked);
    ContenderBench bench(answering({{"DEL", number(1)}}));
    Grant grant;
    grant.request = requestFor(bench, mode);
    bench.loop().run(theProtocol.release(bench.contender(), grant));
    QCOMPARE(bench.store().asked(), std::vector<std::string>{asked});
}

void TestRwTwoKeys::theReleaseSaysWhetherThereWasAFlag_data()
{
    addAnswers({{"there", number(1), "released"}, {"not there", number(0), "gone"}});
}

void TestRwTwoKeys::theReleaseSaysWhetherThereWasAFlag()
{
    QFETCH(const Outcome, answer);
    QFETCH(const std::string, word);
    ContenderBench bench(answering({{"DEL", answer}}));
    Grant grant;
    grant.request = requestFor(bench, Mode::Read);
    QCOMPARE(wordFor(bench.loop().run(theProtocol.release(bench.contender(), grant))), word);
}

LOCKSCOPE_TEST(TestRwTwoKeys, Core)

} // namespace lockscope::tst_rw_two_keys

#include "tst_rw_two_keys.moc"
