#include "core/kernel/report/lock_fields.h"
#include "tests/support/model_probe.h"
#include "tests/support/test_program.h"
#include "tests/ui/widgets/locks/table/table_rig.h"
#include "ui/models/locks/lock_table_model.h"
#include "ui/widgets/locks/table/lock_delegates.h"
#include "ui/widgets/locks/table/lock_table_view.h"

#include <QAction>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QGuiApplication>
#include <QHeaderView>
#include <QJsonDocument>
#include <QJsonObject>
#include <QMenu>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QTest>

namespace lockscope::tst_lock_table_view {

using namespace lockscope::models;
using namespace lockscope::widgets;
using namespace std::chrono_literals;
using inspect::ChangeKind;
using inspect::LockPtr;
using test::deltaOf;
using test::MadeLock;

namespace {

struct Fixture : test::TableRig {
    std::vector<LockPtr> told;

    Fixture()
    {
        QObject::connect(&view, &LockTableView::currentLockChanged, &view,
                         [this](const LockPtr& lock) { told.push_back(lock); });
    }

    void apply(ChangeKind kind, std::initializer_list<LockPtr> locks)
    {
        model.apply(deltaOf(kind, locks, now));
    }
    std::string currentKey() const
    {
        const LockPtr lock = model.lockAt(view.currentIndex());
        return lock == nullptr ? std::string() : lock->id.name;
    }
    void filter(const char* text)
    {
        model.setFilter(std::get<inspect::LockFilter>(
            inspect::LockFilter::parse(text, report::lockFilterFields())));
    }
};

QString clipboardAfter(LockTableView& view, int action)
{
    view.copyActions().at(action)->trigger();
    return QGuiApplication::clipboard()->text();
}

} // namespace

class TestLockTableView : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init()
    {
        // The offscreen platform warns about what it cannot do for menus.
        QTest::failOnWarning(
            QRegularExpression(QStringLiteral("^(?!This plugin does not support)")));
    }

    void theCurrentLockStaysCurrentWhereverItMoves()
    {
        Fixture f;
        f.apply(ChangeKind::Appeared,
                {MadeLock("a").waiters(3).ptr(), MadeLock("b").waiters(2).ptr(),
                 MadeLock("c").waiters(1).ptr()});
        f.view.setCurrentLock({0, "c"});
        QCOMPARE(f.view.currentIndex().row(), 2);
        f.apply(ChangeKind::Changed, {MadeLock("c").waiters(9).ptr()});
        f.now += 1s;
        f.model.advance(f.now);
        QCOMPARE(f.view.currentIndex().row(), 0);
        QCOMPARE(f.currentKey(), std::string("c"));
        QCOMPARE(f.view.selectionModel()->selectedRows().size(), 1);
        f.view.sortByColumn(LockTableModel::KeyColumn, Qt::AscendingOrder);
        QCOMPARE(f.view.currentIndex().row(), 2);
    }

    void theCurrentLockComesBackFromBehindAFilter()
    {
        Fixture f;
        for (int i = 0; i < 100; ++i) {
            f.apply(ChangeKind::Appeared,
                    {MadeLock("key:" + std::to_string(i)).waiters(i % 7).ptr()});
        }
        f.view.setCurrentLock({0, "key:10"});
        f.filter("waiters=5");
        QVERIFY(!f.view.currentIndex().isValid()); // and not a neighbour, unasked
        QVERIFY(f.view.currentLock() == nullptr);
        f.model.setFilter({});
        QCOMPARE(f.currentKey(), std::string("key:10"));
        QCOMPARE(f.told.back()->id.name, std::string("key:10"));
    }

    void tellsEveryChangeOfTheCurrentLock()
    {
        Fixture f;
        const LockPtr first = MadeLock("a").ptr();
        const LockPtr second = MadeLock("a").waiters(1).ptr();
        f.apply(ChangeKind::Appeared, {first, MadeLock("b").ptr()});
        f.view.setCurrentLock({0, "a"});
        f.apply(ChangeKind::Changed, {second});
        f.apply(ChangeKind::Changed, {MadeLock("b").waiters(3).ptr()});
        f.apply(ChangeKind::Released, {second});
        f.now += LockTableModel::kFadeDuration;
        f.model.advance(f.now);
        QVERIFY((f.told == std::vector<LockPtr>{first, second, nullptr}));
        const LockPtr again = MadeLock("a").owner("next").ptr();
        f.apply(ChangeKind::Appeared, {again});
        QCOMPARE(f.told.back(), again);
        f.view.forgetCurrentLock();
        QVERIFY(f.told.back() == nullptr);
        QVERIFY(f.view.currentLock() == nullptr);
    }

    void everythingCanBeDoneWithKeys()
    {
        Fixture f;
        f.apply(ChangeKind::Appeared,
                {MadeLock("a").waiters(9).readers(2).ptr(), MadeLock("b").owner("x").ptr()});
        QSignalSpy details(&f.view, &LockTableView::detailsRequested);
        f.view.setCurrentLock({0, "a"});
        QTest::keyClick(&f.view, Qt::Key_Right);
        QCOMPARE(f.model.rowCount(), 4);
        QTest::keyClick(&f.view, Qt::Key_Down);
        QCOMPARE(f.view.currentIndex().row(), 1);
        QTest::keyClick(&f.view, Qt::Key_Left);
        QCOMPARE(f.view.currentIndex().row(), 0);
        QTest::keyClick(&f.view, Qt::Key_Left);
        QCOMPARE(f.model.rowCount(), 2);
        QTest::keyClick(&f.view, Qt::Key_End);
        QCOMPARE(f.currentKey(), std::string("b"));
        QTest::keyClick(&f.view, Qt::Key_Home);
        QCOMPARE(f.currentKey(), std::string("a"));
        QTest::keyClick(&f.view, Qt::Key_Return);
        QCOMPARE(details.count(), 1);
        QCOMPARE(details[0][0].value<inspect::LockId>(), (inspect::LockId{0, "a"}));
    }

    void aClickOnTheTriangleShowsTheHolders()
    {
        Fixture f;
        f.apply(ChangeKind::Appeared, {MadeLock("a").readers(2).ptr()});
        const QRect cell = f.view.visualRect(f.model.index(0, 0));
        const QRect triangle = KeyDelegate::triangleRect(cell, f.view.fontMetrics());
        QTest::mouseClick(f.view.viewport(), Qt::LeftButton, {}, triangle.center());
        QCOMPARE(f.model.rowCount(), 3);
        QTest::mouseClick(f.view.viewport(), Qt::LeftButton, {}, cell.center());
        QCOMPARE(f.model.rowCount(), 3);
        QTest::mouseClick(f.view.viewport(), Qt::LeftButton, {}, triangle.center());
        QCOMPARE(f.model.rowCount(), 1);
    }

    void theContextMenuKeyAsksForTheCurrentLock()
    {
        Fixture f;
        f.apply(ChangeKind::Appeared, {MadeLock("a").ptr()});
        f.view.setCurrentLock({0, "a"});
        QSignalSpy requested(&f.view, &LockTableView::contextRequested);
        QContextMenuEvent event(QContextMenuEvent::Keyboard, QPoint(), QPoint());
        QCoreApplication::sendEvent(f.view.viewport(), &event);
        QCOMPARE(requested.count(), 1);
        QCOMPARE(requested[0][0].value<QModelIndex>(), f.model.indexOf({0, "a"}));
    }

    void copiesKeyOwnerRowAndJson()
    {
        Fixture f;
        f.model.setServers({"10.0.0.5:6379"}, 2);
        f.apply(ChangeKind::Appeared, {MadeLock("order:\t42").owner("abc").waiters(1).ptr()});
        f.view.setCurrentLock({0, "order:\t42"});
        QCOMPARE(clipboardAfter(f.view, 0), QStringLiteral("order:\\x0942"));
        QCOMPARE(clipboardAfter(f.view, 1), QStringLiteral("abc"));
        QVERIFY(clipboardAfter(f.view, 2).startsWith(
            QStringLiteral("order:\\x0942\tToken\texclusive\tabc\t1\t")));
        const QJsonObject json =
            QJsonDocument::fromJson(clipboardAfter(f.view, 3).toUtf8()).object();
        QCOMPARE(json[QStringLiteral("server")].toString(), QStringLiteral("10.0.0.5:6379"));
        QCOMPARE(json[QStringLiteral("db")].toInt(), 2);
    }

    void severalRowsAreSelectedAndStaySo()
    {
        Fixture f;
        f.apply(ChangeKind::Appeared,
                {MadeLock("a").readers(2).ptr(), MadeLock("b").ptr(), MadeLock("c").ptr()});
        f.model.setExpanded(f.model.indexOf({0, "a"}), true);
        f.view.selectAll();
        QCOMPARE(f.view.selectedLocks().size(), 3U); // a holder is no lock of its own
        f.view.setCurrentLock({0, "b"});
        QCOMPARE(f.view.selectedLocks().size(), 1U);
        f.view.selectAll();
        f.apply(ChangeKind::Released, {MadeLock("b").ptr()});
        f.now += LockTableModel::kFadeDuration;
        f.model.advance(f.now);
        QCOMPARE(f.view.selectedLocks().size(), 2U);
    }

    /// It may be another hold by now.
    void whatComesBackIsNotSelectedAmongOthers()
    {
        Fixture f;
        f.apply(ChangeKind::Appeared, {MadeLock("a").ptr(), MadeLock("b").ptr()});
        f.view.setCurrentLock({0, "a"});
        f.view.selectAll();
        f.apply(ChangeKind::Released, {MadeLock("a").ptr()});
        f.now += LockTableModel::kFadeDuration;
        f.model.advance(f.now);
        f.apply(ChangeKind::Appeared, {MadeLock("a").ptr()});
        QCOMPARE(f.view.selectedLocks().size(), 1U);
        QCOMPARE(f.view.selectedLocks().front()->id.name, Bytes("b"));
    }

    void rowsFadeWhileTheViewIsVisible()
    {
        Fixture f;
        f.apply(ChangeKind::Appeared, {MadeLock("a").ptr()});
        f.apply(ChangeKind::Released, {MadeLock("a").ptr()});
        f.now += LockTableModel::kFadeDuration;
        QTRY_COMPARE(f.model.rowCount(), 0); // the view's own timer
    }

    void itSaysWhatItIs()
    {
        Fixture f;
        QCOMPARE(f.view.accessibleName(), QStringLiteral("Locks"));
        f.apply(ChangeKind::Appeared,
                {MadeLock("a").owner("x").flag(inspect::Flag::NoExpiry).ptr()});
        QCOMPARE(f.model.index(0, 0).data(Qt::AccessibleTextRole).toString(),
                 QStringLiteral("a, Suspicious, no expiry, owner x, expires: never"));
    }
};

LOCKSCOPE_TEST(TestLockTableView, Widgets)

} // namespace lockscope::tst_lock_table_view

#include "tst_lock_table_view.moc"
