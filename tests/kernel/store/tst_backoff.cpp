#include "core/kernel/store/backoff.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <set>

namespace lockscope::tst_backoff {

using namespace std::chrono_literals;
using store::Backoff;

class TestBackoff : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theFirstPausesAreShortAndDouble();
    void pausesNeverGrowBeyondTheLongest();
    void successBeginsAnew();
    void twoClientsDoNotComeBackInStep();
};

void TestBackoff::theFirstPausesAreShortAndDouble()
{
    Backoff backoff(Rng(1));
    Duration span = 100ms;
    for (int attempt = 1; attempt <= 7; ++attempt) {
        const Duration pause = backoff.next();
        QVERIFY2(pause >= span / 2 && pause <= span, std::to_string(pause.count()).c_str());
        QCOMPARE(backoff.attempt(), attempt);
        span = std::min<Duration>(2 * span, 1s);
    }
}

void TestBackoff::pausesNeverGrowBeyondTheLongest()
{
    Backoff backoff(Rng(2));
    for (int i = 0; i < 10; ++i) {
        static_cast<void>(backoff.next());
    }
    for (int i = 0; i < 1000; ++i) {
        const Duration pause = backoff.next();
        QVERIFY(pause >= 500ms && pause <= 1s);
    }
}

void TestBackoff::successBeginsAnew()
{
    Backoff backoff(Rng(3));
    for (int i = 0; i < 20; ++i) {
        static_cast<void>(backoff.next());
    }
    backoff.reset();
    QCOMPARE(backoff.attempt(), 0);
    QVERIFY(backoff.next() <= 100ms);
}

void TestBackoff::twoClientsDoNotComeBackInStep()
{
    std::set<Duration> pauses;
    for (std::uint64_t seed = 0; seed < 50; ++seed) {
        pauses.insert(Backoff(Rng(seed)).next());
    }
    QVERIFY(pauses.size() > 45);
}

LOCKSCOPE_TEST(TestBackoff, Core)

} // namespace lockscope::tst_backoff

#include "tst_backoff.moc"
