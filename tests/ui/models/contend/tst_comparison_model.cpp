#include "tests/support/test_program.h"
#include "ui/models/contend/comparison_model.h"

#include <QAbstractItemModelTester>
#include <QTest>

namespace lockscope::tst_comparison_model {

using namespace lockscope::models;
using namespace Qt::StringLiterals;

class TestComparisonModel : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void rowsStandUnderTheTitlesOfTheRuns()
    {
        ComparisonModel model;
        const QAbstractItemModelTester tester(
            &model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        QCOMPARE(model.rowCount(), 0);
        model.showRows({{u"Acquisitions"_s, u"12"_s, u"10"_s, u"+20 %"_s},
                        {u"Overlaps"_s, u"0"_s, u"0"_s, u"same"_s}},
                       u"run 1"_s, u"run 2"_s);
        QCOMPARE(model.rowCount(), 2);
        QCOMPARE(model.columnCount(), int(ComparisonModel::ColumnCount));
        QStringList cells;
        QStringList heads;
        for (int column = 0; column < ComparisonModel::ColumnCount; ++column) {
            cells += model.index(0, column).data().toString();
            heads += model.headerData(column, Qt::Horizontal, Qt::DisplayRole).toString();
        }
        QCOMPARE(cells, QStringList({u"Acquisitions"_s, u"12"_s, u"10"_s, u"+20 %"_s}));
        QCOMPARE(heads, QStringList({u"Figure"_s, u"run 1"_s, u"run 2"_s, u"Difference"_s}));
        model.clear();
        QCOMPARE(model.rowCount(), 0);
    }
};

LOCKSCOPE_TEST(TestComparisonModel, Core)

} // namespace lockscope::tst_comparison_model

#include "tst_comparison_model.moc"
