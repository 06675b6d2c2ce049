#include "tests/support/test_program.h"
#include "ui/widgets/controls/dialog_height.h"
#include "ui/widgets/controls/scrolling_column.h"

#include <QDialog>
#include <QLineEdit>
#include <QPushButton>
#include <QScreen>
#include <QScrollBar>
#include <QTest>
#include <QVBoxLayout>

namespace lockscope::tst_scrolling_column {

using namespace lockscope::widgets;

/// A dialog with fields that come and go, and a button below them.
class TestScrollingColumn : public QObject {
    Q_OBJECT

private:
    std::unique_ptr<QDialog> m_dialog;
    QVBoxLayout* m_fields = nullptr;
    ScrollingColumn* m_column = nullptr;
    QPushButton* m_button = nullptr;

    int roomOfScreen() const { return m_dialog->screen()->availableGeometry().height(); }

    void add(int count)
    {
        for (int i = 0; i < count; ++i) {
            m_fields->addWidget(new QLineEdit(m_column->widget()));
        }
    }
    bool isWholeInSight() const { return m_column->verticalScrollBar()->maximum() == 0; }

private Q_SLOTS:
    void init()
    {
        m_dialog = std::make_unique<QDialog>();
        auto* const contents = new QWidget(m_dialog.get());
        m_fields = new QVBoxLayout(contents);
        m_column = new ScrollingColumn(contents, m_dialog.get());
        m_button = new QPushButton(m_dialog.get());
        auto* const layout = new QVBoxLayout(m_dialog.get());
        layout->addWidget(m_column, 1);
        layout->addWidget(m_button);
        connect(m_column, &ScrollingColumn::wishChanged, m_dialog.get(),
                [this] { fitHeight(*m_dialog); });
        add(4);
        m_dialog->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_dialog.get()));
    }
    void cleanup() { m_dialog.reset(); }

    void theDialogGrowsWithItsFields()
    {
        QTRY_VERIFY(isWholeInSight());
        const int height = m_dialog->height();
        add(4);
        QTRY_VERIFY(m_dialog->height() > height);
        QTRY_VERIFY(isWholeInSight());
    }

    void aScreenThatIsTooLowIsScrolled()
    {
        add(100);
        QTRY_VERIFY(!isWholeInSight());
        QVERIFY(m_dialog->height() <= roomOfScreen());
        QTRY_VERIFY(m_dialog->rect().contains(m_button->geometry()));
    }

    void theFieldWithTheKeyboardIsInSight()
    {
        add(100);
        QTRY_VERIFY(!isWholeInSight());
        QWidget* const last = m_fields->itemAt(m_fields->count() - 1)->widget();
        m_fields->itemAt(m_fields->count() - 2)->widget()->setFocus();
        QTest::keyClick(m_dialog->focusWidget(), Qt::Key_Tab);
        QCOMPARE(m_dialog->focusWidget(), last);
        const QRect seen = m_column->viewport()->rect();
        QVERIFY(seen.contains(last->mapTo(m_column->viewport(), last->rect().center())));
    }
};

LOCKSCOPE_TEST(TestScrollingColumn, Widgets)

} // namespace lockscope::tst_scrolling_column

#include "tst_scrolling_column.moc"
