#include "tests/support/source_tree.h"
#include "tests/support/test_program.h"
#include "ui/widgets/help/help_contents.h"

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
        for (QTextBlock block = document.begin(); block.isValid(); block = block.next()) {
            if (block.blockFormat().headingLevel() > 0) {
                anchors += anchorOf(block.text());
            }
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

private Q_SLOTS:
    void everyPageIsThereWithATitle()
    {
        QVERIFY(helpPages().size() > 30);
        QCOMPARE(helpPages().constFirst().path, u"guide.md"_s);
        QStringList titles;
        for (const HelpPage& page : helpPages()) {
            QVERIFY2(helpText(page.path).size() > 300, qPrintable(page.path));
            QVERIFY2(!page.title.isEmpty(), qPrintable(page.path));
            QVERIFY2(!titles.contains(page.title), qPrintable(page.title));
            titles += page.title;
        }
        QVERIFY(helpText(u"architecture.md"_s).isEmpty()); // not for users
    }

    void everyLinkLeadsSomewhere()
    {
        int count = 0;
        for (const HelpPage& page : helpPages()) {
            for (const Link& link : ReadPage(helpText(page.path)).links) {
                const QString file = linkedFile(page.path, link.target);
                if (file.isEmpty()) {
                    QVERIFY2(link.target.startsWith(u"https://"_s), qPrintable(link.target));
                    continue;
                }
                const QString where = page.path + u": "_s + link.target;
                QVERIFY2(isHelpPage(file), qPrintable(where));
                const QString anchor = QUrl(link.target).fragment();
                QVERIFY2(anchor.isEmpty() || ReadPage(helpText(file)).anchors.contains(anchor),
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
        for (const HelpPage& page : helpPages()) {
            for (const QString& target : targetsIn(sourceOf(page.path))) {
                const QString file = linkedFile(page.path, target);
                if (file.isEmpty() || isHelpPage(file)) {
                    continue;
                }
                const QString folder = QFileInfo(u"docs/"_s + page.path).path();
                const QString path = folder + u'/' + target.section(u'#', 0, 0);
                QVERIFY2(QFileInfo::exists(testing::inSourceTree(path)), qPrintable(path));
                QVERIFY2(!helpText(page.path).contains(u"]("_s + target), qPrintable(target));
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
    }
};

LOCKSCOPE_TEST(TestHelpContents, Widgets)

} // namespace lockscope::tst_help_contents

#include "tst_help_contents.moc"
