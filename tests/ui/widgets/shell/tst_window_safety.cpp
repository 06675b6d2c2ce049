#include "tests/support/sample_locks.h"
#include "tests/support/test_program.h"
#include "tests/ui/window_bench.h"
#include "ui/models/locks/activity_model.h"
#include "ui/widgets/controls/labels.h"
#include "ui/widgets/locks/activity_panel.h"
#include "ui/widgets/locks/lock_details_panel.h"
#include "ui/widgets/locks/release/plan_dialog.h"
#include "ui/widgets/locks/table/lock_filter_edit.h"
#include "ui/widgets/locks/table/lock_table_view.h"

#include <QAction>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QRegularExpression>
#include <QTest>

namespace lockscope::tst_window_safety {

using namespace lockscope::widgets;
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

using inspect::ChangeKind;

/// That the window as a whole does nothing to a lock that its user did not mean.
class TestWindowSafety : public QObject, private test::WindowBench {
    Q_OBJECT

private:
    QString news() const { return find<ElidedLabel>(u"reasonText")->fullText(); }

private Q_SLOTS:
    void initTestCase()
    {
        QTest::failOnWarning(QRegularExpression(u"^(?!This plugin does not support).*"_s));
    }

    void init() { begin(); }
    void cleanup() { m_rig.reset(); }

    /// Nothing can be done to a lock that is not chosen in the table.
    void theDetailsNeverShowAnotherLockThanTheTable_data()
    {
        QTest::addColumn<QString>("filter");
        QTest::newRow("every row hidden") << u"key:nothing"_s;
        QTest::newRow("the chosen row hidden") << u"key:order*"_s;
    }

    void theDetailsNeverShowAnotherLockThanTheTable()
    {
        QFETCH(QString, filter);
        showTwoLocks();
        m_rig->desk.answer(test::detailsOf(test::stuckFlag("job:1", now())));
        const auto* details = find<LockDetailsPanel>(u"lockDetailsPanel");
        QVERIFY(find<QPushButton>(u"releaseButton")->isEnabled());
        find<LockFilterEdit>(u"filterEdit")->apply(filter);
        QVERIFY(details->lock() == nullptr);
        QVERIFY(!find<QPushButton>(u"releaseButton")->isVisible());
        QVERIFY(!action(u"actionRelease")->isEnabled());
        QCOMPARE(details->releaseCommand(), QString());
        QCOMPARE(text(u"detailsPlaceholder"), u"job:1 is hidden by the filter."_s);
        find<LockFilterEdit>(u"filterEdit")->apply({});
        QVERIFY(details->lock() != nullptr);
        QCOMPARE(details->lock()->id.name, std::string("job:1"));
    }

    void aLockOfTheLogThatIsGoneIsNotExplainedByAnother()
    {
        showTwoLocks();
        const auto* details = find<LockDetailsPanel>(u"lockDetailsPanel");
        table().setCurrentLock({0, "gone:1"});
        QVERIFY(details->lock() == nullptr);
        QVERIFY2(text(u"detailsPlaceholder").startsWith(u"gone:1 is no longer held"),
                 qPrintable(text(u"detailsPlaceholder")));
        table().setCurrentLock({0, "gone:2"});
        QVERIFY(text(u"detailsPlaceholder").startsWith(u"gone:2"));
    }

    void attemptsAndTheirOutcomesAreLogged()
    {
        showTwoLocks();
        action(u"actionRelease")->trigger();
        auto* dialog = find<QDialog>(u"releaseDialog");
        m_rig->desk.answer(test::detailsOf(test::stuckFlag("job:1", now())));
        QTest::keyClicks(dialog->findChild<QLineEdit*>(u"confirmEdit"_s), u"job:1"_s);
        QTest::mouseClick(dialog->findChild<QPushButton*>(u"executeButton"_s), Qt::LeftButton);
        QCOMPARE(m_rig->desk.executions().size(), std::size_t(1));
        dialog->close(); // the log goes on
        QVERIFY2(news().contains(u"no reply yet"), qPrintable(news()));
        inspect::ReleaseReport report;
        report.result = inspect::ReleaseResult::AlreadyGone;
        m_rig->desk.report(report);
        QVERIFY2(news().contains(u"already gone"), qPrintable(news()));
        const QAbstractItemModel* log = find<ActivityPanel>(u"activityPanel")->model();
        const QString last =
            log->index(log->rowCount() - 1, models::ActivityModel::TextColumn).data().toString();
        QVERIFY2(last.contains(u"already gone"), qPrintable(last));
        QVERIFY2(text(u"noticeText").startsWith(u"job:1: "), qPrintable(text(u"noticeText")));
        QVERIFY(text(u"noticeText").contains(u"already gone"));
    }

    void aDialogThatIsLeftSaysThatNothingWasDone()
    {
        showTwoLocks();
        for (const auto& [name, words] :
             {std::pair(u"actionRelease", u"job:1: not released: nothing was sent"_s),
              std::pair(u"actionCapTtl", u"job:1: no expiry set: nothing was sent"_s)}) {
            action(name)->trigger();
            auto* dialog = find<PlanDialog>(name == std::u16string_view(u"actionRelease")
                                                ? u"releaseDialog"
                                                : u"capTtlDialog");
            QTest::keyClick(dialog, Qt::Key_Escape);
            QCOMPARE(news(), words);
        }
        const QAbstractItemModel* log = find<ActivityPanel>(u"activityPanel")->model();
        const QString last =
            log->index(log->rowCount() - 1, models::ActivityModel::TextColumn).data().toString();
        QCOMPARE(last, u"no expiry set: nothing was sent"_s);
        QVERIFY(m_rig->desk.executions().empty());
    }

    void theOpenDialogHearsOfAnotherHoldAlsoWhilePaused()
    {
        showTwoLocks();
        action(u"actionPause")->setChecked(true);
        action(u"actionRelease")->trigger();
        auto* dialog = find<QDialog>(u"releaseDialog");
        const auto lock = test::stuckFlag("job:1", now());
        m_rig->desk.answer(test::detailsOf(lock));
        m_rig->monitor.change(ChangeKind::Released, lock);
        m_rig->monitor.change(ChangeKind::Appeared, lock);
        QTRY_VERIFY(dialog->findChild<QPushButton*>(u"lookAgainButton"_s)->isVisible());
        QVERIFY(!dialog->findChild<QPushButton*>(u"executeButton"_s)->isEnabled());
    }
};

LOCKSCOPE_TEST(TestWindowSafety, Widgets)

} // namespace lockscope::tst_window_safety

#include "tst_window_safety.moc"
