#include "core/kernel/conduct/belief_events.h"
#include "tests/kernel/conduct/written_log.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <chrono>
#include <string>
#include <vector>

namespace lockscope::tst_belief_events {

using namespace lockscope::testing;
using namespace std::chrono_literals;
using conduct::BeliefEvents;
using conduct::Word;
using conduct::Workload;
using trace::Event;
using trace::EventKind;
using Answers = conduct::Answer::Kind;

namespace {

constexpr Duration kLease = 2s;
constexpr int kA = 0;
constexpr int kB = 1;

std::vector<Event> eventsOf(const WrittenLog& log, const Workload& workload = emptyWorkload(kLease))
{
    BeliefEvents translation(workload);
    std::vector<Event> events;
    for (const conduct::LogEntry& entry : log.log().entries) {
        for (const Event& event : translation.of(entry)) {
            events.push_back(event);
        }
    }
    return events;
}

/// "requested A, granted A", in order.
std::string textOf(const std::vector<Event>& events, const Workload& workload)
{
    std::string text;
    for (const Event& event : events) {
        text += text.empty() ? "" : ", ";
        text += std::string(idOf(event.kind)) + ' '
                + partyName(workload, static_cast<int>(event.contender));
    }
    return text;
}

std::string textOf(const WrittenLog& log, const Workload& workload = emptyWorkload(kLease))
{
    return textOf(eventsOf(log, workload), workload);
}

} // namespace

class TestBeliefEvents : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void answersAreEvents();
    void anEventHasTheInstantOfItsEntry();
    void aNoToHeldOrExtendIsALoss();
    void aFailedInnerReleaseEndsAllHolds();
    void aReaderStaysAReader();
    void allThreadsEndWithTheirProcess();
};

void TestBeliefEvents::answersAreEvents()
{
    WrittenLog log(kLease);
    log.acquire(kA).acquireInVain(kB).tellLoss(kA).release(kA);
    QCOMPARE(textOf(log), std::string("requested A, granted A, requested B, gave-up B, lost A, "
                                      "releasing A, released A"));
    WrittenLog failed(kLease);
    failed.call(kA, Word::Acquire).answer(kA, Word::Acquire, Answers::Error);
    failed.call(kA, Word::Release).answer(kA, Word::Release, Answers::Error);
    failed.call(kA, Word::Release).answer(kA, Word::Release, Answers::No);
    QCOMPARE(textOf(failed), std::string("requested A, uncertain A, releasing A, "
                                         "release-uncertain A, releasing A, release-refused A"));
}

void TestBeliefEvents::anEventHasTheInstantOfItsEntry()
{
    const auto events = eventsOf(WrittenLog(kLease).pass(1s).acquire(kB));
    QCOMPARE(events.size(), 2u);
    QCOMPARE(events[1].at, Instant(1s));
    QCOMPARE(events[1].contender, 1u);
    QVERIFY(events[1].kind == EventKind::Granted);
}

void TestBeliefEvents::aNoToHeldOrExtendIsALoss()
{
    QCOMPARE(textOf(WrittenLog(kLease).acquire(kA).held(kA).held(kA, Answers::No)),
             std::string("requested A, granted A, lost A"));
    WrittenLog log(kLease);
    log.acquire(kA).call(kA, Word::Extend).answer(kA, Word::Extend);
    log.call(kA, Word::Extend).answer(kA, Word::Extend, Answers::Error);
    log.call(kA, Word::Extend).answer(kA, Word::Extend, Answers::No);
    QCOMPARE(textOf(log),
             std::string("requested A, granted A, renewed A, renewal-failed A, lost A"));
}

void TestBeliefEvents::aFailedInnerReleaseEndsAllHolds()
{
    WrittenLog log(kLease);
    log.acquire(kA).acquireAgain(kA).call(kA, Word::Release);
    log.answer(kA, Word::Release, Answers::Error);
    QVERIFY(textOf(log).ends_with("releasing A, release-uncertain A, lost A"));
    WrittenLog given(kLease);
    given.acquire(kA).acquireAgain(kA).releaseOnce(kA).release(kA);
    QVERIFY(textOf(given).ends_with("releasing A, released A, releasing A, released A"));
}

void TestBeliefEvents::aReaderStaysAReader()
{
    WrittenLog log(kLease);
    log.call(kA, Word::Acquire, true).make(kA).answer(kA, Word::Acquire).acquireAgain(kA);
    for (const Event& event : eventsOf(log)) {
        QVERIFY(event.isRead);
    }
    log.releaseOnce(kA).releaseOnce(kA).acquire(kA);
    QVERIFY(!eventsOf(log).back().isRead);
}

void TestBeliefEvents::allThreadsEndWithTheirProcess()
{
    Workload workload = emptyWorkload(kLease);
    workload.threadCount = 2;
    WrittenLog log(kLease);
    log.onThread(1).acquire(kA).onThread(0).end(kA);
    QCOMPARE(textOf(log, workload),
             std::string("requested A's t1, granted A's t1, crashed A's t0, crashed A's t1"));
}

LOCKSCOPE_TEST(TestBeliefEvents, None)

} // namespace lockscope::tst_belief_events

#include "tst_belief_events.moc"
