#include "tests/support/test_program.h"
#include "ui/widgets/shell/command_palette.h"
#include "ui/widgets/shell/menu_entries.h"

#include <QAction>
#include <QLineEdit>
#include <QListWidget>
#include <QMenuBar>
#include <QTest>

namespace lockscope::tst_command_palette {

using namespace lockscope::widgets;
using namespace Qt::StringLiterals;

namespace {

/// Menus with a submenu, an action that is greyed out and one of a Chinese name.
struct Window : QWidget {
    Window() : bar(this)
    {
        resize(900, 700);
        QMenu* const lock = bar.addMenu(u"&Lock"_s);
        release = lock->addAction(u"&Release…"_s);
        release->setShortcut(Qt::Key_Delete);
        lock->addSeparator();
        cap = lock->addAction(u"&Cap the TTL"_s);
        cap->setEnabled(false);
        QMenu* const theme = lock->addMenu(u"&Theme"_s);
        dark = theme->addAction(u"&Dark"_s);
        find = bar.addMenu(u"帮助(&H)"_s)->addAction(u"查找操作(&F)…"_s);
    }

    QMenuBar bar;
    QAction* release = nullptr;
    QAction* cap = nullptr;
    QAction* dark = nullptr;
    QAction* find = nullptr;
};

QStringList pathsOf(const QMenuBar& bar)
{
    QStringList paths;
    for (const MenuEntry& entry : entriesOf(bar)) {
        paths += entry.path;
    }
    return paths;
}

} // namespace

class TestCommandPalette : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void entriesAreNamedWithoutTheirKeys()
    {
        const Window window;
        QCOMPARE(pathsOf(window.bar),
                 (QStringList{u"Lock › Release"_s, u"Lock › Cap the TTL"_s,
                              u"Lock › Theme › Dark"_s, u"帮助 › 查找操作"_s}));
    }

    void allWordsHaveToBeThereInAnyOrder()
    {
        Window window;
        CommandPalette palette(window.bar, &window);
        QCOMPARE(palette.matchCount(), 4);
        auto& edit = *palette.findChild<QLineEdit*>(u"paletteEdit"_s);
        edit.setText(u"lock"_s);
        QCOMPARE(palette.matchCount(), 3);
        edit.setText(u"dark lock"_s);
        QCOMPARE(palette.matchCount(), 1);
        edit.setText(u"unlock"_s);
        QCOMPARE(palette.matchCount(), 0);
    }

    void enterDoesTheFirstThatCanBeDone()
    {
        Window window;
        CommandPalette palette(window.bar, &window);
        int released = 0;
        int darkened = 0;
        connect(window.release, &QAction::triggered, &window, [&released] { ++released; });
        connect(window.dark, &QAction::triggered, &window, [&darkened] { ++darkened; });
        palette.show();
        auto& edit = *palette.findChild<QLineEdit*>(u"paletteEdit"_s);
        QTest::keyClick(&edit, Qt::Key_Down); // what is greyed out stands behind both
        QTest::keyClick(&edit, Qt::Key_Return);
        QCOMPARE(released, 0);
        QCOMPARE(darkened, 1);
        QVERIFY(!palette.isVisible());
    }

    void whatBeginsWithTheWordComesFirst()
    {
        Window window;
        CommandPalette palette(window.bar, &window);
        auto& edit = *palette.findChild<QLineEdit*>(u"paletteEdit"_s);
        edit.setText(u"k"_s); // "Lock › Release" has it as well
        QCOMPARE(palette.findChild<QListWidget*>()->currentRow(), 0);
        edit.setText(u"dark"_s);
        QCOMPARE(palette.findChild<QListWidget*>()->currentRow(), 1);
        edit.setText(u"d"_s);
        QCOMPARE(palette.findChild<QListWidget*>()->currentRow(), 1);
    }

    void whatIsGreyedOutIsNotDone()
    {
        Window window;
        CommandPalette palette(window.bar, &window);
        int capped = 0;
        connect(window.cap, &QAction::triggered, &window, [&capped] { ++capped; });
        palette.show();
        auto& edit = *palette.findChild<QLineEdit*>(u"paletteEdit"_s);
        edit.setText(u"cap"_s);
        QTest::keyClick(&edit, Qt::Key_Return);
        QCOMPARE(capped, 0);
        QVERIFY(palette.isVisible());
    }
};

LOCKSCOPE_TEST(TestCommandPalette, Widgets)

} // namespace lockscope::tst_command_palette

#include "tst_command_palette.moc"
