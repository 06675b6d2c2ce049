#include "tests/support/source_tree.h"
#include "tests/support/test_program.h"
#include "ui/models/user_files.h"
#include "ui/widgets/help/help_contents.h"
#include "ui/widgets/shell/language.h"

#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QFileInfo>
#include <QRegularExpression>
#include <QTest>
#include <QTextBlock>
#include <QTextDocument>
#include <QUrl>

namespace lockscope::tst_help_translation {

using namespace lockscope::widgets;
using namespace Qt::StringLiterals;

namespace {

QString folder()
{
    return testing::inSourceTree(u"docs"_s);
}

QString contentOf(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

QStringList sorted(QStringList texts)
{
    texts.sort();
    return texts;
}

/// What a page has in common with its translation.
struct Shape {
    QStringList headings; // "##"
    QStringList anchors;  // of the headings; the only thing that differs
    QStringList codeLines;
    QStringList tables;    // the number of rows of each
    QStringList listItems; // "-" or "1."
    QStringList codeWords; // sorted: a sentence may have them in another order
    QStringList files;     // sorted: where the links lead

    explicit Shape(const QString& path);

private:
    void addLine(const QString& line);

    QString m_text; // without blocks of code
    bool m_isCode = false;
    bool m_isTable = false;
};

QStringList capturesOf(const QString& pattern, const QString& text)
{
    QStringList captures;
    const QRegularExpression expression(pattern);
    for (auto match = expression.globalMatch(text); match.hasNext();) {
        captures += match.next().captured(1).simplified();
    }
    return captures;
}

Shape::Shape(const QString& path)
{
    for (const QString& line : contentOf(path).split(u'\n')) {
        addLine(line);
    }
    codeWords = sorted(capturesOf(u"`([^`]+)`"_s, m_text));
    for (const QString& target : capturesOf(u"\\]\\(([^)\\s]+)\\)"_s, m_text)) {
        files += target.contains(u"://"_s) ? target
                                           : QFileInfo(target.section(u'#', 0, 0)).fileName();
    }
    files.sort();
}

void Shape::addLine(const QString& line)
{
    const bool isFence = line.startsWith(u"```"_s);
    m_isCode = m_isCode != isFence;
    if (isFence || m_isCode || line.startsWith(u"    "_s)) {
        codeLines += line;
        return;
    }
    const bool isRow = line.startsWith(u'|');
    if (isRow && m_isTable) {
        tables.back() = QString::number(tables.back().toInt() + 1);
    } else if (isRow) {
        tables += u"1"_s;
    }
    m_isTable = isRow;
    headings += capturesOf(u"^(#+) "_s, line);
    for (const QString& title : capturesOf(u"^#+ (.+)$"_s, line)) {
        anchors += anchorOf(title);
    }
    listItems += capturesOf(u"^(-|\\d+\\.) "_s, line);
    m_text += line + u' ';
}

} // namespace

/// The pages of docs/ in other languages, in the source tree: those of the help and those beside.
class TestHelpTranslation : public QObject {
    Q_OBJECT

    static void addPages()
    {
        QTest::addColumn<QString>("language");
        QTest::addColumn<QString>("path");
        for (const QString& language : knownLanguages()) {
            const QDir pages(folder() + u'/' + language);
            QDirIterator files(pages.path(), {u"*.md"_s}, QDir::Files,
                               QDirIterator::Subdirectories);
            while (files.hasNext()) {
                const QString path = pages.relativeFilePath(files.next());
                QTest::newRow(qPrintable(language + u'/' + path)) << language << path;
            }
        }
    }

private Q_SLOTS:
    void thereArePages()
    {
        QVERIFY(QFileInfo::exists(folder() + u"/zh_CN/guide.md"_s));
        QVERIFY(isInLanguage(u"guide.md"_s, u"zh_CN"_s));
    }

    void aPageIsBuiltLikeTheEnglishOne_data() { addPages(); }

    void aPageIsBuiltLikeTheEnglishOne()
    {
        QFETCH(QString, language);
        QFETCH(QString, path);
        const QString english = folder() + u'/' + path;
        QVERIFY2(QFileInfo::exists(english), "there is no English page");
        const Shape expected(english);
        const Shape shape(folder() + u'/' + language + u'/' + path);
        QCOMPARE(shape.headings, expected.headings);
        QCOMPARE(shape.codeLines, expected.codeLines);
        QCOMPARE(shape.tables, expected.tables);
        QCOMPARE(shape.listItems, expected.listItems);
        QCOMPARE(shape.codeWords, expected.codeWords);
        QCOMPARE(shape.files, expected.files);
    }

    void aPageOfTheHelpComesWithTheProgram_data() { addPages(); }

    void aPageOfTheHelpComesWithTheProgram()
    {
        QFETCH(QString, language);
        QFETCH(QString, path);
        if (isHelpPage(path)) {
            const QString file = language + u'/' + path;
            QVERIFY2(isInLanguage(path, language), "it is missing in resources/app.qrc");
            QCOMPARE(models::resourceText(u":/docs/"_s + file), contentOf(folder() + u'/' + file));
        }
    }

    /// To a page in the same language, if there is one.
    void linksLeadSomewhere_data() { addPages(); }

    void linksLeadSomewhere()
    {
        QFETCH(QString, language);
        QFETCH(QString, path);
        const QString here = language + u'/' + path;
        for (const QString& target :
             capturesOf(u"\\]\\(([^)\\s]+)\\)"_s, contentOf(folder() + u'/' + here))) {
            const QUrl url(target);
            if (!url.isRelative()) {
                continue;
            }
            const QString file = QDir::cleanPath(QFileInfo(folder() + u'/' + here).path() + u'/'
                                                 + url.path());
            const QString there = url.path().isEmpty() ? folder() + u'/' + here : file;
            QVERIFY2(QFileInfo::exists(there), qPrintable(target));
            const QString translated = QDir(folder()).relativeFilePath(there);
            QVERIFY2(translated.startsWith(language + u'/')
                         || !QFileInfo::exists(folder() + u'/' + language + u'/' + translated),
                     qPrintable(target + u" is translated"_s));
            QVERIFY2(!url.hasFragment() || !there.endsWith(u".md"_s)
                         || Shape(there).anchors.contains(url.fragment()),
                     qPrintable(target));
        }
    }

    /// Beside the marks of another script bold text does not begin or end where it seems to.
    void noMarkIsLeftInTheText_data() { addPages(); }

    void noMarkIsLeftInTheText()
    {
        QFETCH(QString, language);
        QFETCH(QString, path);
        QTextDocument document;
        document.setMarkdown(contentOf(folder() + u'/' + language + u'/' + path));
        for (QTextBlock block = document.begin(); block.isValid(); block = block.next()) {
            for (auto part = block.begin(); !part.atEnd(); ++part) {
                const QTextFragment fragment = part.fragment();
                QVERIFY2(fragment.charFormat().fontFixedPitch()
                             || block.blockFormat().hasProperty(QTextFormat::BlockCodeFence)
                             || !fragment.text().contains(u'*'),
                         qPrintable(block.text()));
            }
        }
    }
};

LOCKSCOPE_TEST(TestHelpTranslation, Widgets)

} // namespace lockscope::tst_help_translation

#include "tst_help_translation.moc"
