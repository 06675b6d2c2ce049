#include "tests/support/test_program.h"
#include "tests/ui/window_bench.h"
#include "ui/widgets/locks/owners_panel.h"
#include "ui/widgets/locks/table/lock_filter_edit.h"

#include <QDockWidget>
#include <QRegularExpression>
#include <QTreeView>

namespace lockscope::tst_owners_panel {

using namespace lockscope::widgets;
using namespace Qt::StringLiterals;
using models::OwnersModel;

class TestOwnersPanel : public QObject, private test::WindowBench {
    Q_OBJECT

    QTreeView& view() const { return *find<QTreeView>(u"ownersView"); }
    QDockWidget& dock() const { return *find<QDockWidget>(u"ownersDock"); }
    bool isInFront(const char16_t* name) const
    {
        return !find<QDockWidget>(name)->visibleRegion().isEmpty();
    }

    /// Two locks of one owner and one of another, and the panel in front.
    void showOwners() const
    {
        m_rig->monitor.goOnline({server()});
        m_rig->monitor.finishSweep(100);
        add(test::heldToken("order:1", "anna", now()));
        add(test::heldToken("order:2", "anna", now()));
        add(test::heldToken("order:3", "bob", now()));
        QTRY_VERIFY(table().isVisible());
        dock().raise();
        QTRY_COMPARE(view().model()->rowCount(), 2);
    }
    QModelIndex owner(int row) const { return view().model()->index(row, 0); }
    void click(const QModelIndex& index) const
    {
        view().scrollTo(index);
        QTest::mouseClick(view().viewport(), Qt::LeftButton, {}, view().visualRect(index).center());
    }

private Q_SLOTS:
    void initTestCase()
    {
        QTest::failOnWarning(QRegularExpression(u"^(?!This plugin does not support).*"_s));
    }
    void init() { begin(); }
    void cleanup() { m_rig.reset(); }

    void ownersAreATabBehindTheActivity()
    {
        QTRY_VERIFY(isInFront(u"activityDock"));
        QVERIFY(!isInFront(u"ownersDock"));
        QVERIFY(m_rig->window->tabifiedDockWidgets(find<QDockWidget>(u"activityDock"))
                    .contains(&dock()));
        showOwners();
        QVERIFY(isInFront(u"ownersDock"));
        QCOMPARE(owner(0).data().toString(), u"anna"_s); // with the most locks
        QCOMPARE(owner(0).siblingAtColumn(OwnersModel::LocksColumn).data().toString(), u"2"_s);
        QCOMPARE(owner(1).data().toString(), u"bob"_s);
    }

    void theTabInFrontIsThatAlsoAfterAnotherPage()
    {
        showOwners();
        m_rig->window->showPage(u"contend"_s);
        m_rig->window->showPage(u"locks"_s);
        QTRY_VERIFY(isInFront(u"ownersDock"));
        QVERIFY(!isInFront(u"activityDock"));
        find<QDockWidget>(u"activityDock")->raise();
        QTRY_VERIFY(isInFront(u"activityDock"));
        m_rig->window->showPage(u"contend"_s);
        m_rig->window->showPage(u"locks"_s);
        QTRY_VERIFY(isInFront(u"activityDock"));
        QVERIFY(!isInFront(u"ownersDock"));
    }

    void choosingALockChoosesItInTheTable()
    {
        showOwners();
        view().expand(owner(0));
        click(view().model()->index(1, 0, owner(0)));
        QCOMPARE(table().currentLock()->id.name, std::string("order:2"));
        QVERIFY(view().hasFocus());
        QTest::keyClick(&view(), Qt::Key_Up);
        QCOMPARE(table().currentLock()->id.name, std::string("order:1"));
        click(owner(1)); // an owner is no lock
        QCOMPARE(table().currentLock()->id.name, std::string("order:1"));
    }

    void whatGoesAwayChoosesNothing()
    {
        showOwners();
        view().expand(owner(0));
        click(view().model()->index(0, 0, owner(0)));
        QCOMPARE(table().currentLock()->id.name, std::string("order:1"));
        table().setCurrentLock({0, "order:3"});
        view().setFocus();
        m_rig->monitor.change(inspect::ChangeKind::Released,
                              test::heldToken("order:1", "anna", now()));
        QTRY_COMPARE(view().model()->rowCount(owner(0)), 1);
        QCOMPARE(table().currentLock()->id.name, std::string("order:3"));
    }

    void anOwnerIsATermOfTheFilter()
    {
        showOwners();
        view().setCurrentIndex(owner(1));
        auto* const filter = m_rig->window->findChild<QAction*>(u"filterByShownOwner"_s);
        filter->trigger();
        QCOMPARE(find<LockFilterEdit>(u"filterEdit")->text(), u"owner:bob"_s);
        QTRY_COMPARE(table().model()->rowCount(), 1);
        QCOMPARE(view().model()->rowCount(), 2); // whatever the filter hides
        filter->trigger();
        QCOMPARE(find<LockFilterEdit>(u"filterEdit")->text(), QString());
    }

    void withoutAnOwnerItSaysSo()
    {
        m_rig->monitor.goOnline({server()});
        add(test::stuckFlag("job:1", now()));
        dock().raise();
        QTRY_VERIFY(find<QLabel>(u"ownersNote")->isVisible());
        QCOMPARE(text(u"ownersNote"), u"No lock records its owner."_s);
        QVERIFY(!view().isVisible());
    }

    void theTableKeepsItsRoom()
    {
        m_rig->window->resize(1280, 800);
        QTRY_COMPARE(m_rig->window->width(), 1280);
        showOwners();
        const QSize room = table().size();
        find<QDockWidget>(u"activityDock")->raise();
        QTRY_VERIFY(isInFront(u"activityDock"));
        QCOMPARE(table().size(), room);
        QCOMPARE_GE(table().height(), 300);
    }
};

LOCKSCOPE_TEST(TestOwnersPanel, Widgets)

} // namespace lockscope::tst_owners_panel

#include "tst_owners_panel.moc"
