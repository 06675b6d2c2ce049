#include "core/kernel/protocol/builtin/builtin.h"
#include "protocol_scripts.h"
#include "tests/kernel/protocol/builtin/answer_rows.h"
#include "tests/kernel/text_in_failures.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace lockscope::tst_fenced_token {

using namespace lockscope::protocol;
using namespace lockscope::testing;
using namespace std::chrono_literals;
using store::Outcome;

namespace {

const LockProtocol& theProtocol = builtin::fencedToken();

Grant someGrant(ContenderBench& bench)
{
    Grant grant;
    grant.request = bench.request();
    grant.token = "token";
    return grant;
}

} // namespace

class TestFencedToken : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theNumberIsDrawnInTheStepThatTakesTheLock();
    void theAnswersOfATry_data();
    void theAnswersOfATry();
    void aRefusalTellsHowLongTheOtherHoldLasts();
    void everyTryHasATokenOfItsOwn();
    void theReleaseLeavesTheCounterAlone();
    void theRenewalLeavesTheCounterAlone();
};

void TestFencedToken::theNumberIsDrawnInTheStepThatTakesTheLock()
{
    ContenderBench bench(answering({{"EVALSHA", numbers({1, 34})}}));
    const auto outcome = attempt(bench, theProtocol);
    const Grant& grant = takeGrant(outcome);
    QCOMPARE(grant.fence, std::optional(std::int64_t{34}));
    QCOMPARE(grant.trustedUntil, std::optional(bench.loop().now() + 10s));
    QCOMPARE(bench.store().asked(),
             std::vector<std::string>{
                 calling(scripts::kFencedToken, "2 k {k}:fence " + grant.token + " 10000")});
}

void TestFencedToken::theAnswersOfATry_data()
{
    addAnswers({{"taken", numbers({1, 34}), "granted"},
                {"taken without a number", numbers({1}), "uncertain"},
                {"held", numbers({0, 400}), "refused"}});
}

void TestFencedToken::theAnswersOfATry()
{
    QFETCH(const Outcome, answer);
    QFETCH(const std::string, word);
    ContenderBench bench(answering({{"EVALSHA", answer}}));
    const auto outcome = attempt(bench, theProtocol);
    QCOMPARE(wordFor(outcome), word);
}

void TestFencedToken::aRefusalTellsHowLongTheOtherHoldLasts()
{
    ContenderBench bench(answering({{"EVALSHA", numbers({0, 400})}}));
    const auto outcome = attempt(bench, theProtocol);
    QCOMPARE(std::get<Refused>(outcome).remaining, std::optional<Duration>(400ms));
}

void TestFencedToken::everyTryHasATokenOfItsOwn()
{
    ContenderBench bench(answering({{"EVALSHA", numbers({0, 10})}}));
    for (int i = 0; i < 2; ++i) {
        attempt(bench, theProtocol);
    }
    QCOMPARE_NE(bench.store().asked().at(1), bench.store().asked().at(0));
}

void TestFencedToken::theReleaseLeavesTheCounterAlone()
{
    ContenderBench bench(answering({{"EVALSHA", number(1)}}));
    const auto outcome = release(bench, theProtocol, someGrant(bench));
    QCOMPARE(wordFor(outcome), "released");
    QCOMPARE(bench.store().asked(),
             std::vector<std::string>{calling(scripts::kDeleteIfEqual, "1 k token")});
}

void TestFencedToken::theRenewalLeavesTheCounterAlone()
{
    ContenderBench bench(answering({{"EVALSHA", number(1)}}));
    const auto outcome = renew(bench, theProtocol, someGrant(bench));
    QCOMPARE(wordFor(outcome), "renewed");
    QCOMPARE(bench.store().asked(),
             std::vector<std::string>{calling(scripts::kExpireIfEqual, "1 k token 10000")});
}

LOCKSCOPE_TEST(TestFencedToken, Core)

} // namespace lockscope::tst_fenced_token

#include "tst_fenced_token.moc"
