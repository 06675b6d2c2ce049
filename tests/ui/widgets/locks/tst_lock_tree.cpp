#include "tests/support/test_program.h"
#include "ui/widgets/locks/lock_tree.h"

#include <QLabel>
#include <QSignalSpy>
#include <QStandardItemModel>
#include <QTest>
#include <QTimer>
#include <QTreeView>

#include <memory>

namespace lockscope::tst_lock_tree {

using namespace lockscope::widgets;
using namespace Qt::StringLiterals;

namespace {

constexpr int kLockIdRole = Qt::UserRole;

} // namespace

class TestLockTree : public QObject {
    Q_OBJECT

private:
    void addLine(const char* name, bool isOfLock)
    {
        auto* const line = new QStandardItem(QString::fromLatin1(name));
        if (isOfLock) {
            line->setData(QVariant::fromValue(inspect::LockId{0, name}), kLockIdRole);
        }
        m_model->appendRow(line);
    }

    std::unique_ptr<QStandardItemModel> m_model;
    std::unique_ptr<LockTree> m_tree;
    int m_updateCount = 0;

private Q_SLOTS:
    void init()
    {
        m_updateCount = 0;
        m_model = std::make_unique<QStandardItemModel>();
        m_tree = std::make_unique<LockTree>(
            u"some"_s, *m_model, kLockIdRole, [this] { ++m_updateCount; }, nullptr);
        m_tree->show();
    }
    void cleanup() { m_tree.reset(); }

    void itIsKeptUpToDateWhileSomebodySeesIt()
    {
        m_tree->setWatched(true);
        QTRY_VERIFY(m_updateCount > 2);
        m_tree->setWatched(false);
        QCOMPARE(m_tree->findChildren<QTimer*>().size(), 1);
        QVERIFY(!m_tree->findChild<QTimer*>()->isActive());
    }

    void withoutALineThereIsRoomForTheNote()
    {
        m_tree->setNote(u"Nobody."_s);
        m_tree->refresh();
        QVERIFY(!m_tree->view().isVisible());
        QCOMPARE(m_tree->findChild<QLabel*>(u"someNote"_s)->text(), u"Nobody."_s);
        addLine("order:lock", true);
        m_tree->setNote({});
        m_tree->refresh();
        QVERIFY(m_tree->view().isVisible());
        QVERIFY(!m_tree->findChild<QLabel*>(u"someNote"_s)->isVisible());
    }

    void choosingALineAsksForItsLock()
    {
        addLine("somebody", false);
        addLine("order:lock", true);
        m_tree->refresh();
        QSignalSpy chosen(m_tree.get(), &LockTree::lockChosen);
        const auto click = [this](int row) {
            const QRect place = m_tree->view().visualRect(m_model->index(row, 0));
            QTest::mouseClick(m_tree->view().viewport(), Qt::LeftButton, {}, place.center());
        };
        click(0);
        QCOMPARE(chosen.count(), 0);
        click(1);
        QVERIFY(chosen.count() > 0);
        QCOMPARE(chosen.last().first().value<inspect::LockId>(),
                 (inspect::LockId{0, "order:lock"}));
    }
};

LOCKSCOPE_TEST(TestLockTree, Widgets)

} // namespace lockscope::tst_lock_tree

#include "tst_lock_tree.moc"
