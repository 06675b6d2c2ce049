#include "core/kernel/protocol/policies.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <set>

namespace lockscope::tst_policies {

using namespace lockscope::protocol;
using namespace std::chrono_literals;

namespace {

std::vector<Duration> pausesOf(const Retry& retry, int count)
{
    Rng rng(1);
    std::vector<Duration> pauses;
    for (int tries = 1; tries <= count; ++tries) {
        pauses.push_back(retry.pauseAfter(tries, rng));
    }
    return pauses;
}

int triesOf(const Retry& retry)
{
    int tries = 1;
    while (tries < 100 && retry.allowsTryAfter(tries)) {
        ++tries;
    }
    return tries;
}

} // namespace

class TestPolicies : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void fixedPausesStayTheSame();
    void exponentialPausesDoubleUpToALimit();
    void noNumberOfTriesOverflowsThePause();
    void jitterIsAddedWithinItsBounds();
    void triesAreLimitedOrNot();
    void whoCountsFirstMakesOneTryLess();
    void aRenewalIsOnWithAPeriod();
};

void TestPolicies::fixedPausesStayTheSame()
{
    Retry retry;
    retry.interval = 70ms;
    QCOMPARE(pausesOf(retry, 3), (std::vector<Duration>{70ms, 70ms, 70ms}));
}

void TestPolicies::exponentialPausesDoubleUpToALimit()
{
    Retry retry;
    retry.kind = Retry::Kind::Exponential;
    retry.interval = 10ms;
    retry.intervalMax = 50ms;
    QCOMPARE(pausesOf(retry, 5), (std::vector<Duration>{10ms, 20ms, 40ms, 50ms, 50ms}));
}

void TestPolicies::noNumberOfTriesOverflowsThePause()
{
    Retry retry;
    retry.kind = Retry::Kind::Exponential;
    Rng rng(1);
    QCOMPARE(retry.pauseAfter(1'000'000'000, rng), retry.intervalMax);
}

void TestPolicies::jitterIsAddedWithinItsBounds()
{
    Retry retry;
    retry.interval = 10ms;
    retry.jitter = 5ms;
    std::set<Duration> different;
    for (const Duration pause : pausesOf(retry, 200)) {
        QVERIFY(pause >= 10ms && pause <= 15ms);
        different.insert(pause);
    }
    QCOMPARE_GT(different.size(), std::size_t(100));
}

void TestPolicies::triesAreLimitedOrNot()
{
    Retry retry;
    QCOMPARE(triesOf(retry), 100);
    retry.triesMax = 3;
    QCOMPARE(triesOf(retry), 3);
    retry.triesMax = 1;
    QCOMPARE(triesOf(retry), 1);
}

void TestPolicies::whoCountsFirstMakesOneTryLess()
{
    Retry retry;
    retry.triesMax = 3;
    retry.countsBeforeTrying = true;
    QCOMPARE(triesOf(retry), 2);
}

void TestPolicies::aRenewalIsOnWithAPeriod()
{
    Renewal renewal;
    QVERIFY(!renewal.isOn());
    renewal.period = 1us;
    QVERIFY(renewal.isOn());
}

LOCKSCOPE_TEST(TestPolicies, Core)

} // namespace lockscope::tst_policies

#include "tst_policies.moc"
