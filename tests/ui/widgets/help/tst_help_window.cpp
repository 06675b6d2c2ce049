#include "tests/support/test_program.h"
#include "ui/widgets/controls/thin_tables.h"
#include "ui/widgets/help/help_contents.h"
#include "ui/widgets/help/help_window.h"

#include <QAbstractTextDocumentLayout>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTest>
#include <QTextBrowser>
#include <QTextTable>
#include <QTranslator>

#include <utility>

namespace lockscope::tst_help_window {

using namespace lockscope::widgets;
using namespace Qt::StringLiterals;

namespace {

/// Says nothing but the language of the pages.
class PagesIn : public QTranslator {
public:
    explicit PagesIn(QString language) : m_language(std::move(language))
    {
        QCoreApplication::installTranslator(this);
    }

    QString translate(const char* /*context*/, const char* source, const char* /*comment*/,
                      int /*count*/) const override
    {
        return QByteArrayView(source) == "en" ? m_language : QString();
    }
    bool isEmpty() const override { return false; }

private:
    QString m_language;
};

struct Rig {
    Rig()
    {
        window.show();
        if (!QTest::qWaitForWindowActive(&window)) {
            qFatal("the window does not become active");
        }
    }

    QTextBrowser& page() { return *window.findChild<QTextBrowser*>(u"helpPage"_s); }
    QLineEdit& search() { return *window.findChild<QLineEdit*>(u"helpSearch"_s); }
    QListWidget& list() { return *window.findChild<QListWidget*>(u"helpList"_s); }
    QString found() { return window.findChild<QLabel*>(u"helpFound"_s)->text(); }
    int visibleRows()
    {
        int count = 0;
        for (int row = 0; row < list().count(); ++row) {
            count += list().item(row)->isHidden() ? 0 : 1;
        }
        return count;
    }

    HelpWindow window{u"# Keys\n\n```\nF1              Contents\n```\n"_s};
};

} // namespace

class TestHelpWindow : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyPageOpensFromTheList()
    {
        Rig rig;
        QCOMPARE(rig.window.shownPage(), u"guide.md"_s);
        QCOMPARE(rig.list().count(), helpPages(u"en"_s).size() + 1);
        for (int row = 0; row < rig.list().count(); ++row) {
            rig.list().setCurrentRow(row);
            const QString title = rig.list().item(row)->text().trimmed();
            QCOMPARE(rig.page().document()->begin().text(), title);
        }
        QCOMPARE(rig.window.shownPage(), u"keys.md"_s);
    }

    void aLinkLeadsToAHeadingAndBack()
    {
        Rig rig;
        rig.window.showPage(u"lab.md#the-matrix"_s);
        QCOMPARE(rig.page().textCursor().block().text(), u"The matrix"_s);
        QVERIFY(rig.page().verticalScrollBar()->value() > 0);
        QCOMPARE(rig.list().currentItem()->text(), u"The Lab page"_s);
        rig.page().setSource(QUrl(u"qrc:/docs/simulation.md"_s)); // as a click on a link does
        QCOMPARE(rig.window.shownPage(), u"simulation.md"_s);
        QTest::keyClick(&rig.window, Qt::Key_Left, Qt::AltModifier);
        QTRY_COMPARE(rig.window.shownPage(), u"lab.md"_s);
        QTest::keyClick(&rig.window, Qt::Key_Right, Qt::AltModifier);
        QTRY_COMPARE(rig.window.shownPage(), u"simulation.md"_s);
        rig.window.showPage(u"nonsense.md"_s);
        QCOMPARE(rig.window.shownPage(), u"simulation.md"_s);
    }

    void aSearchListsThePagesAndGoesFromPlaceToPlace()
    {
        Rig rig;
        QTest::keyClick(&rig.window, Qt::Key_F, Qt::ControlModifier);
        QCOMPARE(rig.window.focusWidget(), &rig.search());
        QTest::keyClicks(&rig.search(), u"XREADGROUPNOTHERE"_s);
        QCOMPARE(rig.visibleRows(), 0);
        QCOMPARE(rig.found(), u"Nothing found"_s);
        rig.search().setText(u"jain's index"_s);
        QVERIFY(rig.visibleRows() > 0);
        QVERIFY(rig.visibleRows() < 6);
        QTest::keyClick(&rig.search(), Qt::Key_Return);
        QVERIFY(rig.window.shownPage() != u"guide.md"_s);
        QCOMPARE(rig.page().textCursor().selectedText().toLower(), u"jain's index"_s);
        QVERIFY(!rig.page().extraSelections().isEmpty());
        rig.search().clear();
        QCOMPARE(rig.visibleRows(), rig.list().count());
        QVERIFY(rig.page().extraSelections().isEmpty());
    }

    /// A table of a hundred rows took half a minute.
    void aPageIsNotLaidOutCellByCell()
    {
        Rig rig;
        const QSignalSpy sizes(rig.page().document()->documentLayout(),
                               &QAbstractTextDocumentLayout::documentSizeChanged);
        rig.window.showPage(u"formats.md"_s);
        QVERIFY(rig.page().verticalScrollBar()->maximum() > 1000);
        QVERIFY2(sizes.count() < 20, qPrintable(QString::number(sizes.count())));
    }

    void chinesePagesAreShownAndFound()
    {
        const PagesIn language(u"zh_CN"_s);
        Rig rig;
        QCOMPARE(rig.window.shownPage(), u"guide.md"_s);
        QCOMPARE(rig.page().document()->begin().text(), u"使用 Lockscope"_s);
        rig.search().setText(u"可重入哈希"_s);
        QVERIFY(rig.visibleRows() > 0);
        QVERIFY(rig.visibleRows() < 6);
        QTest::keyClick(&rig.search(), Qt::Key_Return);
        QCOMPARE(rig.page().textCursor().selectedText(), u"可重入哈希"_s);
        rig.search().setText(u"redis锁"_s); // the page has a space between them
        QVERIFY(rig.visibleRows() > 0);
        QTest::keyClick(&rig.search(), Qt::Key_Return);
        QCOMPARE(rig.page().textCursor().selectedText(), u"Redis 锁"_s);
        rig.search().setText(u"看门狗　公平锁"_s); // a wide space separates words, too
        QVERIFY(rig.visibleRows() > 0);
        rig.search().setText(u"此处没有这句话"_s);
        QCOMPARE(rig.visibleRows(), 0);
    }

    /// The pages of the window name chapters by their English headings.
    void aChapterIsTheSameInChinese()
    {
        const PagesIn language(u"zh_CN"_s);
        Rig rig;
        rig.window.showPage(u"lab.md#the-matrix"_s);
        QCOMPARE(rig.page().textCursor().block().text(), u"矩阵"_s);
        rig.page().setSource(QUrl(u"qrc:/docs/locks.md#筛选"_s)); // as a click on a link does
        QCOMPARE(rig.window.shownPage(), u"locks.md"_s);
        QCOMPARE(rig.page().textCursor().block().text(), u"筛选"_s);
    }

    void anEnglishPageSaysThatThereIsNoOther()
    {
        const PagesIn language(u"xx"_s);
        Rig rig;
        rig.window.showPage(u"lab.md"_s);
        QCOMPARE(rig.page().document()->begin().text(), u"The Lab page"_s);
        QVERIFY(rig.page().document()->begin().next().text().contains(u"in English only"_s));
        rig.search().setText(u"in English only"_s);
        QCOMPARE(rig.visibleRows(), 0); // it is no part of the page
    }

    void theLanguageIsThatOfTheProgram()
    {
        QTranslator chinese;
        QVERIFY(chinese.load(u":/translations/lockscope_zh_CN.qm"_s));
        QCoreApplication::installTranslator(&chinese);
        Rig rig;
        QCOMPARE(rig.page().document()->begin().text(), u"使用 Lockscope"_s);
        QCOMPARE(rig.window.windowTitle(), u"Lockscope 帮助"_s);
    }

    void escapeClosesIt()
    {
        Rig rig;
        QTest::keyClick(&rig.page(), Qt::Key_Escape);
        QVERIFY(!rig.window.isVisible());
    }

    void tablesHaveHairlines()
    {
        QTextDocument document;
        document.setMarkdown(u"| a | b |\n|---|---|\n| c | d |\n"_s);
        thinTables(*document.rootFrame(), Qt::red);
        const auto* const table =
            qobject_cast<QTextTable*>(document.rootFrame()->childFrames().constFirst());
        QVERIFY(table->format().borderCollapse());
        QCOMPARE(table->format().borderBrush().color(), QColor(Qt::red));
    }
};

LOCKSCOPE_TEST(TestHelpWindow, Widgets)

} // namespace lockscope::tst_help_window

#include "tst_help_window.moc"
