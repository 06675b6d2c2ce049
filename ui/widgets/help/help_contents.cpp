#include "ui/widgets/help/help_contents.h"

#include "ui/models/user_files.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QRegularExpression>
#include <QTextBlock>
#include <QTextDocument>
#include <QUrl>

#include <algorithm>

namespace lockscope::widgets {

using namespace Qt::StringLiterals;

namespace {

const QString kFolder = u":/docs/"_s;
const QString kEnglish = u"en"_s;

struct Entry {
    QString path;
    int level = 0;
};

/// "[text](target)", but no image.
const QRegularExpression& linkPattern()
{
    static const QRegularExpression kLink(
        u"(?<!!)\\[((?:[^\\[\\]]|\\[[^\\]]*\\])+)\\]\\(([^)\\s]+)\\)"_s);
    return kLink;
}

QString headingOf(const QString& markdown)
{
    static const QRegularExpression kHeading(u"^# (.+)$"_s, QRegularExpression::MultilineOption);
    return kHeading.match(markdown).captured(1).remove(u'`').trimmed();
}

QList<Entry> listOfEntries()
{
    QList<Entry> entries = {{u"guide.md"_s, 0},
                            {u"locks.md"_s, 0},
                            {u"diagnosis.md"_s, 1},
                            {u"formats.md"_s, 1},
                            {u"lab.md"_s, 0},
                            {u"simulation.md"_s, 1},
                            {u"own-protocols.md"_s, 1},
                            {u"protocol-order.md"_s, 1},
                            {u"exports.md"_s, 1},
                            {u"contention.md"_s, 0},
                            {u"contention-model.md"_s, 1},
                            {u"command-line.md"_s, 0},
                            {u"glossary.md"_s, 0},
                            {u"protocols/README.md"_s, 0}};
    for (const QString& name :
         QDir(kFolder + u"protocols"_s).entryList({u"*.md"_s}, QDir::Files, QDir::Name)) {
        if (name != u"README.md"_s) {
            entries.append({u"protocols/"_s + name, 1});
        }
    }
    return entries;
}

const QList<Entry>& entries()
{
    static const QList<Entry> kEntries = listOfEntries();
    return kEntries;
}

/// "zh_CN/" for a page that is translated, nothing for one in English.
QString folderOf(const QString& path, const QString& language)
{
    return language != kEnglish && isInLanguage(path, language) ? language + u'/' : QString();
}

/// The same link with the path that the page has in every language.
QString linkTo(const QString& file, const QString& fromPath, const QString& link)
{
    const QString anchor = link.section(u'#', 1);
    const QDir folder(u'/' + QFileInfo(fromPath).path());
    QString name = folder.relativeFilePath(u'/' + file);
    if (anchor.isEmpty()) {
        return name;
    }
    return (file == fromPath ? QString() : name) + u'#' + anchor;
}

} // namespace

QList<HelpPage> helpPages(const QString& language)
{
    QList<HelpPage> pages;
    for (const Entry& entry : entries()) {
        const QString folder = folderOf(entry.path, language);
        pages.append({entry.path, headingOf(models::resourceText(kFolder + folder + entry.path)),
                      entry.level});
    }
    return pages;
}

bool isHelpPage(const QString& path)
{
    return std::ranges::find(entries(), path, &Entry::path) != entries().end();
}

bool isInLanguage(const QString& path, const QString& language)
{
    return isHelpPage(path)
           && (language == kEnglish || QFile::exists(kFolder + language + u'/' + path));
}

QString linkedFile(const QString& fromPath, const QString& link)
{
    const QUrl url(link);
    return url.isRelative() ? QUrl(fromPath).resolved(url).path() : QString();
}

QString helpText(const QString& path, const QString& language)
{
    if (!isHelpPage(path)) {
        return {};
    }
    const QString folder = folderOf(path, language);
    const QString source = models::resourceText(kFolder + folder + path);
    QString text;
    qsizetype from = 0;
    for (auto match = linkPattern().globalMatch(source); match.hasNext();) {
        const QRegularExpressionMatch link = match.next();
        QString file = linkedFile(folder + path, link.captured(2));
        file = file.startsWith(folder) ? file.mid(folder.size()) : file;
        text += QStringView(source).mid(from, link.capturedStart() - from);
        if (file.isEmpty()) {
            text += link.captured();
        } else if (isHelpPage(file)) {
            text += u"[%1](%2)"_s.arg(link.captured(1), linkTo(file, path, link.captured(2)));
        } else {
            text += link.captured(1);
        }
        from = link.capturedEnd();
    }
    return text + source.mid(from);
}

QString anchorOf(const QString& heading)
{
    static const QRegularExpression kLeftOut(u"[^\\w\\- ]"_s,
                                             QRegularExpression::UseUnicodePropertiesOption);
    return heading.trimmed().toLower().remove(kLeftOut).replace(u' ', u'-');
}

QStringList anchorsIn(const QTextDocument& page)
{
    QStringList anchors;
    for (QTextBlock block = page.begin(); block.isValid(); block = block.next()) {
        if (block.blockFormat().headingLevel() > 0) {
            anchors += anchorOf(block.text());
        }
    }
    return anchors;
}

QString translatedAnchor(const QString& path, const QString& anchor, const QString& language)
{
    QTextDocument english;
    QTextDocument inLanguage;
    english.setMarkdown(helpText(path, kEnglish));
    inLanguage.setMarkdown(helpText(path, language));
    return anchorsIn(inLanguage).value(anchorsIn(english).indexOf(anchor));
}

} // namespace lockscope::widgets
