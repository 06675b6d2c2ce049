#include "core/conduct/timer_book.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>
#include <chrono>
#include <vector>

namespace lockscope::tst_timer_book {

using namespace std::chrono_literals;
using conduct::TimerBook;
using conduct::Waiter;
using conduct::WaitKind;

namespace {

/// Threads that sleep so long again and again, each beginning with 1 as its number.
struct Sleepers {
    std::vector<Duration> sleeps;
    std::vector<Waiter> waiters;

    explicit Sleepers(std::vector<Duration> spans) : sleeps(std::move(spans))
    {
        for (std::size_t i = 0; i < sleeps.size(); ++i) {
            waiters.push_back({1, static_cast<std::int32_t>(i) + 1, WaitKind::Sleep, sleeps[i]});
        }
    }

    void passTo(Duration now)
    {
        for (std::size_t i = 0; i < sleeps.size(); ++i) {
            if (waiters[i].deadline <= now) {
                waiters[i].deadline = now + sleeps[i];
            }
        }
    }
};

/// The stops on the way.
std::vector<Duration> stopsOf(TimerBook& book, Sleepers& sleepers, Duration begin, Duration end)
{
    std::vector<Duration> stops;
    for (Duration now = begin; now < end;) {
        now = std::min(book.nextStop(sleepers.waiters, now).value_or(end), end);
        stops.push_back(now);
        sleepers.passTo(now);
    }
    return stops;
}

} // namespace

class TestTimerBook : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void nobodyWaits()
    {
        TimerBook book(2s);
        QVERIFY(!book.nextStop({}, 1s).has_value());
        const std::vector<Waiter> endless{{1, 1, WaitKind::Condition, Duration::max()}};
        QVERIFY(!book.nextStop(endless, 1s).has_value());
    }

    void aTryAgainIsMetExactly()
    {
        TimerBook book(2s);
        Sleepers sleepers({50ms});
        const std::vector<Duration> expected{50ms, 100ms, 150ms, 200ms};
        QCOMPARE(stopsOf(book, sleepers, 0ms, 200ms), expected);
    }

    void ticksDoNotMakeHundredsOfSteps()
    {
        TimerBook book(2s);
        Sleepers sleepers({10ms, 50ms, 100ms, 10ms});
        QVERIFY(stopsOf(book, sleepers, 0ms, 2s).size() < 60);
        QVERIFY(stopsOf(book, sleepers, 2s, 4s).size() <= 10);
    }

    void timersBesideTicksAreMetExactly()
    {
        TimerBook book(2s);
        Sleepers sleepers({10ms, 667ms});
        const auto stops = stopsOf(book, sleepers, 0ms, 10s);
        for (const Duration due : {667ms, 1334ms, 2001ms, 6670ms}) {
            QVERIFY(std::ranges::find(stops, due) != stops.end());
        }
    }
};

LOCKSCOPE_TEST(TestTimerBook, Core)

} // namespace lockscope::tst_timer_book

#include "tst_timer_book.moc"
