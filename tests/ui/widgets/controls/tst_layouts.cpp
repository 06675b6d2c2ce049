#include "tests/support/test_program.h"
#include "ui/widgets/controls/layouts.h"

#include <QTest>
#include <QWidget>

namespace lockscope::tst_layouts {

using namespace lockscope::widgets;

class TestLayouts : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aRowHoldsItsPartsInTheirOrder()
    {
        QWidget whole;
        auto* const first = new QWidget(&whole);
        auto* const last = new QWidget(&whole);
        const QHBoxLayout* const row = createRow(&whole, {1, 2, 3, 4}, 5,
                                                 {first, gap(7), room(2), growing(last, 3)});
        QCOMPARE(row->contentsMargins(), QMargins(1, 2, 3, 4));
        QCOMPARE(row->spacing(), 5);
        QCOMPARE(row->count(), 4);
        QCOMPARE(row->itemAt(0)->widget(), first);
        QCOMPARE(row->stretch(0), 0);
        QCOMPARE(row->itemAt(1)->sizeHint(), QSize(7, 0));
        QCOMPARE(row->stretch(2), 2);
        QCOMPARE(row->itemAt(3)->widget(), last);
        QCOMPARE(row->stretch(3), 3);
    }

    void aColumnMayHoldRows()
    {
        QWidget whole;
        auto* const part = new QWidget(&whole);
        auto* const alone = new QWidget(&whole);
        QHBoxLayout* const row = createRow(6, {alone});
        const QVBoxLayout* const column = createColumn(&whole, {}, 0,
                                                       {growing(row),
                                                        aligned(part, Qt::AlignRight)});
        QCOMPARE(column->itemAt(0)->layout(), row);
        QCOMPARE(column->stretch(0), 1);
        QCOMPARE(row->contentsMargins(), QMargins());
        QCOMPARE(column->itemAt(1)->alignment(), Qt::Alignment(Qt::AlignRight));
        QCOMPARE(alone->parentWidget(), &whole);
    }
};

LOCKSCOPE_TEST(TestLayouts, Widgets)

} // namespace lockscope::tst_layouts

#include "tst_layouts.moc"
