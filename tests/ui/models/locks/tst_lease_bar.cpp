#include "tests/support/model_probe.h"
#include "tests/support/test_program.h"
#include "ui/models/locks/lease_bar.h"

#include <QTest>

namespace lockscope::tst_lease_bar {

using namespace lockscope::models;
using namespace std::chrono_literals;
using test::MadeLock;

class TestLeaseBar : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void drainsFromFullToEmpty_data()
    {
        QTest::addColumn<int>("leftSeconds");
        QTest::addColumn<double>("fraction");
        QTest::newRow("just taken") << 30 << 1.0;
        QTest::newRow("half") << 15 << 0.5;
        QTest::newRow("nearly over") << 3 << 0.1;
    }
    void drainsFromFullToEmpty()
    {
        QFETCH(int, leftSeconds);
        QFETCH(double, fraction);
        const Instant now(1h);
        const LeaseBar bar = leaseBarOf(now + std::chrono::seconds(leftSeconds), 30s, {}, now);
        QVERIFY(bar.kind == LeaseBar::Kind::Running);
        QCOMPARE(bar.fraction, fraction);
    }

    void neverIsAnEmptyBar()
    {
        const LeaseBar bar = leaseBarOf(std::nullopt, 30s, {}, Instant(1h));
        QVERIFY(bar.kind == LeaseBar::Kind::Never);
        QCOMPARE(bar.fraction, 0.0);
    }

    void aPassedEndIsOverdueAndNotNegative()
    {
        const LeaseBar bar = leaseBarOf(Instant(1h) - 5s, 30s, {}, Instant(1h));
        QVERIFY(bar.kind == LeaseBar::Kind::Overdue);
        QCOMPARE(bar.fraction, 0.0);
    }

    void anUnknownLeaseCountsAsFull()
    {
        QCOMPARE(leaseBarOf(Instant(1h) + 5s, 0s, {}, Instant(1h)).fraction, 1.0);
        QCOMPARE(leaseBarOf(Instant(1h) + 50s, 30s, {}, Instant(1h)).fraction, 1.0);
    }

    void ticksStandWhereTheBarWasWhenItWasRenewed()
    {
        inspect::LockRecord record =
            MadeLock("a").expires(Instant(1h) + 20s).lease(30s).renewals(2).record();
        record.renewedAtMs = {15'000, 3'000, 99};
        const LeaseBar bar = leaseBarOf(record, -1, Instant(1h));
        QCOMPARE(bar.tickCount, std::size_t(2));
        QCOMPARE(bar.ticks[0], 0.5);
        QCOMPARE(bar.ticks[1], 0.1);
    }

    void aHolderHasItsOwnEndAndNoTicks()
    {
        inspect::LockRecord record =
            MadeLock("a").readers(2).expires(Instant(1h) + 30s).lease(30s).renewals(2).record();
        record.holders[1].expiresAt = Instant(1h) + 15s;
        QCOMPARE(leaseBarOf(record, 1, Instant(1h)).fraction, 0.5);
        QCOMPARE(leaseBarOf(record, 1, Instant(1h)).tickCount, std::size_t(0));
    }
};

LOCKSCOPE_TEST(TestLeaseBar, Core)

} // namespace lockscope::tst_lease_bar

#include "tst_lease_bar.moc"
