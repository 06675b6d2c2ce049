#include "tests/support/test_program.h"
#include "ui/models/contend/contender_table_model.h"

#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QTest>

namespace lockscope::tst_contender_table_model {

using namespace lockscope::models;
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

using workload::Activity;
using workload::ContenderStatus;
using Model = ContenderTableModel;

class TestContenderTableModel : public QObject {
    Q_OBJECT

    static constexpr Instant kNow{100h};

    static std::vector<ContenderStatus> crowd(std::size_t count)
    {
        std::vector<ContenderStatus> contenders(count);
        for (std::size_t i = 0; i < count; ++i) {
            contenders[i].id = static_cast<trace::ContenderId>(i);
            contenders[i].since = kNow - 5ms;
        }
        return contenders;
    }
    static QString text(const Model& model, int row, int column)
    {
        return model.index(row, column).data().toString();
    }

private Q_SLOTS:
    void aRowSaysWhatItsContenderDoes()
    {
        Model model;
        const QAbstractItemModelTester tester(&model);
        workload::Scenario scenario;
        scenario.keyPrefix = "k";
        model.setScenario(scenario);
        auto contenders = crowd(2);
        contenders[1].activity = Activity::Holding;
        contenders[1].lock = 3;
        contenders[1].acquisitions = 1234;
        model.show(contenders, kNow);
        QCOMPARE(text(model, 1, Model::NumberColumn), u"1"_s);
        QCOMPARE(text(model, 1, Model::StateColumn), u"holding"_s);
        QCOMPARE(text(model, 1, Model::KeyColumn), u"k:3"_s);
        QCOMPARE(text(model, 1, Model::SinceColumn), u"5.00 ms"_s);
        QCOMPARE(text(model, 1, Model::AcquisitionsColumn), u"1,234"_s);
        QCOMPARE(text(model, 0, Model::KeyColumn), QString()); // it only thinks
    }

    void rowsComeAndGoAtTheEnd()
    {
        Model model;
        const QAbstractItemModelTester tester(&model);
        QSignalSpy inserted(&model, &QAbstractItemModel::rowsInserted);
        QSignalSpy removed(&model, &QAbstractItemModel::rowsRemoved);
        model.show(crowd(5), kNow);
        model.show(crowd(8), kNow);
        model.show(crowd(2), kNow);
        QCOMPARE(inserted.count(), 2);
        QCOMPARE(inserted.at(1).at(1).toInt(), 5);
        QCOMPARE(removed.count(), 1);
        QCOMPARE(removed.at(0).at(1).toInt(), 2);
        QCOMPARE(model.rowCount(), 2);
    }

    void neighboursThatChangedAreToldTogether()
    {
        Model model;
        auto contenders = crowd(1000);
        model.show(contenders, kNow);
        contenders[10].acquisitions = 1;
        contenders[11].acquisitions = 1;
        contenders[500].activity = Activity::Waiting;
        QSignalSpy changed(&model, &QAbstractItemModel::dataChanged);
        model.show(contenders, kNow + 1ms);
        QCOMPARE(changed.count(), 3); // two ranges, and the time since in all rows
        QCOMPARE(changed.at(0).at(0).toModelIndex().row(), 10);
        QCOMPARE(changed.at(0).at(1).toModelIndex().row(), 11);
        QCOMPARE(changed.at(1).at(0).toModelIndex().row(), 500);
        QCOMPARE(changed.at(2).at(0).toModelIndex().column(), int(Model::SinceColumn));
    }

    void numbersAreSortedAsNumbers()
    {
        Model model;
        auto contenders = crowd(1);
        contenders[0].acquisitions = 1234;
        model.show(contenders, kNow);
        QCOMPARE(model.index(0, Model::AcquisitionsColumn).data(Model::SortRole).toULongLong(),
                 1234ULL);
        QCOMPARE(model.index(0, Model::SinceColumn).data(Model::SortRole).toLongLong(), 5000LL);
    }

    void everyActivityHasAWord()
    {
        QSet<QString> words;
        for (const Activity activity :
             {Activity::Thinking, Activity::Waiting, Activity::Holding, Activity::Paused,
              Activity::Parked, Activity::Crashed, Activity::Finished}) {
            QVERIFY(!activityText(activity).isEmpty());
            words.insert(activityText(activity));
        }
        QCOMPARE(words.size(), 7);
    }
};

LOCKSCOPE_TEST(TestContenderTableModel, Core)

} // namespace lockscope::tst_contender_table_model

#include "tst_contender_table_model.moc"
