#include "core/kernel/report/release_call.h"
#include "core/kernel/report/wording.h"
#include "tests/kernel/text_in_failures.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace lockscope::tst_wording_of_releases {

using namespace lockscope::inspect;
using namespace lockscope::report;
using namespace std::string_literals;

class TestWordingOfReleases : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void whatIsGoneAndHowSureWeAreHaveWords();
    void theVotesThatAreLeftAreSaid_data();
    void theVotesThatAreLeftAreSaid();
    void aPlanIsOneSentence();
    void aTombstoneIsNoRelease();
    void aTombstoneHasItsPrice();
    void whatRunsOutInSilenceIsSaid();
    void whyNothingIsDoneWithoutTheMessageIsSaid();
    void whatIsStillHeldIsSaid();
    void oneOfACountIsSaid();
};

void TestWordingOfReleases::whatIsGoneAndHowSureWeAreHaveWords()
{
    QCOMPARE(report::confidenceText(inspect::Confidence::Low), std::string("low"));
    QCOMPARE(report::goneText(inspect::ChangeKind::Expired), std::string("expired"));
}

void TestWordingOfReleases::theVotesThatAreLeftAreSaid_data()
{
    QTest::addColumn<int>("held");
    QTest::addColumn<int>("total");
    QTest::addColumn<int>("unknown");
    QTest::addColumn<std::string>("sentence");
    QTest::newRow("others hold it")
        << 2 << 3 << 0 << "Released here; 2 of 3 servers still hold it."s;
    QTest::newRow("others are silent")
        << 0 << 3 << 1 << "1 of 3 servers could not be asked and may still hold it."s;
    QTest::newRow("none has it") << 0 << 3 << 0 << ""s;
    QTest::newRow("the only one") << 0 << 1 << 0
                                  << "This is about one server only: the lock may be held by votes "
                                     "on several servers, and no others were asked."s;
}

void TestWordingOfReleases::theVotesThatAreLeftAreSaid()
{
    QFETCH(const int, held);
    QFETCH(const int, total);
    QFETCH(const int, unknown);
    QFETCH(const std::string, sentence);
    ReleaseReport report;
    report.result = ReleaseResult::Released;
    QCOMPARE(votesSentence(report), std::string());
    report.votesLeft = Quorum{static_cast<std::uint16_t>(held), static_cast<std::uint16_t>(total),
                              static_cast<std::uint16_t>(unknown)};
    QCOMPARE(votesSentence(report), sentence);
    report.result = ReleaseResult::ChangedHands;
    QCOMPARE(votesSentence(report), std::string());
}

void TestWordingOfReleases::aPlanIsOneSentence()
{
    LockRecord record;
    record.id.name = "order:42";
    record.holders.resize(1);
    ReleasePlan plan;
    QCOMPARE(planSentence(plan), ""s);
    plan.lock = makeShared<const LockRecord>(record);
    plan.holders = record.holders;
    QCOMPARE(planSentence(plan), "Ends the hold of an unrecorded owner on order:42, but only if "
                                 "that hold is still there; otherwise nothing is done."s);
    plan.holders[0].owner = "5f0c:63";
    QVERIFY(planSentence(plan).starts_with("Ends the hold of 5f0c:63 on order:42, "));
    plan.action = ReleaseAction::Tombstone;
    plan.cap = std::chrono::seconds(31);
    QVERIFY(planSentence(plan).find("keeps the lock taken for 31.0 s") != std::string::npos);
    plan.action = ReleaseAction::CapTtl;
    QVERIFY(planSentence(plan).starts_with("Gives order:42, held by 5f0c:63, an expiry of 31.0 s"));
}

void TestWordingOfReleases::aTombstoneIsNoRelease()
{
    ReleaseReport report;
    report.result = ReleaseResult::Released;
    QCOMPARE(resultSentence(report, ReleaseAction::Tombstone),
             "Replaced by a tombstone. The lock stays taken until the tombstone expires."s);
}

void TestWordingOfReleases::aTombstoneHasItsPrice()
{
    ReleasePlan plan;
    plan.action = ReleaseAction::Tombstone;
    plan.cap = std::chrono::seconds(31);
    QCOMPARE(tombstonePriceSentence(plan),
             "The lock stays taken for another 31.0 s, for everyone; a holder that goes on trying "
             "may take it again after that."s);
}

void TestWordingOfReleases::whatRunsOutInSilenceIsSaid()
{
    ReleasePlan plan;
    plan.action = ReleaseAction::CapTtl;
    QCOMPARE(silentEndSentence(plan, Instant()), ""s); // its waiters ask again and again
    plan.recipe.sleep = ReleaseRecipe::Sleep::TimeLeft;
    QCOMPARE(silentEndSentence(plan, Instant()),
             "When the lock expires, nothing tells the waiters. A waiter that no wake-up reaches "
             "sleeps for ever: it saw a lock without expiry."s);
    plan.action = ReleaseAction::Tombstone;
    QVERIFY(silentEndSentence(plan, Instant()).starts_with("When the tombstone expires,"));
}

void TestWordingOfReleases::whyNothingIsDoneWithoutTheMessageIsSaid()
{
    LockRecord lock;
    lock.expiresAt = Instant(std::chrono::seconds(28));
    ReleasePlan plan;
    plan.lock = makeShared<const LockRecord>(lock);
    plan.recipe.sleep = ReleaseRecipe::Sleep::TimeLeft;
    ReleaseReport report;
    report.result = ReleaseResult::Refused;
    report.problem.rule = "~order";
    QCOMPARE(forbiddenWakeUpSentence(report, plan, Instant()), ""s);
    report.problem.rule = "&redisson_lock__channel:{order}";
    QCOMPARE(forbiddenWakeUpSentence(report, plan, Instant()),
             "A release without the message would leave the waiters asleep. A waiter that no "
             "wake-up reaches sleeps for the time left that it saw last, at most 28.0 s."s);
}

void TestWordingOfReleases::whatIsStillHeldIsSaid()
{
    LockRecord record;
    record.id = {0, "a"};
    record.setFormat("bsm-redislock");
    ReleasePlan plan;
    plan.lock = makeShared<const LockRecord>(record);
    ReleaseReport report;
    report.result = ReleaseResult::Released;
    QCOMPARE(stillHeldSentence(plan, report), ""s);
    report.stillHeld = {"b"};
    QCOMPARE(stillHeldSentence(plan, report),
             "Released here; the same owner still holds b. Once one of its locks is gone, this "
             "owner's next renewal and release fail for all of them."s);
    record.setFormat("redisson-lock");
    plan.lock = makeShared<const LockRecord>(record);
    plan.ownerScope = OwnerScope::Thread;
    QCOMPARE(stillHeldSentence(plan, report), "Released here; the same thread still holds b."s);
    report.result = ReleaseResult::ChangedHands;
    QCOMPARE(stillHeldSentence(plan, report), ""s);
}

void TestWordingOfReleases::oneOfACountIsSaid()
{
    LockRecord record;
    record.mode = Mode::Read;
    record.holders.resize(1);
    record.holders.front().holds = 3;
    ReleasePlan plan;
    plan.lock = makeShared<const LockRecord>(record);
    plan.holders = HolderChoice::oneHoldOf(0).of(record.holders);
    QVERIFY(plan.leavesOthers());
    QCOMPARE(endedSentence(plan),
             "Releases only one of 3 holds; this format does not distinguish them."s);
    plan.holders = record.holders;
    QVERIFY(!plan.leavesOthers());
}

LOCKSCOPE_TEST(TestWordingOfReleases, Core)

} // namespace lockscope::tst_wording_of_releases

#include "tst_wording_of_releases.moc"
