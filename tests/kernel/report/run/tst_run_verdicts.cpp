#include "core/kernel/report/run/run_verdicts.h"
#include "tests/kernel/text_in_failures.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace lockscope::tst_run_verdicts {

using namespace std::chrono_literals;
using protocol::Promise;
using protocol::ProtocolInfo;
using report::FinishedRun;
using report::PromiseVerdict;
using trace::Event;
using trace::EventKind;
using workload::Scenario;
using Status = PromiseVerdict::Status;

namespace {

ProtocolInfo infoOf(std::vector<protocol::Claim> claims)
{
    ProtocolInfo info;
    info.claims = std::move(claims);
    return info;
}

/// Of a run in which locks were acquired.
FinishedRun remains()
{
    FinishedRun remains;
    remains.statistics.acquisitions = 10;
    remains.statistics.tries = 14;
    return remains;
}

PromiseVerdict verdictOn(Promise promise, const FinishedRun& remains, const Scenario& scenario,
                         const ProtocolInfo& info)
{
    for (const PromiseVerdict& verdict : report::verdictsOf(remains, scenario, info)) {
        if (verdict.promise == promise) {
            return verdict;
        }
    }
    return {};
}

Event eventOf(EventKind kind, Duration at, trace::ContenderId contender, std::int64_t value = 0,
              trace::LockId lock = 0)
{
    Event event;
    event.kind = kind;
    event.at = Instant(1s + at);
    event.contender = contender;
    event.value = value;
    event.lock = lock;
    return event;
}

} // namespace

class TestRunVerdicts final : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void thereIsOneVerdictPerPromise();
    void overlapsBreakMutualExclusion();
    void withoutOverlapsItHeld();
    void withoutAcquisitionsNothingIsDecided();
    void whatCouldNotBreakIsNotExercised();
    void whoIsPassedOverAllTheTimeIsCounted();
    void whatIsNotPromisedComesLater();
    void theHeadlineSaysWhatARunCameTo();
    void whyNothingWasTestedIsSaid();
    void readersAreJudgedByReadWriteExclusion();
    void aDrawWithTwoWinnersSaysSo();
    void wrongReleasesBreakOwnerOnlyRelease();
    void permitsMakeReleasesUndecidable();
    void aKeyWithoutExpiryIsStuck();
    void aKeyWithExpiryIsNotStuckAfterACrash();
    void aKeyThatNeverGotItsExpiryIsStuck();
    void aKeyWhoseValueTellsItsEndIsNotStuck();
    void withoutACrashNoStuckLockIsNotPutToTheTest();
    void theWinnerOfADrawKeepsItsLock();
    void promisedIsWhatTheProtocolClaims();
    void whatAClaimAssumesIsNotPromisedWithoutIt();
    void theStoryEndsWithTheFirstOverlapOfItsLock();
    void theStoryKeepsTheLastLines();
};

void TestRunVerdicts::thereIsOneVerdictPerPromise()
{
    const auto verdicts = report::verdictsOf(remains(), {}, {});
    QCOMPARE(verdicts.size(), static_cast<std::size_t>(Promise::PromiseCount));
    for (std::size_t i = 0; i < verdicts.size(); ++i) {
        QCOMPARE(static_cast<std::size_t>(verdicts[i].promise), i);
    }
}

void TestRunVerdicts::overlapsBreakMutualExclusion()
{
    FinishedRun over = remains();
    over.statistics.overlaps = 2;
    const std::vector<Event> events{eventOf(EventKind::Granted, 0ms, 0),
                                    eventOf(EventKind::Entered, 40ms, 1, 1)};
    over.events = events;
    const PromiseVerdict verdict = verdictOn(Promise::MutualExclusion, over, {}, {});
    QCOMPARE(verdict.status, Status::Broken);
    QCOMPARE(std::string(verdict.kind), std::string("double-belief"));
    QVERIFY(verdict.at == Duration(40ms));
    QCOMPARE(verdict.summary, std::string("2 holders entered while another holder was inside"));
    QVERIFY(!report::isPromiseBroken(report::verdictsOf(over, {}, {}))); // nothing is promised
    const ProtocolInfo careful = infoOf({{Promise::MutualExclusion, ""}});
    QVERIFY(report::isPromiseBroken(report::verdictsOf(over, {}, careful)));
}

void TestRunVerdicts::withoutOverlapsItHeld()
{
    QCOMPARE(verdictOn(Promise::MutualExclusion, remains(), {}, {}).status, Status::Held);
    QVERIFY(!report::isPromiseBroken(report::verdictsOf(remains(), {}, {})));
}

void TestRunVerdicts::withoutAcquisitionsNothingIsDecided()
{
    for (const PromiseVerdict& verdict : report::verdictsOf({}, {}, {})) {
        QVERIFY(verdict.status == Status::NotApplicable || verdict.status == Status::NotExercised);
    }
}

void TestRunVerdicts::whatCouldNotBreakIsNotExercised()
{
    FinishedRun over = remains();
    QCOMPARE(verdictOn(Promise::MutualExclusion, over, {}, {}).chances, std::uint64_t(4));
    over.statistics.tries = 10; // none was refused: nobody came while another one was inside
    QCOMPARE(verdictOn(Promise::MutualExclusion, over, {}, {}).status, Status::NotExercised);
    QCOMPARE(verdictOn(Promise::OwnerOnlyRelease, over, {}, {}).status, Status::NotExercised);
}

void TestRunVerdicts::whoIsPassedOverAllTheTimeIsCounted()
{
    Scenario scenario;
    scenario.contenderCount = 200;
    FinishedRun over = remains();
    over.statistics.longestBypass = 3;
    QCOMPARE(verdictOn(Promise::Fairness, over, scenario, {}).status, Status::Held);
    over.statistics.longestBypass = 4;
    PromiseVerdict verdict = verdictOn(Promise::Fairness, over, scenario, {});
    QCOMPARE(verdict.status, Status::Broken);
    QCOMPARE(std::string(verdict.kind), std::string("starvation"));
    QCOMPARE(verdict.summary, std::string("a contender was passed over 4 times while it waited"));
    over.statistics.neverGranted = 122;
    verdict = verdictOn(Promise::Fairness, over, scenario, {});
    QVERIFY(QByteArray::fromStdString(verdict.summary)
                .endsWith(", and 122 of 200 never acquired the lock"));
    // A lock without a queue does not promise it, and is not at fault.
    QVERIFY(!report::isPromiseBroken(std::span(&verdict, 1)));
    const ProtocolInfo fair = infoOf({{Promise::Fairness, ""}});
    QVERIFY(report::isPromiseBroken(report::verdictsOf(over, scenario, fair)));
}

void TestRunVerdicts::theHeadlineSaysWhatARunCameTo()
{
    FinishedRun over = remains();
    const ProtocolInfo info = infoOf({{Promise::MutualExclusion, ""}});
    const auto headline = [&over, &info] {
        return report::headlineOf(report::verdictsOf(over, {}, info));
    };
    QCOMPARE(headline(),
             std::string("Everything promised held, as far as it was put to the test."));
    over.statistics.longestBypass = 40;
    QCOMPARE(headline(), std::string("Everything promised held, as far as it was put to the test. "
                                     "Broken, but not promised: fairness."));
    over.statistics.overlaps = 1;
    QCOMPARE(headline(), std::string("Broken, although promised: mutual-exclusion. "
                                     "Broken, but not promised: fairness."));
    QCOMPARE(report::headlineOf({}), std::string("Nothing that is promised was put to the test."));
}

void TestRunVerdicts::whatIsNotPromisedComesLater()
{
    FinishedRun over = remains();
    over.statistics.longestBypass = 40;
    const ProtocolInfo info = infoOf({{Promise::MutualExclusion, ""}});
    auto verdicts = report::inReadingOrder(report::verdictsOf(over, {}, info));
    QCOMPARE(verdicts.front().promise, Promise::Fairness); // the only one that is broken
    over.statistics.overlaps = 1;
    verdicts = report::inReadingOrder(report::verdictsOf(over, {}, info));
    QCOMPARE(verdicts.at(0).promise, Promise::MutualExclusion);
    QCOMPARE(verdicts.at(1).promise, Promise::Fairness);
    QVERIFY(verdicts.at(2).status != Status::Broken);
}

void TestRunVerdicts::whyNothingWasTestedIsSaid()
{
    trace::RunStatistics statistics;
    QCOMPARE(report::untestedText(statistics, {}), std::string());
    statistics.requests = 3;
    QCOMPARE(report::untestedText(statistics, {}),
             std::string("No acquisition was ever granted: nothing was tested."));
    store::Problem problem;
    problem.kind = store::Problem::Kind::ServerRefused;
    problem.detail = "ERR unknown command";
    QCOMPARE(report::untestedText(statistics, problem),
             std::string("No acquisition was ever granted: nothing was tested. The server answers "
                         "with an error: ERR unknown command"));
    problem.kind = store::Problem::Kind::NoPermission;
    QVERIFY(report::untestedText(statistics, problem).ends_with("error: ERR unknown command"));
    problem.kind = store::Problem::Kind::ProtocolBroken;
    QVERIFY(report::untestedText(statistics, problem).ends_with("what the server answers."));
    statistics.acquisitions = 1;
    QCOMPARE(report::untestedText(statistics, problem), std::string());
}

void TestRunVerdicts::readersAreJudgedByReadWriteExclusion()
{
    ProtocolInfo info;
    info.hasModes = true;
    Scenario scenario;
    scenario.readShare = 0.5;
    FinishedRun over = remains();
    over.statistics.overlaps = 1;
    QCOMPARE(verdictOn(Promise::ReadWriteExclusion, over, scenario, info).status, Status::Broken);
    QCOMPARE(verdictOn(Promise::MutualExclusion, over, scenario, info).status,
             Status::NotApplicable);
    QCOMPARE(verdictOn(Promise::ReadWriteExclusion, over, {}, {}).status, Status::NotApplicable);
}

void TestRunVerdicts::aDrawWithTwoWinnersSaysSo()
{
    Scenario scenario;
    scenario.kind = Scenario::Kind::Draw;
    FinishedRun over = remains();
    over.statistics.overlaps = 1;
    QCOMPARE(verdictOn(Promise::MutualExclusion, over, scenario, {}).summary,
             std::string("2 contenders won, but only one may"));
}

void TestRunVerdicts::wrongReleasesBreakOwnerOnlyRelease()
{
    FinishedRun over = remains();
    over.statistics.releasesBehindGrants = 3;
    QCOMPARE(verdictOn(Promise::OwnerOnlyRelease, over, {}, {}).status, Status::Held);
    over.statistics.wrongReleases = 1;
    const PromiseVerdict verdict = verdictOn(Promise::OwnerOnlyRelease, over, {}, {});
    QCOMPARE(verdict.status, Status::Broken);
    QCOMPARE(std::string(verdict.kind), std::string("wrong-release"));
    QCOMPARE(verdict.summary, std::string("1 release removed the lock of the next holder"));
}

void TestRunVerdicts::permitsMakeReleasesUndecidable()
{
    Scenario scenario;
    scenario.permits = 2;
    QCOMPARE(verdictOn(Promise::OwnerOnlyRelease, remains(), scenario, {}).status,
             Status::NotApplicable);
}

void TestRunVerdicts::aKeyWithoutExpiryIsStuck()
{
    ProtocolInfo info;
    info.hasExpiry = false;
    FinishedRun over = remains();
    over.statistics.crashes = 1;
    over.leftBehind = {{"k:0", false}};
    const PromiseVerdict verdict = verdictOn(Promise::NoStuckLock, over, {}, info);
    QCOMPARE(verdict.status, Status::Broken);
    QCOMPARE(std::string(verdict.kind), std::string("permanent-lock"));
    QCOMPARE(verdict.summary, std::string("1 key without an expiry left behind, first k:0: nothing "
                                          "will ever remove it"));
}

void TestRunVerdicts::aKeyWithExpiryIsNotStuckAfterACrash()
{
    FinishedRun over = remains();
    over.statistics.crashes = 1;
    over.leftBehind = {{"k:0", true}};
    QCOMPARE(verdictOn(Promise::NoStuckLock, over, {}, {}).status, Status::Held);
}

void TestRunVerdicts::aKeyThatNeverGotItsExpiryIsStuck()
{
    FinishedRun over = remains(); // SETNX, a crash, and no EXPIRE any more
    over.statistics.crashes = 2;
    over.leftBehind = {{"k:0", true}, {"k:1", false}};
    const PromiseVerdict verdict = verdictOn(Promise::NoStuckLock, over, {}, {});
    QCOMPARE(verdict.status, Status::Broken);
    QVERIFY(verdict.summary.starts_with("1 key without an expiry left behind, first k:1"));
}

void TestRunVerdicts::aKeyWhoseValueTellsItsEndIsNotStuck()
{
    ProtocolInfo info;
    info.endsByValue = true;
    FinishedRun over = remains();
    over.statistics.crashes = 1;
    over.leftBehind = {{"k:0", false}};
    QCOMPARE(verdictOn(Promise::NoStuckLock, over, {}, info).status, Status::Held);
}

void TestRunVerdicts::withoutACrashNoStuckLockIsNotPutToTheTest()
{
    QCOMPARE(verdictOn(Promise::NoStuckLock, remains(), {}, {}).status, Status::NotExercised);
}

void TestRunVerdicts::theWinnerOfADrawKeepsItsLock()
{
    ProtocolInfo info;
    info.hasExpiry = false;
    Scenario scenario;
    scenario.kind = Scenario::Kind::Draw;
    FinishedRun over = remains();
    over.leftBehind = {{"k:0", false}};
    QCOMPARE(verdictOn(Promise::NoStuckLock, over, scenario, info).status, Status::NotApplicable);
}

void TestRunVerdicts::promisedIsWhatTheProtocolClaims()
{
    const ProtocolInfo info = infoOf({{Promise::MutualExclusion, "on Tuesdays"}});
    QVERIFY(verdictOn(Promise::MutualExclusion, remains(), {}, info).isPromised);
    QVERIFY(!verdictOn(Promise::OwnerOnlyRelease, remains(), {}, info).isPromised);
}

/// The rule is the one of the Lab and the Matrix.
void TestRunVerdicts::whatAClaimAssumesIsNotPromisedWithoutIt()
{
    protocol::Claim claim{Promise::MutualExclusion, "while no holder is slower than its lease"};
    claim.conditions = protocol::Condition::HolderInTime;
    const ProtocolInfo info = infoOf({claim});
    Scenario scenario;
    QVERIFY(verdictOn(Promise::MutualExclusion, remains(), scenario, info).isPromised);
    scenario.crashProbability = 0.5;
    QVERIFY(verdictOn(Promise::MutualExclusion, remains(), scenario, info).isPromised);
    scenario.pauseProbability = 0.5;
    QVERIFY(!verdictOn(Promise::MutualExclusion, remains(), scenario, info).isPromised);
}

void TestRunVerdicts::theStoryEndsWithTheFirstOverlapOfItsLock()
{
    const std::vector<Event> events{
        eventOf(EventKind::Requested, 0ms, 0),         eventOf(EventKind::Granted, 1ms, 0),
        eventOf(EventKind::Granted, 2ms, 7, 0, 1),     eventOf(EventKind::Entered, 3ms, 0),
        eventOf(EventKind::Paused, 4ms, 0, 1'500'000), eventOf(EventKind::Granted, 1005ms, 1),
        eventOf(EventKind::Entered, 1006ms, 1, 1),     eventOf(EventKind::Left, 1010ms, 1)};
    const std::vector<std::string> expected{"1 ms: contender 0 is granted the lock",
                                            "3 ms: contender 0 enters",
                                            "4 ms: contender 0 pauses for 1.5 s",
                                            "1.0 s: contender 1 is granted the lock",
                                            "1.0 s: contender 1 enters although 1 other is inside"};
    const auto story = report::storyOfFirstOverlap(events);
    QCOMPARE(report::timedTexts(story), expected);
    QVERIFY(story.back().isViolation && !story.front().isViolation);
    QVERIFY(report::storyOfFirstOverlap({}).empty());
    QVERIFY(report::storyOfFirstOverlap(std::span(events).first(6)).empty());
}

void TestRunVerdicts::theStoryKeepsTheLastLines()
{
    const std::vector<Event> events{eventOf(EventKind::Granted, 0ms, 0),
                                    eventOf(EventKind::Entered, 1ms, 0),
                                    eventOf(EventKind::Entered, 2ms, 1, 2)};
    const std::vector<std::string> expected{
        "1 ms: contender 0 enters", "2 ms: contender 1 enters although 2 others are inside"};
    QCOMPARE(report::timedTexts(report::storyOfFirstOverlap(events, 2)), expected);
}

LOCKSCOPE_TEST(TestRunVerdicts, None)

} // namespace lockscope::tst_run_verdicts

#include "tst_run_verdicts.moc"
