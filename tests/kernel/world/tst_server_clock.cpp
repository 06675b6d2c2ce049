#include "core/kernel/world/server_clock.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace lockscope::tst_server_clock {

using namespace lockscope::world;
using namespace std::chrono_literals;

class TestServerClock : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void itShowsWhatTheWorldsDoes();
    void itJumps();
    void itRunsFastOrSlow();
    void theInstantIsTheFirstOne_data();
    void theInstantIsTheFirstOne();
};

void TestServerClock::itShowsWhatTheWorldsDoes()
{
    const ServerClock clock;
    QVERIFY(clock.at(Instant(5s)) == ServerClock::kEpoch + 5s);
    QVERIFY(clock.whenItShows(ServerClock::kEpoch + 7s) == Instant(7s));
}

void TestServerClock::itJumps()
{
    ServerClock clock;
    clock.offset = 12s;
    QVERIFY(clock.at(Instant(5s)) == ServerClock::kEpoch + 17s);
    QVERIFY(clock.whenItShows(ServerClock::kEpoch + 17s) == Instant(5s));
}

void TestServerClock::itRunsFastOrSlow()
{
    ServerClock clock;
    clock.rate = 1.5;
    QVERIFY(clock.at(Instant(10s)) == ServerClock::kEpoch + 15s);
    clock.rate = 0.5;
    QVERIFY(clock.at(Instant(10s)) == ServerClock::kEpoch + 5s);
    QVERIFY(clock.whenItShows(ServerClock::kEpoch + 5s) == Instant(10s));
}

void TestServerClock::theInstantIsTheFirstOne_data()
{
    QTest::addColumn<double>("rate");
    for (const double rate : {0.5, 2.0 / 3, 0.9999, 1.0, 1.0001, 1.5}) {
        QTest::addRow("%g", rate) << rate;
    }
}

void TestServerClock::theInstantIsTheFirstOne()
{
    QFETCH(const double, rate);
    ServerClock clock;
    clock.rate = rate;
    clock.offset = 1234567us;
    for (int i = 1; i < 2000; ++i) {
        const sim::ServerTime shown = ServerClock::kEpoch + clock.offset + i * 9973us;
        const Instant instant = clock.whenItShows(shown);
        QVERIFY(clock.at(instant) >= shown);
        QVERIFY(clock.at(instant - Duration(1)) < shown);
    }
}

LOCKSCOPE_TEST(TestServerClock, Core)

} // namespace lockscope::tst_server_clock

#include "tst_server_clock.moc"
