#include "tests/support/model_probe.h"
#include "tests/support/test_program.h"
#include "ui/models/formatting.h"
#include "ui/models/locks/lock_cells.h"
#include "ui/models/locks/lock_table_model.h"

#include <QTest>

namespace lockscope::tst_lock_cells {

using namespace lockscope::models;
using namespace std::chrono_literals;
using test::MadeLock;

class TestLockCells : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void aLockThatIsGoneSaysHowInsteadOfWhen()
    {
        const inspect::LockRecord record = MadeLock("a").expires(Instant(30s)).record();
        LockCell cell{record, -1, Instant(0s), {}, {}};
        QCOMPARE(cellText(cell, LockTableModel::ExpiresColumn), QStringLiteral("30.0 s"));
        cell.gone = QStringLiteral("expired");
        QCOMPARE(cellText(cell, LockTableModel::ExpiresColumn), QStringLiteral("expired"));
        QVERIFY(rowAsSentence(cell).contains(u"expired"));
    }

    void aHolderFillsOnlyTheColumnsThatAreItsOwn()
    {
        const inspect::LockRecord record = MadeLock("a").readers(2).waiters(5).record();
        const LockCell cell{record, 1, Instant(0s), {}, QStringLiteral("server")};
        QCOMPARE(cellText(cell, LockTableModel::KeyColumn), QStringLiteral("reader 2"));
        QCOMPARE(cellText(cell, LockTableModel::OwnerColumn), QStringLiteral("reader-2"));
        for (const int column : {LockTableModel::FormatColumn, LockTableModel::ConfidenceColumn,
                                 LockTableModel::WaitersColumn, LockTableModel::ServerColumn,
                                 LockTableModel::WhyColumn}) {
            QCOMPARE(cellText(cell, column), QString());
        }
    }

    void holdersAreCalledByWhatTheyDo()
    {
        inspect::LockRecord record = MadeLock("a").readers(2).record();
        record.holders.push_back({});
        record.holders.back().mode = inspect::Mode::Write;
        QCOMPARE(holderTitle(record, 0), QStringLiteral("reader 1"));
        QCOMPARE(holderTitle(record, 1), QStringLiteral("reader 2"));
        QCOMPARE(holderTitle(record, 2), QStringLiteral("writer"));
    }

    void aCountThatOnlyGrowsHasAnArrow()
    {
        MadeLock lock("a");
        lock.owner("x");
        QCOMPARE(holdsText(lock.record()), QStringLiteral("1"));
        lock.flag(inspect::Flag::CountOnlyGrows);
        QCOMPARE(holdsText(lock.record()), QStringLiteral("1 ↑"));
    }

    void aRedlockRowTellsOnHowManyServersItIs()
    {
        inspect::LockRecord record = MadeLock("a").record();
        record.seldom->quorum = {2, 3};
        const LockCell cell{record, -1, Instant(0s), {}, QStringLiteral("a:1,b:2,c:3")};
        QCOMPARE(cellText(cell, LockTableModel::ServerColumn), QStringLiteral("2 of 3"));
        QCOMPARE(cellToolTip(cell, LockTableModel::ServerColumn), QStringLiteral("a:1,b:2,c:3"));
    }

    void aRedlockRowTellsWhichServersAreNotKnown()
    {
        inspect::LockRecord record = MadeLock("a").record();
        record.seldom->quorum = {1, 3};
        record.seldom->quorum.addUnknown(1);
        const LockCell cell{
            record, -1, Instant(0s), {}, QStringLiteral("a:1,b:2"), QStringLiteral("b:2")};
        QCOMPARE(cellText(cell, LockTableModel::ServerColumn), QStringLiteral("1 of 3, 1 unknown"));
        QCOMPARE(cellToolTip(cell, LockTableModel::ServerColumn),
                 QStringLiteral("a:1,b:2\nUnknown on: b:2"));
    }

    void whatCannotBeKnownIsExplained()
    {
        const inspect::LockRecord record = MadeLock("a").record();
        const LockCell cell{record, -1, Instant(0s), {}, {}};
        QVERIFY(cellToolTip(cell, LockTableModel::WaitersColumn).contains(u"Unknown"));
        QVERIFY(cellToolTip(cell, LockTableModel::ExpiresColumn).contains(u"No expiry"));
        QVERIFY(cellToolTip(cell, LockTableModel::OwnerColumn).contains(u"does not record"));
        QVERIFY(cellToolTip(cell, LockTableModel::HeldColumn).contains(u"At least"));
    }

    void everyReasonIsExplainedWithItsDoubt()
    {
        const inspect::LockRecord record =
            MadeLock("a").flag(inspect::Flag::NoExpiry).flag(inspect::Flag::Stale).record();
        const LockCell cell{record, -1, Instant(0s), {}, {}};
        QCOMPARE(cellText(cell, LockTableModel::WhyColumn), QStringLiteral("no expiry"));
        QVERIFY(!cellSecondaryText(cell, LockTableModel::WhyColumn).isEmpty());
        QCOMPARE(cellToolTip(cell, LockTableModel::WhyColumn).count(u"\n\n"), 1);
    }
};

LOCKSCOPE_TEST(TestLockCells, Core)

} // namespace lockscope::tst_lock_cells

#include "tst_lock_cells.moc"
