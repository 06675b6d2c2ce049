#include "ui/widgets/help/help_contents.h"

#include "ui/widgets/controls/text_file.h"

#include <QDir>
#include <QRegularExpression>
#include <QUrl>

#include <algorithm>

namespace lockscope::widgets {

using namespace Qt::StringLiterals;

namespace {

const QString kFolder = u":/docs/"_s;

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

HelpPage page(const QString& path, int level)
{
    return {path, headingOf(resourceText(kFolder + path)), level};
}

QList<HelpPage> listOfPages()
{
    QList<HelpPage> pages;
    for (const auto& [path, level] : {std::pair(u"guide.md"_s, 0),
                                      {u"locks.md"_s, 0},
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
                                      {u"protocols/README.md"_s, 0}}) {
        pages.append(page(path, level));
    }
    for (const QString& name :
         QDir(kFolder + u"protocols"_s).entryList({u"*.md"_s}, QDir::Files, QDir::Name)) {
        if (name != u"README.md"_s) {
            pages.append(page(u"protocols/"_s + name, 1));
        }
    }
    return pages;
}

} // namespace

const QList<HelpPage>& helpPages()
{
    static const QList<HelpPage> kPages = listOfPages();
    return kPages;
}

bool isHelpPage(const QString& path)
{
    return std::ranges::find(helpPages(), path, &HelpPage::path) != helpPages().end();
}

QString linkedFile(const QString& fromPath, const QString& link)
{
    const QUrl url(link);
    return url.isRelative() ? QUrl(fromPath).resolved(url).path() : QString();
}

QString helpText(const QString& path)
{
    if (!isHelpPage(path)) {
        return {};
    }
    const QString source = resourceText(kFolder + path);
    QString text;
    qsizetype from = 0;
    for (auto match = linkPattern().globalMatch(source); match.hasNext();) {
        const QRegularExpressionMatch link = match.next();
        const QString file = linkedFile(path, link.captured(2));
        text += QStringView(source).mid(from, link.capturedStart() - from);
        text += file.isEmpty() || isHelpPage(file) ? link.captured() : link.captured(1);
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

} // namespace lockscope::widgets
