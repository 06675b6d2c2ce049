#include "tests/support/test_program.h"
#include "tests/ui/window_bench.h"
#include "ui/widgets/help/help_window.h"

#include <QListWidget>
#include <QTest>
#include <QTextBlock>
#include <QTextBrowser>

namespace lockscope::tst_window_help {

using namespace lockscope::widgets;
using namespace Qt::StringLiterals;

/// The way from the window to its help.
class TestWindowHelp : public QObject, private test::WindowBench {
    Q_OBJECT

private Q_SLOTS:
    void init() { begin(); }
    void cleanup() { m_rig.reset(); }

    void helpOpensAtTheChapterOfThePage()
    {
        const auto chapter = [this] {
            QTest::keyClick(m_rig->window.get(), Qt::Key_F1);
            auto* const help = m_rig->window->findChild<HelpWindow*>(u"helpWindow"_s);
            return help != nullptr && help->isVisible() ? help->shownPage() : QString();
        };
        QCOMPARE(chapter(), u"locks.md"_s);
        m_rig->window->showPage(u"contend"_s);
        QCOMPARE(chapter(), u"contention.md"_s);
        m_rig->window->showPage(u"matrix"_s);
        QCOMPARE(chapter(), u"lab.md"_s);
        auto* const page = find<QTextBrowser>(u"helpPage");
        QCOMPARE(page->textCursor().block().text(), u"The matrix"_s);
        QVERIFY(find<QListWidget>(u"helpList")
                    ->findItems(u"Keyboard shortcuts"_s, Qt::MatchExactly)
                    .size()
                == 1);
    }
};

LOCKSCOPE_TEST(TestWindowHelp, Widgets)

} // namespace lockscope::tst_window_help

#include "tst_window_help.moc"
