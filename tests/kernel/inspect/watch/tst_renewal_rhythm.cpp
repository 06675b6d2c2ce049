#include "core/kernel/inspect/watch/renewal_rhythm.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace lockscope::tst_renewal_rhythm {

using namespace lockscope::inspect;
using namespace std::chrono_literals;

namespace {

constexpr Instant kNow(1h);

/// Renewed to `lease` whenever so much was left, newest first; the last time `since` ago.
LockRecord renewed(Duration lease, std::array<std::uint32_t, 3> leftMs, std::uint32_t count,
                   Duration since)
{
    LockRecord record;
    record.lease = lease;
    record.renewedAtMs = leftMs;
    record.renewals = count;
    record.lastRenewal = kNow - since;
    record.expiresAt = record.lastRenewal + lease;
    return record;
}

} // namespace

class TestRenewalRhythm : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void librariesAreRecognised_data();
    void librariesAreRecognised();
    void oneRenewalSaysNothing();
    void whatIsProlongedByItsUseHasNoRhythm();
    void aRenewalThatIsMissingIsCounted_data();
    void aRenewalThatIsMissingIsCounted();
    void aHeartbeatIsNotRenewedLikeALock();
};

void TestRenewalRhythm::librariesAreRecognised_data()
{
    QTest::addColumn<int>("leaseMs");
    QTest::addColumn<int>("leftMs");
    QTest::addColumn<int>("everyMs");
    QTest::newRow("Redisson") << 30'000 << 20'003 << 10'000;
    QTest::newRow("DistributedLock.Redis") << 30'000 << 20'990 << 9'000;
    QTest::newRow("Bull") << 30'000 << 15'020 << 15'000;
    QTest::newRow("python-redis-lock") << 30'000 << 9'950 << 20'000;
    QTest::newRow("redis-semaphore") << 10'000 << 2'010 << 8'000;
    QTest::newRow("aioredlock") << 10'000 << 3'990 << 6'000;
    QTest::newRow("rueidislock") << 5'000 << 2'510 << 2'500;
}

void TestRenewalRhythm::librariesAreRecognised()
{
    QFETCH(const int, leaseMs);
    QFETCH(const int, leftMs);
    QFETCH(const int, everyMs);
    const auto left = static_cast<std::uint32_t>(leftMs);
    const LockRecord record = renewed(std::chrono::milliseconds(leaseMs),
                                      {left, left + 40, left - 30}, 3, 1s);
    const RenewalRhythm rhythm = rhythmOf(record, kNow).value();
    QCOMPARE(toMs(rhythm.every), std::int64_t(everyMs));
    QCOMPARE(rhythm.missed, std::int64_t(0));
    QVERIFY(isRenewedLikeLock(record));
}

void TestRenewalRhythm::oneRenewalSaysNothing()
{
    QVERIFY(!rhythmOf(renewed(30s, {20'000, 0, 0}, 1, 1s), kNow));
    QVERIFY(!rhythmOf(renewed(30s, {0, 0, 0}, 0, 1s), kNow));
}

void TestRenewalRhythm::whatIsProlongedByItsUseHasNoRhythm()
{
    const LockRecord session = renewed(1800s, {1'790'000, 900'000, 1'500'000}, 3, 1s);
    QVERIFY(!rhythmOf(session, kNow));
    QVERIFY(!isRenewedLikeLock(session));
}

void TestRenewalRhythm::aRenewalThatIsMissingIsCounted_data()
{
    QTest::addColumn<int>("sinceMs");
    QTest::addColumn<int>("missed");
    QTest::newRow("in time") << 9'000 << 0;
    QTest::newRow("a little late") << 11'500 << 0;
    QTest::newRow("one is missing") << 13'000 << 1;
    QTest::newRow("two are missing") << 23'000 << 2;
}

void TestRenewalRhythm::aRenewalThatIsMissingIsCounted()
{
    QFETCH(const int, sinceMs);
    QFETCH(const int, missed);
    const LockRecord record = renewed(30s, {20'000, 20'000, 20'000}, 3,
                                      std::chrono::milliseconds(sinceMs));
    QCOMPARE(rhythmOf(record, kNow).value().missed, std::int64_t(missed));
}

void TestRenewalRhythm::aHeartbeatIsNotRenewedLikeALock()
{
    QVERIFY(!isRenewedLikeLock(renewed(61s, {60'000, 60'010, 59'990}, 3, 1s)));
    QVERIFY(!isRenewedLikeLock(renewed(30s, {300, 310, 290}, 3, 1s)));
}

LOCKSCOPE_TEST(TestRenewalRhythm, Core)

} // namespace lockscope::tst_renewal_rhythm

#include "tst_renewal_rhythm.moc"
