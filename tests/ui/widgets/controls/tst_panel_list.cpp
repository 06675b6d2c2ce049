#include "tests/support/test_program.h"
#include "ui/widgets/controls/panel_list.h"

#include <QStandardItemModel>
#include <QTest>
#include <QTreeView>

namespace lockscope::tst_panel_list {

using namespace lockscope::widgets;
using namespace Qt::StringLiterals;

class TestPanelList : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aRowIsChosenAndNotEdited()
    {
        QStandardItemModel model(1, 2);
        model.setItem(0, 0, new QStandardItem(u"order:42"_s));
        QTreeView list;
        list.setModel(&model);
        makePanelList(list);
        list.show();
        const QRect cell = list.visualRect(model.index(0, 0));
        QTest::mouseDClick(list.viewport(), Qt::LeftButton, {}, cell.center());
        QVERIFY(list.currentIndex().isValid());
        QVERIFY(!list.isPersistentEditorOpen(list.currentIndex()));
        QVERIFY(list.indexWidget(list.currentIndex()) == nullptr);
        QTest::keyClick(&list, Qt::Key_F2);
        QVERIFY(list.findChildren<QWidget*>(u"qt_editing_widget"_s).isEmpty());
        QVERIFY(list.allColumnsShowFocus() && list.uniformRowHeights());
        QCOMPARE(list.frameWidth(), 0);
        QCOMPARE(list.viewport()->backgroundRole(), QPalette::Window);
    }
};

LOCKSCOPE_TEST(TestPanelList, Widgets)

} // namespace lockscope::tst_panel_list

#include "tst_panel_list.moc"
