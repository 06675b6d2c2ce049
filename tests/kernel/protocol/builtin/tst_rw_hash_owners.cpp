#include "core/kernel/protocol/attempts.h"
#include "core/kernel/protocol/builtin/builtin.h"
#include "protocol_scripts.h"
#include "tests/kernel/protocol/builtin/answer_rows.h"
#include "tests/kernel/text_in_failures.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace lockscope::tst_rw_hash_owners {

using namespace lockscope::protocol;
using namespace lockscope::testing;
using namespace std::chrono_literals;
using store::Outcome;

namespace {

const LockProtocol& theProtocol = builtin::rwHashOwners();

LockRequest requestFor(const ContenderBench& bench, Mode mode)
{
    LockRequest request = bench.request();
    request.mode = mode;
    return request;
}

AcquireOutcome attempt(ContenderBench& bench, LockRequest request)
{
    return bench.loop().run(theProtocol.attempt(bench.contender(), std::move(request)));
}

Grant grantOf(ContenderBench& bench)
{
    Grant grant;
    grant.request = bench.request();
    grant.token = "owner:token";
    return grant;
}

std::string lastWord(const std::string& command)
{
    return command.substr(command.rfind(' ') + 1);
}

} // namespace

class TestRwHashOwners : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyHoldIsAFieldOfItsOwn();
    void eachModeIsSaid();
    void theAnswerDecides_data();
    void theAnswerDecides();
    void aRefusalTellsHowLongItMayTake();
    void theLeaseCountsFromBeforeTheRequest();
    void readersQueueBehindWritersOnlyIfWanted();
    void aWriterIsAnnouncedForAsLongAsItComesBack_data();
    void aWriterIsAnnouncedForAsLongAsItComesBack();
    void aWriterThatGivesUpTakesItsAnnouncementBack();
    void aReaderThatGivesUpHasNothingToTakeBack();
    void theRenewalNamesTheHold_data();
    void theRenewalNamesTheHold();
    void theReleaseNamesTheHold_data();
    void theReleaseNamesTheHold();
};

void TestRwHashOwners::everyHoldIsAFieldOfItsOwn()
{
    ContenderBench bench(answering({{"EVALSHA", number(0)}}));
    const Bytes owner = bench.contender().identity().owner();
    const Grant first = takeGrant(attempt(bench, bench.request()));
    QVERIFY(first.token.starts_with(owner + ':'));
    QCOMPARE(bench.store().asked(),
             std::vector<std::string>{
                 calling(scripts::kRwHashOwnersLock,
                         "1 k write " + first.token + ' ' + owner + " 10000 0")});
    QCOMPARE_NE(takeGrant(attempt(bench, bench.request())).token, first.token);
}

void TestRwHashOwners::eachModeIsSaid()
{
    for (const auto& [mode, word] :
         {std::pair(Mode::Read, "read"), {Mode::Write, "write"}, {Mode::Exclusive, "write"}}) {
        ContenderBench bench(answering({{"EVALSHA", number(0)}}));
        attempt(bench, requestFor(bench, mode));
        QVERIFY(bench.store().asked().front().starts_with(
            calling(scripts::kRwHashOwnersLock, "1 k " + std::string(word) + ' ')));
    }
}

void TestRwHashOwners::theAnswerDecides_data()
{
    addAnswers({{"free", number(0), "granted"},
                {"held", number(4200), "refused"},
                {"a number that means nothing", number(-1), "uncertain"}});
}

void TestRwHashOwners::theAnswerDecides()
{
    QFETCH(const Outcome, answer);
    QFETCH(const std::string, word);
    ContenderBench bench(answering({{"EVALSHA", answer}}));
    QCOMPARE(wordFor(attempt(bench, bench.request())), word);
}

void TestRwHashOwners::aRefusalTellsHowLongItMayTake()
{
    ContenderBench bench(answering({{"EVALSHA", number(4200)}}));
    QCOMPARE(std::get<Refused>(attempt(bench, bench.request())).remaining,
             std::optional(Duration(4200ms)));
}

void TestRwHashOwners::theLeaseCountsFromBeforeTheRequest()
{
    ContenderBench bench(answering({{"EVALSHA", number(0)}}));
    const Instant sentAt = bench.loop().now();
    bench.store().hold();
    const auto task = bench.loop().start(theProtocol.attempt(bench.contender(), bench.request()));
    bench.loop().advance(3s);
    bench.store().answerAll();
    bench.loop().settle();
    QCOMPARE(takeGrant(task.result()).trustedUntil, std::optional(sentAt + 10s));
}

void TestRwHashOwners::readersQueueBehindWritersOnlyIfWanted()
{
    ContenderBench bench(answering({{"EVALSHA", number(0)}}));
    LockRequest request = requestFor(bench, Mode::Read);
    attempt(bench, request);
    QCOMPARE_NE(lastWord(bench.store().asked().back()), std::string("0"));
    request.areWritersPreferred = false;
    attempt(bench, request);
    QCOMPARE(lastWord(bench.store().asked().back()), std::string("0"));
}

void TestRwHashOwners::aWriterIsAnnouncedForAsLongAsItComesBack_data()
{
    QTest::addColumn<Retry>("retry");
    QTest::addColumn<Duration>("waitLimit");
    QTest::addColumn<bool>("areWritersPreferred");
    QTest::addColumn<std::string>("patienceMs");
    Retry fixed;
    fixed.interval = 200ms;
    fixed.jitter = 50ms;
    Retry growing = fixed;
    growing.kind = Retry::Kind::Exponential;
    growing.intervalMax = 2s;
    QTest::newRow("fixed") << fixed << Duration(5s) << true << std::string("750");
    QTest::newRow("growing") << growing << Duration(5s) << true << std::string("2550");
    QTest::newRow("one try") << fixed << Duration(0) << true << std::string("0");
    QTest::newRow("not wanted") << fixed << Duration(5s) << false << std::string("0");
}

void TestRwHashOwners::aWriterIsAnnouncedForAsLongAsItComesBack()
{
    QFETCH(const Retry, retry);
    QFETCH(const Duration, waitLimit);
    QFETCH(const bool, areWritersPreferred);
    QFETCH(const std::string, patienceMs);
    ContenderBench bench(answering({{"EVALSHA", number(4200)}}));
    LockRequest request = requestFor(bench, Mode::Write);
    request.retry = retry;
    request.waitLimit = waitLimit;
    request.areWritersPreferred = areWritersPreferred;
    attempt(bench, request);
    QCOMPARE(lastWord(bench.store().asked().back()), patienceMs);
}

void TestRwHashOwners::aWriterThatGivesUpTakesItsAnnouncementBack()
{
    ContenderBench bench(answering({{"EVALSHA", number(4200)}, {"HDEL", number(1)}}));
    LockRequest request = requestFor(bench, Mode::Write);
    request.waitLimit = 1s;
    const auto task = bench.loop().start(acquire(theProtocol, bench.contender(), request));
    bench.loop().advance(1s);
    QCOMPARE(wordFor(task.result()), std::string("refused"));
    QCOMPARE(bench.store().asked().back(), "HDEL k " + bench.contender().identity().owner());
    QCOMPARE(bench.store().askedCount("HDEL"), std::size_t{1});
}

void TestRwHashOwners::aReaderThatGivesUpHasNothingToTakeBack()
{
    ContenderBench bench(answering({{"EVALSHA", number(4200)}}));
    LockRequest request = requestFor(bench, Mode::Read);
    request.waitLimit = 1s;
    const auto task = bench.loop().start(acquire(theProtocol, bench.contender(), request));
    bench.loop().advance(1s);
    QCOMPARE(wordFor(task.result()), std::string("refused"));
    QCOMPARE(bench.store().askedCount("HDEL"), std::size_t{0});
}

void TestRwHashOwners::theRenewalNamesTheHold_data()
{
    addAnswers({{"ours", number(1), "renewed"},
                {"only others are there", number(0), "another's"},
                {"nothing there", number(-1), "gone"}});
}

void TestRwHashOwners::theRenewalNamesTheHold()
{
    QFETCH(const Outcome, answer);
    QFETCH(const std::string, word);
    ContenderBench bench(answering({{"EVALSHA", answer}}));
    const auto outcome = bench.loop().run(theProtocol.renew(bench.contender(), grantOf(bench)));
    QCOMPARE(wordFor(outcome), word);
    if (const auto* const renewed = std::get_if<Renewed>(&outcome)) {
        QCOMPARE(renewed->trustedUntil, std::optional(bench.loop().now() + 10s));
    }
    QCOMPARE(bench.store().asked(), std::vector<std::string>{calling(scripts::kRwHashOwnersRenew,
                                                                     "1 k owner:token 10000")});
}

void TestRwHashOwners::theReleaseNamesTheHold_data()
{
    addAnswers({{"ours", number(1), "released"},
                {"only others are there", number(0), "another's"},
                {"nothing there", number(-1), "gone"}});
}

void TestRwHashOwners::theReleaseNamesTheHold()
{
    QFETCH(const Outcome, answer);
    QFETCH(const std::string, word);
    ContenderBench bench(answering({{"EVALSHA", answer}}));
    const auto outcome = bench.loop().run(theProtocol.release(bench.contender(), grantOf(bench)));
    QCOMPARE(wordFor(outcome), word);
    QCOMPARE(bench.store().asked(),
             std::vector<std::string>{calling(scripts::kRwHashOwnersUnlock, "1 k owner:token")});
}

LOCKSCOPE_TEST(TestRwHashOwners, Core)

} // namespace lockscope::tst_rw_hash_owners

#include "tst_rw_hash_owners.moc"
