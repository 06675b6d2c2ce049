#include "tests/support/model_probe.h"
#include "tests/support/test_program.h"
#include "tests/ui/widgets/locks/table/table_rig.h"
#include "ui/models/locks/lock_table_model.h"
#include "ui/widgets/locks/table/columns_line.h"
#include "ui/widgets/locks/table/lock_columns.h"
#include "ui/widgets/locks/table/lock_table_view.h"

#include <QAction>
#include <QHeaderView>
#include <QMenu>
#include <QPushButton>
#include <QTest>

namespace lockscope::tst_lock_columns {

using namespace lockscope::models;
using namespace lockscope::widgets;
using namespace std::chrono_literals;

namespace {

using Fixture = test::TableRig;

void toggleInHeaderMenu(LockTableView& view, int column)
{
    Q_EMIT view.horizontalHeader()->customContextMenuRequested(QPoint(5, 5));
    auto* menu = view.findChild<QMenu*>();
    QVERIFY(menu != nullptr);
    menu->actions().at(column)->trigger();
    delete menu;
}

void triggerInHeaderMenu(LockTableView& view, const QString& text)
{
    Q_EMIT view.horizontalHeader()->customContextMenuRequested(QPoint(5, 5));
    auto* menu = view.findChild<QMenu*>();
    QVERIFY(menu != nullptr);
    for (QAction* action : menu->actions()) {
        if (action->text() == text) {
            action->trigger();
        }
    }
    delete menu;
}

} // namespace

class TestLockColumns : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void theStateOfTheColumnsIsRestored()
    {
        Fixture f;
        toggleInHeaderMenu(f.view, LockTableModel::ModeColumn);
        f.view.sortByColumn(LockTableModel::HeldColumn, Qt::DescendingOrder);
        f.view.setColumnWidth(LockTableModel::KeyColumn, 333);
        f.view.horizontalHeader()->moveSection(LockTableModel::OwnerColumn, 1);
        const QString state = f.view.columns().savedState();
        Fixture other;
        QVERIFY(other.view.columns().restore(state));
        QVERIFY(other.view.isColumnHidden(LockTableModel::ModeColumn));
        QCOMPARE(other.view.columnWidth(LockTableModel::KeyColumn), 333);
        QCOMPARE(other.view.horizontalHeader()->sortIndicatorSection(),
                 int(LockTableModel::HeldColumn));
        QCOMPARE(other.view.horizontalHeader()->visualIndex(LockTableModel::OwnerColumn), 1);
        QVERIFY(!other.view.columns().restore(QStringLiteral("nonsense")));
        QVERIFY(!other.view.columns().restore({}));
        QCOMPARE(other.view.columns().savedState(), state); // nothing changed
        other.view.columns().reset();
        QVERIFY(!other.view.isColumnHidden(LockTableModel::ModeColumn));
        QVERIFY(other.view.columnWidth(LockTableModel::KeyColumn) != 333);
    }

    void theColumnsFillTheView()
    {
        Fixture f;
        for (const int width : {1100, 1500, 1920}) {
            f.view.resize(width, 400);
            QCOMPARE(f.view.horizontalHeader()->length(), f.view.viewport()->width());
        }
    }

    void theReasonToLookStaysInSightWhereRoomIsShort()
    {
        Fixture f;
        f.view.resize(720, 400);
        QVERIFY(f.view.isColumnHidden(LockTableModel::RenewalsColumn));
        QCOMPARE_LE(f.view.horizontalHeader()->length(), f.view.viewport()->width());
        f.view.resize(1500, 400);
        QVERIFY(!f.view.isColumnHidden(LockTableModel::RenewalsColumn));
        toggleInHeaderMenu(f.view, LockTableModel::HeldColumn);
        f.view.resize(720, 400); // from now on the columns are the user's
        QVERIFY(!f.view.isColumnHidden(LockTableModel::RenewalsColumn));
    }

    void theServerIsShownWhenThereAreSeveral()
    {
        Fixture f;
        f.model.setServers({"one:1"});
        QVERIFY(f.view.isColumnHidden(LockTableModel::ServerColumn));
        f.model.setServers({"one:1", "two:2"});
        QVERIFY(!f.view.isColumnHidden(LockTableModel::ServerColumn));
    }

    void nodeAndSlotAreShownOfACluster()
    {
        Fixture f;
        f.view.resize(1900, 400);
        QVERIFY(f.view.isColumnHidden(LockTableModel::NodeColumn));
        f.model.setHasClusters(true);
        QVERIFY(!f.view.isColumnHidden(LockTableModel::NodeColumn));
        QVERIFY(!f.view.isColumnHidden(LockTableModel::SlotColumn));
        f.model.setHasClusters(false);
        QVERIFY(f.view.isColumnHidden(LockTableModel::SlotColumn));
    }

    void theHeaderMenuShowsAndHidesColumns()
    {
        Fixture f;
        toggleInHeaderMenu(f.view, LockTableModel::OwnerColumn);
        QVERIFY(f.view.isColumnHidden(LockTableModel::OwnerColumn));
        toggleInHeaderMenu(f.view, LockTableModel::KeyColumn); // cannot be hidden
        QVERIFY(!f.view.isColumnHidden(LockTableModel::KeyColumn));
    }

    /// Without these nobody can judge a lock.
    void keyOwnerExpiryHoldsAndModeAreThereAtEverySize()
    {
        Fixture f;
        for (int width = 1600; width >= 200; width -= 50) {
            f.view.resize(width, 400);
            for (const int column : {LockTableModel::KeyColumn, LockTableModel::OwnerColumn,
                                     LockTableModel::ExpiresColumn, LockTableModel::HoldsColumn,
                                     LockTableModel::ModeColumn, LockTableModel::WhyColumn}) {
                QVERIFY2(!f.view.isColumnHidden(column), qPrintable(QString::number(width)));
            }
        }
    }

    void whatDoesNotFitIsNamed()
    {
        Fixture f;
        f.model.setServers({"one:1"});
        ColumnsLine line(f.view.columns());
        auto* button = line.findChild<QPushButton*>(QStringLiteral("columnsNotShown"));
        f.view.resize(2000, 400);
        QVERIFY(line.isHidden());
        f.view.resize(400, 400);
        QVERIFY(!line.isHidden());
        QCOMPARE(f.view.columns().givenWay(),
                 QStringList({QStringLiteral("Format"), QStringLiteral("Confidence"),
                              QStringLiteral("Held for"), QStringLiteral("Renewals"),
                              QStringLiteral("Waiters")}));
        QCOMPARE(button->text(),
                 QStringLiteral("Not shown: Format, Confidence, Held for, Renewals, Waiters ▸"));
        button->click();
        QVERIFY(f.view.findChild<QMenu*>(QStringLiteral("columnMenu")) != nullptr);
        f.view.columns().reset();
        f.view.resize(2000, 400);
        QVERIFY(line.isHidden());
    }

    void allCanBeShownAndTheTableScrollsThen()
    {
        Fixture f;
        f.view.resize(500, 400);
        triggerInHeaderMenu(f.view, QStringLiteral("Show all columns"));
        QVERIFY(!f.view.isColumnHidden(LockTableModel::RenewalsColumn));
        QVERIFY(f.view.isColumnHidden(LockTableModel::ServerColumn)); // there is one server
        QVERIFY(f.view.columns().givenWay().isEmpty());
        QCOMPARE_GT(f.view.horizontalHeader()->length(), f.view.viewport()->width());
    }
};

LOCKSCOPE_TEST(TestLockColumns, Widgets)

} // namespace lockscope::tst_lock_columns

#include "tst_lock_columns.moc"
