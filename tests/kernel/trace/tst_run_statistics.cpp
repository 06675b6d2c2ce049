#include "core/kernel/trace/run_statistics.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <vector>

namespace lockscope::tst_run_statistics {

using namespace std::chrono_literals;
using trace::Event;
using trace::EventKind;
using trace::OverlapEvidence;
using trace::RunStatistics;

namespace {

/// A log that is written line by line: at 3 ms contender 1 does something.
class Log {
public:
    Log& at(int ms, trace::ContenderId who, EventKind kind, std::int64_t value = 0)
    {
        Event event;
        event.at = Instant(std::chrono::milliseconds(ms));
        event.contender = who;
        event.kind = kind;
        event.value = value;
        event.isRead = m_isRead;
        m_events.push_back(event);
        return *this;
    }
    Log& asReader(bool isRead = true)
    {
        m_isRead = isRead;
        return *this;
    }
    RunStatistics statistics(int contenderCount = 3, int permits = 1,
                             OverlapEvidence evidence = OverlapEvidence::Resource) const
    {
        return trace::statisticsOf(m_events, contenderCount, permits, evidence);
    }

    const std::vector<Event>& events() const { return m_events; }

private:
    std::vector<Event> m_events;
    bool m_isRead = false;
};

constexpr auto kRequested = EventKind::Requested;
constexpr auto kGranted = EventKind::Granted;
constexpr auto kReleasing = EventKind::Releasing;
constexpr auto kReleased = EventKind::Released;

} // namespace

class TestRunStatistics : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void waitAndHoldAreMeasured();
    void triesAreGrantsAndRefusals();
    void fairnessIsJainsIndex();
    void theLongestBypassIsCounted();
    void whoGivesUpIsNotBypassedAnyMore();
    void whoNeverGetsTheLockCounts();
    void whoStillWaitsAtTheEndHasWaited();
    void aReleaseBehindAGrantIsCounted();
    void anOverlapIsWhatTheResourceSaw();
    void whereNobodyEntersAnOverlapIsWhatHoldersBelieve();
    void aReleaseOfTheNextHoldersLockIsWrong();
    void aGrantThatCrossesTheReleaseIsNot();
    void readersMayReleaseBesideEachOther();
    void severalPermitsMakeNoReleaseWrong();
    void aTakeoverIsFromTheCrashToTheNextGrant();
    void lossesAndLateReleasesAreCounted();
    void errorsAreNoLostAnswers();
    void ratesNeedTime();
};

void TestRunStatistics::waitAndHoldAreMeasured()
{
    const RunStatistics s = Log()
                                .at(0, 1, kRequested)
                                .at(4, 1, kGranted, 1)
                                .at(10, 1, kReleasing)
                                .at(11, 1, kReleased)
                                .statistics();
    QCOMPARE(s.acquisitions, 1u);
    QCOMPARE(s.wait.max(), 4ms);
    QCOMPARE(s.hold.max(), 6ms);
    QCOMPARE(s.elapsed, 11ms);
}

void TestRunStatistics::triesAreGrantsAndRefusals()
{
    const RunStatistics s = Log()
                                .at(0, 1, kRequested)
                                .at(1, 1, EventKind::Refused, -1)
                                .at(2, 1, EventKind::Refused, -1)
                                .at(3, 1, kGranted, 3)
                                .statistics();
    QCOMPARE(s.tries, 3u);
    QCOMPARE(s.triesPerAcquisition(), 3.0);
}

void TestRunStatistics::fairnessIsJainsIndex()
{
    QCOMPARE(Log().at(0, 0, kGranted).at(1, 1, kGranted).statistics(2).jainFairness(), 1.0);
    QCOMPARE(Log().at(0, 0, kGranted).at(1, 0, kGranted).statistics(2).jainFairness(), 0.5);
    QCOMPARE(Log().statistics(2).jainFairness(), 0.0);
}

void TestRunStatistics::theLongestBypassIsCounted()
{
    const RunStatistics s = Log()
                                .at(0, 0, kRequested) // waits for two that came later
                                .at(1, 1, kRequested)
                                .at(2, 2, kRequested)
                                .at(3, 2, kGranted)
                                .at(4, 1, kGranted)
                                .at(5, 0, kGranted)
                                .statistics();
    QCOMPARE(s.longestBypass, 2u);
}

void TestRunStatistics::whoGivesUpIsNotBypassedAnyMore()
{
    const RunStatistics s = Log()
                                .at(0, 0, kRequested)
                                .at(1, 0, EventKind::GaveUp)
                                .at(2, 1, kRequested)
                                .at(3, 1, kGranted)
                                .statistics();
    QCOMPARE(s.longestBypass, 0u);
    QCOMPARE(s.gaveUp, 1u);
}

void TestRunStatistics::whoNeverGetsTheLockCounts()
{
    const RunStatistics s = Log()
                                .at(0, 0, kRequested)
                                .at(0, 1, kRequested)
                                .at(1, 0, kGranted)
                                .at(2, 0, kRequested)
                                .at(9, 1, EventKind::Withdrew) // the run is over
                                .at(9, 0, EventKind::Withdrew)
                                .statistics(2);
    QCOMPARE(s.withdrew, 2u);
    QCOMPARE(s.neverGranted, 1u);
    QCOMPARE(s.gaveUp, 0u);
    QCOMPARE(s.wait.count(), 3u);
    QCOMPARE(s.wait.max(), Duration(std::chrono::milliseconds(9)));
}

void TestRunStatistics::whoStillWaitsAtTheEndHasWaited()
{
    const std::vector<Event> events = Log()
                                          .at(0, 0, kRequested)
                                          .at(1, 0, kGranted)
                                          .at(2, 1, kRequested)
                                          .at(5, 2, kRequested)
                                          .at(6, 2, EventKind::GaveUp)
                                          .events();
    const RunStatistics atLastEvent = trace::statisticsOf(events, 3);
    QCOMPARE(atLastEvent.wait.count(), 3u);
    QCOMPARE(atLastEvent.wait.max(), 4ms);
    QCOMPARE(atLastEvent.withdrew, 1u);
    const RunStatistics later = trace::statisticsOf(events, 3, 1, OverlapEvidence::Resource,
                                                    Instant(50ms));
    QCOMPARE(later.wait.max(), 48ms);
    QCOMPARE(later.wait.count(), 3u);
    QCOMPARE(later.elapsed, 6ms);
}

void TestRunStatistics::aReleaseBehindAGrantIsCounted()
{
    const RunStatistics s = Log()
                                .at(0, 0, kGranted)
                                .at(1, 0, EventKind::Releasing) // nobody has come
                                .at(1, 0, EventKind::Released)
                                .at(2, 0, kGranted)
                                .at(3, 1, kGranted)
                                .at(4, 0, EventKind::Releasing)
                                .statistics(2);
    QCOMPARE(s.releasesBehindGrants, 1u);
}

void TestRunStatistics::anOverlapIsWhatTheResourceSaw()
{
    const RunStatistics s = Log()
                                .at(0, 0, EventKind::Entered, 0)
                                .at(1, 1, EventKind::Entered, 1)
                                .at(2, 2, EventKind::EffectRejected, 7)
                                .statistics();
    QCOMPARE(s.overlaps, 1u);
    QCOMPARE(s.rejectedEffects, 1u);
}

void TestRunStatistics::whereNobodyEntersAnOverlapIsWhatHoldersBelieve()
{
    const auto overlaps = [](const Log& log, int permits = 1) {
        return log.statistics(3, permits, OverlapEvidence::Beliefs).overlaps;
    };
    const Log beside = Log().at(0, 0, kGranted).at(1, 1, kGranted);
    QCOMPARE(overlaps(beside), 1u);
    QCOMPARE(beside.statistics().overlaps, 0u); // no resource saw it
    QCOMPARE(overlaps(beside, 2), 0u);
    QCOMPARE(overlaps(Log().at(0, 0, kGranted).at(1, 0, kReleasing).at(2, 1, kGranted)), 0u);
    QCOMPARE(overlaps(Log().at(0, 0, kGranted).at(1, 0, EventKind::Lost).at(2, 1, kGranted)), 0u);
    QCOMPARE(overlaps(Log().at(0, 0, kGranted).at(1, 0, kGranted)), 0u); // once more
    QCOMPARE(overlaps(Log().asReader().at(0, 0, kGranted).at(1, 1, kGranted)), 0u);
    QCOMPARE(overlaps(Log().asReader().at(0, 0, kGranted).asReader(false).at(1, 1, kGranted)), 1u);
}

void TestRunStatistics::aReleaseOfTheNextHoldersLockIsWrong()
{
    const RunStatistics s = Log()
                                .at(0, 0, kGranted)
                                .at(5, 1, kGranted) // after the lease of 0 ran out
                                .at(7, 0, kReleasing)
                                .at(8, 0, kReleased)
                                .statistics();
    QCOMPARE(s.wrongReleases, 1u);
}

void TestRunStatistics::aGrantThatCrossesTheReleaseIsNot()
{
    // 1 was granted because of the release, and only heard of it earlier than 0 did.
    const RunStatistics s = Log()
                                .at(0, 0, kGranted)
                                .at(5, 0, kReleasing)
                                .at(6, 1, kGranted)
                                .at(7, 0, kReleased)
                                .statistics();
    QCOMPARE(s.wrongReleases, 0u);
}

void TestRunStatistics::readersMayReleaseBesideEachOther()
{
    const RunStatistics s = Log()
                                .asReader()
                                .at(0, 0, kGranted)
                                .at(1, 1, kGranted)
                                .at(2, 0, kReleasing)
                                .at(3, 0, kReleased)
                                .statistics();
    QCOMPARE(s.wrongReleases, 0u);
}

void TestRunStatistics::severalPermitsMakeNoReleaseWrong()
{
    Log log;
    log.at(0, 0, kGranted).at(1, 1, kGranted).at(2, 0, kReleasing).at(3, 0, kReleased);
    QCOMPARE(log.statistics(2, 2).wrongReleases, 0u);
    QCOMPARE(log.statistics(2, 1).wrongReleases, 1u);
}

void TestRunStatistics::aTakeoverIsFromTheCrashToTheNextGrant()
{
    const RunStatistics s = Log()
                                .at(0, 0, kGranted)
                                .at(10, 0, EventKind::Crashed)
                                .at(40, 1, kGranted)
                                .at(50, 1, kReleasing)
                                .at(51, 1, kReleased)
                                .at(60, 2, kGranted)
                                .statistics();
    QCOMPARE(s.crashes, 1u);
    QCOMPARE(s.takeover.count(), 1u);
    QCOMPARE(s.takeover.max(), 30ms);
}

void TestRunStatistics::lossesAndLateReleasesAreCounted()
{
    const RunStatistics s = Log()
                                .at(0, 0, kGranted)
                                .at(5, 0, EventKind::Lost)
                                .at(6, 0, kReleasing)
                                .at(7, 0, EventKind::ReleaseRefused, 1)
                                .statistics();
    QCOMPARE(s.losses, 1u);
    QCOMPARE(s.lateReleases, 1u);
}

void TestRunStatistics::errorsAreNoLostAnswers()
{
    constexpr auto kRefused = static_cast<std::int64_t>(trace::RenewalFailure::Refused);
    constexpr auto kUnreachable = static_cast<std::int64_t>(trace::RenewalFailure::Unreachable);
    Log log;
    log.at(0, 0, kRequested).at(1, 0, EventKind::Unavailable, 1);
    log.at(2, 0, kRequested).at(3, 0, kGranted).at(4, 0, EventKind::RenewalFailed, kRefused);
    log.at(5, 0, kReleasing).at(6, 0, EventKind::ReleaseUncertain, 1);
    const RunStatistics errors = log.statistics();
    QCOMPARE(errors.errors, 3u);
    QCOMPARE(errors.unavailable + errors.uncertain, 0u);
    log.at(7, 0, kRequested).at(8, 0, EventKind::Unavailable);
    log.at(9, 0, kRequested).at(10, 0, kGranted).at(11, 0, EventKind::RenewalFailed, kUnreachable);
    log.at(12, 0, kReleasing).at(13, 0, EventKind::ReleaseUncertain);
    RunStatistics all = log.statistics();
    QCOMPARE(all.errors, 3u);
    QCOMPARE(all.unavailable, 1u);
    QCOMPARE(all.uncertain, 1u);
    all.add(errors);
    QCOMPARE(all.errors, 6u);
}

void TestRunStatistics::ratesNeedTime()
{
    RunStatistics s;
    s.acquisitions = 100;
    s.commands = 250;
    QCOMPARE(s.acquisitionsPerSecond(), 0.0);
    s.elapsed = 500ms;
    QCOMPARE(s.acquisitionsPerSecond(), 200.0);
    QCOMPARE(s.commandsPerAcquisition(), 2.5);
}

LOCKSCOPE_TEST(TestRunStatistics, Core)

} // namespace lockscope::tst_run_statistics

#include "tst_run_statistics.moc"
