#include "core/kernel/protocol/builtin/token_steps.h"
#include "protocol_scripts.h"
#include "tests/kernel/protocol/builtin/outcome_words.h"
#include "tests/kernel/text_in_failures.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace lockscope::tst_token_steps {

using namespace lockscope::protocol;
using namespace lockscope::testing;
using namespace std::chrono_literals;
using namespace std::string_literals;
using store::Outcome;

namespace {

constexpr std::size_t kServerCount = 2;
constexpr std::size_t kSecond = 1;

/// Of two servers the second one is meant.
class TokenBench : public ContenderBench {
public:
    explicit TokenBench(const Outcome& answer)
        : ContenderBench(answering({{"*", answer}}), kServerCount)
    {}

    const store::Node& node() { return contender().nodes()[kSecond]; }
    Grant grant() const
    {
        Grant grant;
        grant.request = request();
        grant.token = "mine";
        return grant;
    }
    /// Everything that was asked, of whichever server.
    std::vector<std::string> asked()
    {
        std::vector<std::string> all = store(0).asked();
        const std::vector<std::string>& second = store(kSecond).asked();
        all.insert(all.end(), second.begin(), second.end());
        return all;
    }
};

std::string evalsha(store::Script script, const std::string& rest)
{
    return "EVALSHA " + std::string(script.digest) + " 1 " + rest;
}

void addComparisons(const char* word)
{
    QTest::addColumn<Outcome>("answer");
    QTest::addColumn<std::string>("word");
    QTest::newRow("1") << number(1) << std::string(word);
    QTest::newRow("0") << number(0) << "another's"s;
    QTest::newRow("-1") << number(-1) << "gone"s;
    QTest::newRow("no answer") << lostReply() << "uncertain"s;
    QTest::newRow("not sent") << notSent() << "unavailable"s;
    QTest::newRow("error") << serverError() << "unavailable"s;
    QTest::newRow("nonsense") << nonsense() << "uncertain"s;
    QTest::newRow("another number") << number(2) << "uncertain"s;
}

} // namespace

class TestTokenSteps : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theTokenIsSetUnlessThereIsAValue_data();
    void theTokenIsSetUnlessThereIsAValue();
    void theLeaseBeginsAnewOnlyForTheToken_data();
    void theLeaseBeginsAnewOnlyForTheToken();
    void onlyTheTokenIsDeleted_data();
    void onlyTheTokenIsDeleted();
    void aRenewedLeaseCountsFromTheSending();
};

void TestTokenSteps::theTokenIsSetUnlessThereIsAValue_data()
{
    QTest::addColumn<Outcome>("answer");
    QTest::addColumn<std::string>("word");
    QTest::newRow("OK") << ok() << "granted"s;
    QTest::newRow("nil") << nil() << "refused"s;
    QTest::newRow("no answer") << lostReply() << "uncertain"s;
    QTest::newRow("not sent") << notSent() << "unavailable"s;
    QTest::newRow("error") << serverError() << "unavailable"s;
    QTest::newRow("nonsense") << nonsense() << "uncertain"s;
}

void TestTokenSteps::theTokenIsSetUnlessThereIsAValue()
{
    QFETCH(const Outcome, answer);
    TokenBench bench(answer);
    const AcquireOutcome outcome = bench.loop().run(
        builtin::takeWithToken(bench.contender(), bench.node(), bench.request(), "mine"));
    QTEST(wordFor(outcome), "word");
    QCOMPARE(bench.asked(), std::vector<std::string>{"SET k mine NX PX 10000"});
}

void TestTokenSteps::theLeaseBeginsAnewOnlyForTheToken_data()
{
    addComparisons("renewed");
}

void TestTokenSteps::theLeaseBeginsAnewOnlyForTheToken()
{
    QFETCH(const Outcome, answer);
    TokenBench bench(answer);
    const RenewOutcome outcome =
        bench.loop().run(builtin::renewWithToken(bench.contender(), bench.node(), bench.grant()));
    QTEST(wordFor(outcome), "word");
    QCOMPARE(bench.asked(),
             std::vector<std::string>{evalsha(scripts::kExpireIfEqual, "k mine 10000")});
}

void TestTokenSteps::onlyTheTokenIsDeleted_data()
{
    addComparisons("released");
}

void TestTokenSteps::onlyTheTokenIsDeleted()
{
    QFETCH(const Outcome, answer);
    TokenBench bench(answer);
    const ReleaseOutcome outcome = bench.loop().run(builtin::releaseWithToken(bench.node(),
                                                                              bench.grant()));
    QTEST(wordFor(outcome), "word");
    QCOMPARE(bench.asked(), std::vector<std::string>{evalsha(scripts::kDeleteIfEqual, "k mine")});
}

void TestTokenSteps::aRenewedLeaseCountsFromTheSending()
{
    TokenBench bench(number(1));
    bench.store(kSecond).hold();
    const Instant sentAt = bench.loop().now();
    const auto task = bench.loop().start(builtin::renewWithToken(bench.contender(), bench.node(),
                                                                 bench.grant()));
    bench.loop().advance(3s);
    bench.store(kSecond).answerAll();
    bench.loop().settle();
    QCOMPARE(std::get<Renewed>(task.result()).trustedUntil, std::optional(sentAt + 10s));
}

LOCKSCOPE_TEST(TestTokenSteps, Core)

} // namespace lockscope::tst_token_steps

#include "tst_token_steps.moc"
