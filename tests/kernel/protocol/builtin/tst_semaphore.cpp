#include "core/kernel/protocol/builtin/builtin.h"
#include "protocol_scripts.h"
#include "tests/kernel/protocol/builtin/answer_rows.h"
#include "tests/kernel/text_in_failures.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace lockscope::tst_semaphore {

using namespace lockscope::protocol;
using namespace lockscope::testing;
using namespace std::chrono_literals;
using store::Outcome;

namespace {

const LockProtocol& theProtocol = builtin::semaphore();

LockRequest requestOf(ContenderBench& bench, int permits)
{
    LockRequest request = bench.request();
    request.permits = permits;
    return request;
}

Grant someGrant(ContenderBench& bench)
{
    Grant grant;
    grant.request = bench.request();
    grant.token = "token";
    return grant;
}

} // namespace

class TestSemaphore : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theRequestSaysHowManyPermitsThereAre();
    void everyTryHasATokenOfItsOwn();
    void theAnswersOfATry_data();
    void theAnswersOfATry();
    void aRefusalTellsWhenAPermitComesBack();
    void whoIsRefusedTriesAgain();
    void theAnswersOfARenewal_data();
    void theAnswersOfARenewal();
    void theAnswersOfARelease_data();
    void theAnswersOfARelease();
};

void TestSemaphore::theRequestSaysHowManyPermitsThereAre()
{
    ContenderBench bench(answering({{"EVALSHA", numbers({1})}}));
    const auto outcome = attempt(bench, theProtocol, requestOf(bench, 3));
    const Grant& grant = takeGrant(outcome);
    QCOMPARE(bench.store().asked(),
             std::vector<std::string>{
                 calling(scripts::kSemaphoreAcquire, "1 k " + grant.token + " 10000 3")});
    QCOMPARE(grant.trustedUntil, std::optional(bench.loop().now() + 10s));
    QVERIFY(!grant.fence);
}

void TestSemaphore::everyTryHasATokenOfItsOwn()
{
    ContenderBench bench(answering({{"EVALSHA", numbers({0, 10})}}));
    for (int i = 0; i < 2; ++i) {
        attempt(bench, theProtocol);
    }
    QCOMPARE_NE(bench.store().asked().at(1), bench.store().asked().at(0));
}

void TestSemaphore::theAnswersOfATry_data()
{
    addAnswers({{"a permit is left", numbers({1}), "granted"},
                {"all are out", numbers({0, 400}), "refused"},
                {"another number", numbers({2}), "uncertain"},
                {"an empty list", numbers({}), "uncertain"}});
}

void TestSemaphore::theAnswersOfATry()
{
    QFETCH(const Outcome, answer);
    QFETCH(const std::string, word);
    ContenderBench bench(answering({{"EVALSHA", answer}}));
    const auto outcome = attempt(bench, theProtocol);
    QCOMPARE(wordFor(outcome), word);
}

void TestSemaphore::aRefusalTellsWhenAPermitComesBack()
{
    ContenderBench bench(answering({{"EVALSHA", numbers({0, 400})}}));
    const auto outcome = attempt(bench, theProtocol);
    QCOMPARE(std::get<Refused>(outcome).remaining, std::optional<Duration>(400ms));
}

void TestSemaphore::whoIsRefusedTriesAgain()
{
    int tries = 0;
    ContenderBench bench([&tries](const store::Command&) {
        return ++tries < 3 ? numbers({0, 5000}) : numbers({1});
    });
    LockRequest request = bench.request();
    request.waitLimit = 1min;
    const auto task = bench.loop().start(theProtocol.acquire(bench.contender(), request));
    bench.loop().advance(2 * request.retry.interval);
    QCOMPARE(wordFor(task.result()), "granted");
    QCOMPARE(takeGrant(task.result()).tries, 3);
}

void TestSemaphore::theAnswersOfARenewal_data()
{
    addAnswers({{"ours", number(1), "renewed"},
                {"run out", number(-1), "gone"},
                {"another number", number(0), "uncertain"}});
}

void TestSemaphore::theAnswersOfARenewal()
{
    QFETCH(const Outcome, answer);
    QFETCH(const std::string, word);
    ContenderBench bench(answering({{"EVALSHA", answer}}));
    bench.loop().advance(4s);
    const auto outcome = renew(bench, theProtocol, someGrant(bench));
    QCOMPARE(wordFor(outcome), word);
    QCOMPARE(bench.store().asked(),
             std::vector<std::string>{calling(scripts::kSemaphoreRenew, "1 k token 10000")});
    if (const auto* const renewed = std::get_if<Renewed>(&outcome)) {
        QCOMPARE(renewed->trustedUntil, std::optional(bench.loop().now() + 10s));
    }
}

void TestSemaphore::theAnswersOfARelease_data()
{
    addAnswers({{"ours", number(1), "released"},
                {"run out", number(-1), "gone"},
                {"another number", number(0), "uncertain"}});
}

void TestSemaphore::theAnswersOfARelease()
{
    QFETCH(const Outcome, answer);
    QFETCH(const std::string, word);
    ContenderBench bench(answering({{"EVALSHA", answer}}));
    const auto outcome = release(bench, theProtocol, someGrant(bench));
    QCOMPARE(wordFor(outcome), word);
    QCOMPARE(bench.store().asked(),
             std::vector<std::string>{calling(scripts::kSemaphoreRelease, "1 k token")});
}

LOCKSCOPE_TEST(TestSemaphore, Core)

} // namespace lockscope::tst_semaphore

#include "tst_semaphore.moc"
