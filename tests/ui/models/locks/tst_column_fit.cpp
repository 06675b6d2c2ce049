#include "tests/support/test_program.h"
#include "ui/models/locks/column_fit.h"

#include <QTest>

namespace lockscope::tst_column_fit {

using lockscope::models::ColumnSizing;
using lockscope::models::fittedWidths;

class TestColumnFit : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void theRestIsDividedByShare()
    {
        const std::vector<ColumnSizing> columns{{100, 50, 3}, {100, 50, 0}, {100, 50, 1}};
        QCOMPARE(fittedWidths(columns, 340), std::vector<int>({130, 100, 110}));
    }

    void everyUnitIsUsedInSpiteOfRounding()
    {
        const std::vector<ColumnSizing> columns{{10, 5, 1}, {10, 5, 1}, {10, 5, 1}};
        for (int available = 15; available < 60; ++available) {
            const std::vector<int> widths = fittedWidths(columns, available);
            QCOMPARE(widths[0] + widths[1] + widths[2], available);
        }
    }

    void whatIsMissingIsTakenFromThoseWhoCanSpareIt()
    {
        const std::vector<ColumnSizing> columns{{100, 60, 1}, {100, 100, 0}, {100, 80, 1}};
        QCOMPARE(fittedWidths(columns, 270), std::vector<int>({80, 100, 90}));
    }

    void nobodyGoesBelowItsMinimum()
    {
        const std::vector<ColumnSizing> columns{{100, 60, 1}, {100, 100, 0}};
        QCOMPARE(fittedWidths(columns, 10), std::vector<int>({60, 100}));
    }

    void noColumnsHaveNoWidths() { QVERIFY(fittedWidths({}, 100).empty()); }
};

LOCKSCOPE_TEST(TestColumnFit, Core)

} // namespace lockscope::tst_column_fit

#include "tst_column_fit.moc"
