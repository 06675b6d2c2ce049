#include "tests/support/source_tree.h"
#include "tests/support/test_program.h"
#include "ui/widgets/help/help_contents.h"
#include "ui/widgets/shell/language.h"

#include <QFileInfo>
#include <QRegularExpression>
#include <QTest>
#include <QTextBlock>
#include <QTextDocument>
#include <QUrl>

namespace lockscope::tst_help_contents {

using namespace lockscope::widgets;
using namespace Qt::StringLiterals;

namespace {

struct Link {
    QString target;
    QString text;
};

/// The links that a reader can click, and the headings that they can lead to.
struct ReadPage {
    QList<Link> links;
    QStringList anchors;

    explicit ReadPage(const QString& markdown)
    {
        QTextDocument document;
        document.setMarkdown(markdown);
        anchors = anchorsIn(document);
        for (QTextBlock block = document.begin(); block.isValid(); block = block.next()) {
            for (auto part = block.begin(); !part.atEnd(); ++part) {
                const QTextFragment fragment = part.fragment();
                if (fragment.charFormat().isAnchor()) {
                    links.append({fragment.charFormat().anchorHref(), fragment.text()});
                }
            }
        }
    }
};

QStringList targetsIn(const QString& markdown)
{
    static const QRegularExpression kTarget(u"\\]\\(([^)\\s]+)\\)"_s);
    QStringList targets;
    for (auto match = kTarget.globalMatch(markdown); match.hasNext();) {
        targets += match.next().captured(1);
    }
    return targets;
}

QString sourceOf(const QString& path)
{
    QFile file(testing::inSourceTree(u"docs/"_s + path));
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

} // namespace

class TestHelpContents : public QObject {
    Q_OBJECT

    static void addLanguages()
    {
        QTest::addColumn<QString>("language");
        for (const QString& language : knownLanguages()) {
            QTest::newRow(qPrintable(language)) << language;
        }
    }

private Q_SLOTS:
    void everyPageIsThereWithATitle_data() { addLanguages(); }

    void everyPageIsThereWithATitle()
    {
        QFETCH(QString, language);
        const QList<HelpPage> pages = helpPages(language);
        QVERIFY(pages.size() > 30);
        QCOMPARE(pages.constFirst().path, u"guide.md"_s);
        QStringList titles;
        for (const HelpPage& page : pages) {
            QVERIFY2(helpText(page.path, language).size() > 300, qPrintable(page.path));
            QVERIFY2(!page.title.isEmpty(), qPrintable(page.path));
            QVERIFY2(!titles.contains(page.title), qPrintable(page.title));
            titles += page.title;
        }
        QVERIFY(helpText(u"architecture.md"_s, language).isEmpty()); // not for users
    }

    void everyLinkLeadsSomewhere_data() { addLanguages(); }

    void everyLinkLeadsSomewhere()
    {
        QFETCH(QString, language);
        int count = 0;
        for (const HelpPage& page : helpPages(language)) {
            for (const Link& link : ReadPage(helpText(page.path, language)).links) {
                const QString file = linkedFile(page.path, link.target);
                if (file.isEmpty()) {
                    QVERIFY2(link.target.startsWith(u"https://"_s), qPrintable(link.target));
                    continue;
                }
                const QString where = page.path + u": "_s + link.target;
                QVERIFY2(isHelpPage(file), qPrintable(where));
                const QString anchor = QUrl(link.target).fragment();
                QVERIFY2(anchor.isEmpty()
                             || ReadPage(helpText(file, language)).anchors.contains(anchor),
                         qPrintable(where));
                ++count;
            }
        }
        QVERIFY(count > 60);
    }

    /// What the program does not bring with it is a text; it has to be in the source tree all the
    /// same.
    void whatIsNoPageIsAFileOfTheProject()
    {
        int count = 0;
        for (const HelpPage& page : helpPages(u"en"_s)) {
            for (const QString& target : targetsIn(sourceOf(page.path))) {
                const QString file = linkedFile(page.path, target);
                if (file.isEmpty() || isHelpPage(file)) {
                    continue;
                }
                const QString folder = QFileInfo(u"docs/"_s + page.path).path();
                const QString path = folder + u'/' + target.section(u'#', 0, 0);
                QVERIFY2(QFileInfo::exists(testing::inSourceTree(path)), qPrintable(path));
                QVERIFY2(!helpText(page.path, u"en"_s).contains(u"]("_s + target),
                         qPrintable(target));
                ++count;
            }
        }
        QVERIFY(count > 5);
    }

    void anchorsAreThoseOfGitHub()
    {
        QCOMPARE(anchorOf(u"Which lock should I use?"_s), u"which-lock-should-i-use"_s);
        QCOMPARE(anchorOf(u"The matrix"_s), u"the-matrix"_s);
        QCOMPARE(linkedFile(u"protocols/README.md"_s, u"../lab.md#scenarios"_s), u"lab.md"_s);
        QCOMPARE(linkedFile(u"lab.md"_s, u"#scenarios"_s), u"lab.md"_s);
        QCOMPARE(linkedFile(u"lab.md"_s, u"https://redis.io/docs"_s), QString());
        QCOMPARE(anchorOf(u"该用哪种锁？"_s), u"该用哪种锁"_s);
        QCOMPARE(translatedAnchor(u"lab.md"_s, u"the-matrix"_s, u"zh_CN"_s), u"矩阵"_s);
        QCOMPARE(translatedAnchor(u"lab.md"_s, u"nothing"_s, u"zh_CN"_s), QString());
    }

    void whatIsNotTranslatedIsEnglish()
    {
        QVERIFY(!isInLanguage(u"lab.md"_s, u"xx"_s));
        QVERIFY(isInLanguage(u"lab.md"_s, u"en"_s));
        QCOMPARE(helpText(u"lab.md"_s, u"xx"_s), helpText(u"lab.md"_s, u"en"_s));
        QCOMPARE(helpPages(u"xx"_s).constFirst().title, helpPages(u"en"_s).constFirst().title);
    }
};

LOCKSCOPE_TEST(TestHelpContents, Widgets)

} // namespace lockscope::tst_help_contents

#include "tst_help_contents.moc"
