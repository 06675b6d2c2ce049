#include "tests/support/model_probe.h"
#include "tests/support/test_program.h"
#include "tests/ui/widgets/locks/table/table_rig.h"
#include "ui/models/locks/lock_table_model.h"
#include "ui/widgets/locks/table/frozen_column.h"
#include "ui/widgets/locks/table/lock_table_view.h"

#include <QHeaderView>
#include <QImage>
#include <QScrollBar>
#include <QTest>

namespace lockscope::tst_frozen_column {

using namespace lockscope::models;
using namespace lockscope::widgets;
using namespace std::chrono_literals;
using test::deltaOf;
using test::MadeLock;

namespace {

struct Fixture : test::TableRig {
    Fixture() : TableRig(500)
    {
        model.apply(deltaOf(inspect::ChangeKind::Appeared,
                            {MadeLock("readers").readers(3).ptr(), MadeLock("some:lock").ptr()},
                            now));
        for (int column = 0; column < LockTableModel::ColumnCount; ++column) {
            view.setColumnHidden(column, false);
            view.setColumnWidth(column, 150);
        }
    }

    QImage keyCell(int row) const
    {
        return view.viewport()->grab(view.visualRect(model.index(row, 0))).toImage();
    }
};

} // namespace

class TestFrozenColumn : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void theKeyStaysWhereItIs()
    {
        Fixture f;
        const QRect before = f.view.visualRect(f.model.index(1, 0));
        const QImage seen = f.keyCell(1);
        const QImage title = f.view.horizontalHeader()->grab({0, 0, 140, 20}).toImage();
        f.view.horizontalScrollBar()->setValue(400);
        QVERIFY(f.view.columnViewportPosition(0) < 0);
        QCOMPARE(f.view.visualRect(f.model.index(1, 0)), before);
        QCOMPARE(f.keyCell(1).copy(0, 0, 140, before.height()),
                 seen.copy(0, 0, 140, before.height()));
        QCOMPARE(f.view.horizontalHeader()->grab({0, 0, 140, 20}).toImage(), title);
    }

    void whatIsClickedThereIsTheKey()
    {
        Fixture f;
        f.view.horizontalScrollBar()->setValue(400);
        const QPoint onKey = f.view.visualRect(f.model.index(1, 0)).center();
        QCOMPARE(f.view.indexAt(onKey), f.model.index(1, 0));
        QVERIFY(f.view.indexAt(onKey + QPoint(150, 0)).column() != LockTableModel::KeyColumn);
        QVERIFY(!f.view.indexAt(QPoint(10, 390)).isValid());
    }

    void choosingALockDoesNotScrollBack()
    {
        Fixture f;
        f.view.horizontalScrollBar()->setValue(400);
        const int scrolled = f.view.horizontalScrollBar()->value(); // as far as there is something
        QVERIFY(scrolled > 0);
        f.view.setCurrentLock(f.model.lockAt(f.model.index(1, 0))->id);
        QCOMPARE(f.view.horizontalScrollBar()->value(), scrolled);
    }

    void itsTitleSorts()
    {
        Fixture f;
        f.view.horizontalScrollBar()->setValue(400);
        QWidget* header = f.view.horizontalHeader()->viewport();
        const auto sorted = [&f] { return f.view.horizontalHeader()->sortIndicatorSection(); };
        QTest::mouseClick(header, Qt::LeftButton, {}, {20, 8});
        QCOMPARE(sorted(), int(LockTableModel::KeyColumn));
        QTest::mouseClick(header, Qt::LeftButton, {}, {20, 8});
        QCOMPARE(f.view.horizontalHeader()->sortIndicatorOrder(), Qt::DescendingOrder);
        QTest::mouseClick(header, Qt::LeftButton, {}, {20, 8});
        QCOMPARE(sorted(), -1);
    }

    void withoutScrollingNothingIsOverAnything()
    {
        Fixture f;
        const FrozenColumn column(f.view, LockTableModel::KeyColumn);
        QVERIFY(!column.isOverOthers());
        QVERIFY(!column.covers(10));
        QCOMPARE(column.placed({5, 6, 7, 8}), QRect(5, 6, 7, 8));
        f.view.horizontalScrollBar()->setValue(1);
        QVERIFY(column.covers(149));
        QVERIFY(!column.covers(150));
    }
};

LOCKSCOPE_TEST(TestFrozenColumn, Widgets)

} // namespace lockscope::tst_frozen_column

#include "tst_frozen_column.moc"
