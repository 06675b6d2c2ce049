#include "tests/support/test_program.h"
#include "tests/ui/window_bench.h"
#include "ui/models/locks/blocking_model.h"
#include "ui/widgets/locks/waits_panel.h"

#include <QDockWidget>
#include <QRegularExpression>
#include <QTreeView>

#include <memory>
#include <utility>

namespace lockscope::tst_waits_panel {

using namespace lockscope::widgets;
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;
using models::BlockingModel;

class TestWaitsPanel : public QObject, private test::WindowBench {
    Q_OBJECT

    QTreeView& view() const { return *find<QTreeView>(u"waitsView"); }
    QDockWidget& dock() const { return *find<QDockWidget>(u"waitsDock"); }
    QModelIndex line(int row, const QModelIndex& parent = {}) const
    {
        return view().model()->index(row, 0, parent);
    }
    void click(const QModelIndex& index) const
    {
        view().scrollTo(index);
        QTest::mouseClick(view().viewport(), Qt::LeftButton, {}, view().visualRect(index).center());
    }
    inspect::LockRecord waitedFor(const std::string& key, const std::string& waiter) const
    {
        inspect::LockRecord lock = test::heldToken(key, "anna", now());
        auto queue = std::make_shared<inspect::WaitQueue>();
        queue->push_back({waiter, now() - 4s, true});
        lock.seldom->queue = std::move(queue);
        lock.waiters = 1;
        return lock;
    }

private Q_SLOTS:
    void initTestCase()
    {
        QTest::failOnWarning(QRegularExpression(u"^(?!This plugin does not support).*"_s));
    }
    void init()
    {
        begin();
        m_rig->monitor.goOnline({server()});
        m_rig->monitor.finishSweep(100);
    }
    void cleanup() { m_rig.reset(); }

    void theTreeIsATabBehindTheActivityAndOpen()
    {
        QVERIFY(m_rig->window->tabifiedDockWidgets(find<QDockWidget>(u"activityDock"))
                    .contains(&dock()));
        add(waitedFor("order:1", "bob"));
        QCOMPARE(view().model()->rowCount(), 0); // nobody looks
        dock().raise();
        QTRY_COMPARE(view().model()->rowCount(), 1);
        QVERIFY(view().isExpanded(line(0)));
        QCOMPARE(line(0, line(0)).data().toString(), u"bob"_s);
        m_rig->monitor.advance(2s);
        QTRY_COMPARE(line(0).siblingAtColumn(BlockingModel::WaitedColumn).data().toString(),
                     u"6.0 s"_s);
    }

    void choosingALineChoosesItsLockInTheTable()
    {
        add(waitedFor("order:1", "bob"));
        add(waitedFor("order:2", "cleo"));
        dock().raise();
        QTRY_COMPARE(view().model()->rowCount(), 2);
        const QModelIndex second = line(1);
        click(second);
        QCOMPARE(QString::fromStdString(table().currentLock()->id.name), second.data().toString());
        click(line(0, line(0))); // a waiter
        QCOMPARE(QString::fromStdString(table().currentLock()->id.name), line(0).data().toString());
    }

    void whereNobodyWaitsItSaysSo()
    {
        add(test::heldToken("order:1", "anna", now()));
        dock().raise();
        QTRY_VERIFY(find<QLabel>(u"waitsNote")->isVisible());
        QCOMPARE(text(u"waitsNote"), u"Nobody is known by name to wait for a lock."_s);
        QVERIFY(!view().isVisible());
    }
};

LOCKSCOPE_TEST(TestWaitsPanel, Widgets)

} // namespace lockscope::tst_waits_panel

#include "tst_waits_panel.moc"
