#include "core/kernel/protocol/own_lock.h"
#include "core/kernel/protocol/own_step.h"
#include "tests/kernel/protocol/builtin/answer_rows.h"
#include "tests/kernel/text_in_failures.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace lockscope::tst_own_lock {

using namespace lockscope::protocol;
using namespace lockscope::testing;
using namespace std::chrono_literals;
using store::Outcome;
using store::Reply;

namespace {

Word wordFrom(std::string_view text)
{
    return std::get<Word>(readWord(text));
}

AnswerRule rule(Meaning meaning, std::optional<AnswerValue> value)
{
    return {meaning, std::move(value)};
}

OwnStep stepOf(std::string script, std::vector<AnswerRule> answers)
{
    OwnStep step;
    step.script = std::move(script);
    step.keys.push_back(wordFrom("{key}"));
    step.arguments.push_back(wordFrom("{token}"));
    step.answers = std::move(answers);
    return step;
}

OwnLockPlan thePlan()
{
    OwnLockPlan plan;
    plan.acquire = stepOf("A", {rule(Meaning::Granted, Bytes("OK")),
                                rule(Meaning::Granted, std::int64_t{1}),
                                rule(Meaning::Refused, AnswerValue()),
                                rule(Meaning::Refused, std::int64_t{0})});
    plan.renew = stepOf("R", {rule(Meaning::Renewed, std::int64_t{1}),
                              rule(Meaning::OtherOwner, std::int64_t{0}),
                              rule(Meaning::Gone, AnswerValue())});
    plan.release = stepOf("U", {rule(Meaning::Released, std::int64_t{0}),
                                rule(Meaning::OtherOwner, std::int64_t{-2}),
                                rule(Meaning::Gone, std::int64_t{-1}),
                                rule(Meaning::StillHeld, std::nullopt)});
    plan.remainingMsAt = 1;
    plan.holdsAt = 1;
    plan.fenceAt = 2;
    plan.holdsLeftAt = 0;
    return plan;
}

Grant someGrant(ContenderBench& bench)
{
    Grant grant;
    grant.request = bench.request();
    grant.token = "token";
    return grant;
}

} // namespace

class TestOwnLock : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theBlanksAreFilledIn_data();
    void theBlanksAreFilledIn();
    void theAnswersOfATry_data();
    void theAnswersOfATry();
    void anAnswerMayTellMore();
    void aNumberMayComeAsText();
    void aRefusalMayTellTheTimeLeft();
    void everyTryHasATokenOfItsOwn();
    void theLeaseCountsFromBeforeTheRequest();
    void aLockWithoutExpiryIsTrustedForEver();
    void theAnswersOfARenewal_data();
    void theAnswersOfARenewal();
    void withoutTheStepNothingIsRenewed();
    void theAnswersOfARelease_data();
    void theAnswersOfARelease();
    void aCheckComesBeforeTheRelease_data();
    void aCheckComesBeforeTheRelease();
    void aCheckComesBeforeTheAcquisition_data();
    void aCheckComesBeforeTheAcquisition();
    void aCheckComesBeforeTheRenewal_data();
    void aCheckComesBeforeTheRenewal();
    void aRefusedClientListens();
    void withoutAChannelItPolls();
};

void TestOwnLock::theBlanksAreFilledIn_data()
{
    QTest::addColumn<std::string>("word");
    QTest::addColumn<std::string>("filled");
    const auto add = [](const char* word, const std::string& filled) {
        QTest::newRow(word) << std::string(word) << filled;
    };
    add("plain", "plain");
    add("{key}", "k");
    add("{token}", "token");
    add("{leaseMs}", "10000");
    add("{clientId}", "5f0c9a41-77aa-4c1e-9f00-1b2c3d4e5f60:63");
    add("{count}", "3");
    add("{holds}", "2");
    add("{key}:{count}/x", "k:3/x");
    add("{{{key}}}:fence", "{k}:fence");
    add("{{key}}", "{key}");
    const WallTime now = std::chrono::sys_days(std::chrono::November / 19 / 2026) + 12h;
    add("{nowMs}", std::to_string(toEpochMs(now)));
}

void TestOwnLock::theBlanksAreFilledIn()
{
    QFETCH(const std::string, word);
    QFETCH(const std::string, filled);
    ContenderBench bench(answering({{"EVAL", number(1)}}));
    OwnStep step = stepOf("S", {});
    step.arguments = {wordFrom(word)};
    Grant grant = someGrant(bench);
    grant.request.permits = 3;
    grant.holds = 2;
    bench.loop().run(runOwnStep(bench.contender(), step, grant));
    QCOMPARE(bench.store().asked(), std::vector<std::string>{"EVAL S 1 k " + filled});
}

void TestOwnLock::theAnswersOfATry_data()
{
    addAnswers({{"OK", Outcome(Reply::ofStatus("OK")), "granted"},
                {"OK in bulk", Outcome(Reply::ofBulk("OK")), "granted"},
                {"1", number(1), "granted"},
                {"a list that begins with 1", numbers({1, 1}), "granted"},
                {"nil", Outcome(Reply()), "refused"},
                {"0", number(0), "refused"},
                {"a list that begins with 0", numbers({0, 99}), "refused"},
                {"another number", number(2), "uncertain"},
                {"an empty list", numbers({}), "uncertain"}});
}

void TestOwnLock::theAnswersOfATry()
{
    QFETCH(const Outcome, answer);
    QFETCH(const std::string, word);
    const OwnLock lock(thePlan());
    ContenderBench bench(answering({{"EVAL A", answer}}));
    const auto outcome = attempt(bench, lock);
    QCOMPARE(wordFor(outcome), word);
}

void TestOwnLock::anAnswerMayTellMore()
{
    const OwnLock lock(thePlan());
    ContenderBench bench(answering({{"EVAL A", numbers({1, 2, 34})}}));
    const auto outcome = attempt(bench, lock);
    QCOMPARE(takeGrant(outcome).holds, 2);
    QCOMPARE(takeGrant(outcome).fence, std::optional(std::int64_t{34}));
}

void TestOwnLock::aNumberMayComeAsText()
{
    QCOMPARE(numberAt(Reply::ofBulk("34"), 0), std::optional(std::int64_t{34}));
    QVERIFY(!numberAt(Reply::ofBulk("34 or so"), 0));
    QVERIFY(!numberAt(Reply::ofInteger(34), 1));
    QVERIFY(!numberAt(Reply::ofInteger(34), std::nullopt));
    QVERIFY(!numberAt(Reply(), 0));
}

void TestOwnLock::aRefusalMayTellTheTimeLeft()
{
    const OwnLock lock(thePlan());
    ContenderBench bench(answering({{"EVAL A", numbers({0, 1500})}}));
    const auto outcome = attempt(bench, lock);
    QCOMPARE(std::get<Refused>(outcome).remaining, std::optional<Duration>(1500ms));

    ContenderBench endless(answering({{"EVAL A", numbers({0, -1})}}));
    const auto other = endless.loop().run(lock.attempt(endless.contender(), endless.request()));
    QVERIFY(!std::get<Refused>(other).remaining);
}

void TestOwnLock::everyTryHasATokenOfItsOwn()
{
    const OwnLock lock(thePlan());
    ContenderBench bench(answering({{"EVAL A", number(0)}}));
    for (int i = 0; i < 2; ++i) {
        attempt(bench, lock);
    }
    QCOMPARE_NE(bench.store().asked().at(1), bench.store().asked().at(0));
}

void TestOwnLock::theLeaseCountsFromBeforeTheRequest()
{
    const OwnLock lock(thePlan());
    ContenderBench bench(answering({{"EVAL A", number(1)}}));
    const Instant sentAt = bench.loop().now();
    bench.store().hold();
    const auto task = bench.loop().start(lock.attempt(bench.contender(), bench.request()));
    bench.loop().advance(3s);
    bench.store().answerAll();
    bench.loop().settle();
    QCOMPARE(takeGrant(task.result()).trustedUntil, std::optional(sentAt + 10s));
    QCOMPARE(takeGrant(task.result()).grantedAt, sentAt + 3s);
}

void TestOwnLock::aLockWithoutExpiryIsTrustedForEver()
{
    OwnLockPlan plan = thePlan();
    plan.info.hasExpiry = false;
    const OwnLock lock(plan);
    ContenderBench bench(answering({{"EVAL", number(1)}}));
    const auto outcome = attempt(bench, lock);
    QVERIFY(!takeGrant(outcome).trustedUntil);
    const auto renewed = renew(bench, lock, someGrant(bench));
    QVERIFY(!std::get<Renewed>(renewed).trustedUntil);
}

void TestOwnLock::theAnswersOfARenewal_data()
{
    addAnswers({{"ours", number(1), "renewed"},
                {"another's", number(0), "another's"},
                {"gone", Outcome(Reply()), "gone"},
                {"another number", number(9), "uncertain"}});
}

void TestOwnLock::theAnswersOfARenewal()
{
    QFETCH(const Outcome, answer);
    QFETCH(const std::string, word);
    const OwnLock lock(thePlan());
    ContenderBench bench(answering({{"EVAL R 1 k token", answer}}));
    bench.loop().advance(4s);
    const auto outcome = renew(bench, lock, someGrant(bench));
    QCOMPARE(wordFor(outcome), word);
    if (const auto* const renewed = std::get_if<Renewed>(&outcome)) {
        QCOMPARE(renewed->trustedUntil, std::optional(bench.loop().now() + 10s));
    }
}

void TestOwnLock::withoutTheStepNothingIsRenewed()
{
    OwnLockPlan plan = thePlan();
    plan.renew.reset();
    const OwnLock lock(plan);
    ContenderBench bench(answering({}));
    const auto outcome = renew(bench, lock, someGrant(bench));
    QCOMPARE(wordFor(outcome), "unavailable");
    QVERIFY(bench.store().asked().empty());
}

void TestOwnLock::theAnswersOfARelease_data()
{
    QTest::addColumn<Outcome>("answer");
    QTest::addColumn<std::string>("word");
    QTest::newRow("ours") << number(0) << std::string("released");
    QTest::newRow("another's") << number(-2) << std::string("another's");
    QTest::newRow("gone") << number(-1) << std::string("gone");
    QTest::newRow("whatever else") << number(2) << std::string("released, 2 left");
    QTest::newRow("no number") << Outcome(Reply::ofBulk("?")) << std::string("released, 1 left");
    QTest::newRow("no answer") << lostReply() << std::string("uncertain");
    QTest::newRow("not sent") << notSent() << std::string("unavailable");
    QTest::newRow("an error") << serverError() << std::string("unavailable");
}

void TestOwnLock::theAnswersOfARelease()
{
    QFETCH(const Outcome, answer);
    QFETCH(const std::string, word);
    const OwnLock lock(thePlan());
    ContenderBench bench(answering({{"EVAL U 1 k token", answer}}));
    const auto outcome = release(bench, lock, someGrant(bench));
    QCOMPARE(wordFor(outcome), word);
}

void TestOwnLock::aCheckComesBeforeTheRelease_data()
{
    QTest::addColumn<Outcome>("answer");
    QTest::addColumn<std::string>("word");
    QTest::addColumn<int>("requestCount");
    QTest::newRow("passed") << number(1) << std::string("released") << 2;
    QTest::newRow("another's") << number(0) << std::string("another's") << 1;
    QTest::newRow("gone") << number(-1) << std::string("gone") << 1;
    QTest::newRow("what nobody knows") << number(7) << std::string("unavailable") << 1;
    QTest::newRow("no answer") << lostReply() << std::string("uncertain") << 1;
}

void TestOwnLock::aCheckComesBeforeTheRelease()
{
    QFETCH(const Outcome, answer);
    QFETCH(const std::string, word);
    QFETCH(const int, requestCount);
    OwnLockPlan plan = thePlan();
    plan.releaseCheck = stepOf("C", {rule(Meaning::Passed, std::int64_t{1}),
                                     rule(Meaning::OtherOwner, std::int64_t{0}),
                                     rule(Meaning::Gone, std::int64_t{-1})});
    const OwnLock lock(std::move(plan));
    ContenderBench bench(answering({{"EVAL C 1 k token", answer}, {"EVAL U", number(0)}}));
    const auto outcome = release(bench, lock, someGrant(bench));
    QCOMPARE(wordFor(outcome), word);
    QCOMPARE(bench.store().asked().size(), std::size_t(requestCount));
}

void TestOwnLock::aCheckComesBeforeTheAcquisition_data()
{
    QTest::addColumn<Outcome>("answer");
    QTest::addColumn<std::string>("word");
    QTest::addColumn<int>("requestCount");
    QTest::newRow("passed") << number(1) << std::string("granted") << 2;
    QTest::newRow("refused") << number(0) << std::string("refused") << 1;
    QTest::newRow("what nobody knows") << number(7) << std::string("uncertain") << 1;
    QTest::newRow("no answer") << lostReply() << std::string("uncertain") << 1;
    QTest::newRow("not sent") << notSent() << std::string("unavailable") << 1;
}

void TestOwnLock::aCheckComesBeforeTheAcquisition()
{
    QFETCH(const Outcome, answer);
    QFETCH(const std::string, word);
    QFETCH(const int, requestCount);
    OwnLockPlan plan = thePlan();
    plan.acquireCheck = stepOf("C", {rule(Meaning::Passed, std::int64_t{1}),
                                     rule(Meaning::Refused, std::int64_t{0})});
    const OwnLock lock(std::move(plan));
    ContenderBench bench(answering({{"EVAL C 1 k", answer}, {"EVAL A", number(1)}}));
    const auto outcome = attempt(bench, lock);
    QCOMPARE(wordFor(outcome), word);
    QCOMPARE(bench.store().asked().size(), std::size_t(requestCount));
}

void TestOwnLock::aCheckComesBeforeTheRenewal_data()
{
    QTest::addColumn<Outcome>("answer");
    QTest::addColumn<std::string>("word");
    QTest::addColumn<int>("requestCount");
    QTest::newRow("passed") << number(1) << std::string("renewed") << 2;
    QTest::newRow("another's") << number(0) << std::string("another's") << 1;
    QTest::newRow("gone") << Outcome(Reply()) << std::string("gone") << 1;
    QTest::newRow("what nobody knows") << number(7) << std::string("unavailable") << 1;
    QTest::newRow("no answer") << lostReply() << std::string("uncertain") << 1;
}

void TestOwnLock::aCheckComesBeforeTheRenewal()
{
    QFETCH(const Outcome, answer);
    QFETCH(const std::string, word);
    QFETCH(const int, requestCount);
    OwnLockPlan plan = thePlan();
    plan.renewCheck = stepOf("C", {rule(Meaning::Passed, std::int64_t{1}),
                                   rule(Meaning::OtherOwner, std::int64_t{0}),
                                   rule(Meaning::Gone, AnswerValue())});
    const OwnLock lock(std::move(plan));
    ContenderBench bench(answering({{"EVAL C 1 k token", answer}, {"EVAL R", number(1)}}));
    const auto outcome = renew(bench, lock, someGrant(bench));
    QCOMPARE(wordFor(outcome), word);
    QCOMPARE(bench.store().asked().size(), std::size_t(requestCount));
}

/// It tries once, listens, tries once more because the release may have been in between, and again
/// with the message.
void TestOwnLock::aRefusedClientListens()
{
    OwnLockPlan plan = thePlan();
    plan.wakeUpChannel = wordFrom("{key}:free");
    const OwnLock lock(std::move(plan));
    ContenderBench bench(answering({{"EVAL A", numbers({0, 9000})}}));
    LockRequest request = bench.request();
    request.waitLimit = 1min;
    const auto task = bench.loop().start(lock.acquire(bench.contender(), request));
    QCOMPARE(bench.store().asked().size(), std::size_t(2));
    QCOMPARE(bench.channels().listened(), std::vector<Bytes>{"k:free"});
    bench.loop().advance(3s);
    QCOMPARE(bench.store().asked().size(), std::size_t(2));
    bench.channels().publish("k:free", "1");
    bench.loop().settle();
    QCOMPARE(bench.store().asked().size(), std::size_t(3));
    bench.loop().advance(9s); // the hold in the way would be over
    QCOMPARE(bench.store().asked().size(), std::size_t(4));
}

void TestOwnLock::withoutAChannelItPolls()
{
    const OwnLock lock(thePlan());
    ContenderBench bench(answering({{"EVAL A", numbers({0, 9000})}}));
    LockRequest request = bench.request();
    request.waitLimit = 1min;
    const auto task = bench.loop().start(lock.acquire(bench.contender(), request));
    QVERIFY(bench.channels().listened().empty());
    QCOMPARE(bench.store().asked().size(), std::size_t(1));
    bench.loop().advance(request.retry.interval);
    QCOMPARE(bench.store().asked().size(), std::size_t(2));
}

LOCKSCOPE_TEST(TestOwnLock, Core)

} // namespace lockscope::tst_own_lock

#include "tst_own_lock.moc"
