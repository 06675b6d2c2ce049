#include "core/kernel/trace/event.h"
#include "core/kernel/trace/event_log.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <set>

namespace lockscope::tst_event_log {

using namespace lockscope::trace;
using namespace std::chrono_literals;

namespace {

Event eventAt(Duration time)
{
    Event event;
    event.at = Instant(time);
    return event;
}

} // namespace

class TestEventLog : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void eventsKeepTheOrderInWhichTheyCame();
    void beyondTheBoundEventsAreOnlyCounted();
    void whatIsTakenIsGone();
    void everyKindHasAnIdOfItsOwn();
    void everyReasonHasAnIdOfItsOwn();
    void anEventStaysSmall();
};

void TestEventLog::eventsKeepTheOrderInWhichTheyCame()
{
    EventLog log;
    log.append(eventAt(2s));
    log.append(eventAt(1s));
    QCOMPARE(log.events().size(), std::size_t(2));
    QVERIFY(log.events()[0] == eventAt(2s));
    QVERIFY(log.events()[1] == eventAt(1s));
    QCOMPARE(log.droppedCount(), std::size_t(0));
}

void TestEventLog::beyondTheBoundEventsAreOnlyCounted()
{
    EventLog log(2);
    for (const Duration time : {1s, 2s, 3s, 4s}) {
        log.append(eventAt(time));
    }
    QCOMPARE(log.events().size(), std::size_t(2));
    QVERIFY(log.events().back() == eventAt(2s));
    QCOMPARE(log.droppedCount(), std::size_t(2));
}

void TestEventLog::whatIsTakenIsGone()
{
    EventLog log(1);
    log.append(eventAt(1s));
    const std::vector<Event> taken = log.takeEvents();
    QCOMPARE(taken.size(), std::size_t(1));
    QVERIFY(log.events().empty());
    log.append(eventAt(2s));
    QVERIFY(log.events().front() == eventAt(2s));
}

void TestEventLog::everyKindHasAnIdOfItsOwn()
{
    constexpr int kKindCount = static_cast<int>(EventKind::Forced) + 1;
    std::set<std::string_view> ids;
    for (int i = 0; i < kKindCount; ++i) {
        ids.insert(idOf(static_cast<EventKind>(i)));
    }
    QCOMPARE(ids.size(), std::size_t(kKindCount));
    QVERIFY(!ids.contains("unknown"));
    QVERIFY(ids.contains("renewal-failed"));
}

void TestEventLog::everyReasonHasAnIdOfItsOwn()
{
    std::set<std::string_view> losses;
    for (int i = 0; i <= static_cast<int>(LossReason::Refused); ++i) {
        losses.insert(idOf(static_cast<LossReason>(i)));
    }
    QCOMPARE(losses.size(), std::size_t(6));
    QVERIFY(!losses.contains("unknown"));
    std::set<std::string_view> failures;
    for (int i = 0; i <= static_cast<int>(RenewalFailure::Refused); ++i) {
        failures.insert(idOf(static_cast<RenewalFailure>(i)));
    }
    QCOMPARE(failures.size(), std::size_t(5));
    QVERIFY(failures.contains("unknown")); // that is one of them: no answer came
}

void TestEventLog::anEventStaysSmall()
{
    // A run has millions of them.
    QCOMPARE_LE(sizeof(Event), std::size_t(24));
}

LOCKSCOPE_TEST(TestEventLog, Core)

} // namespace lockscope::tst_event_log

#include "tst_event_log.moc"
