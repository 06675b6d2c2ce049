#pragma once

#include <QList>
#include <QString>
#include <QStringList>

class QTextDocument;

namespace lockscope::widgets {

/// A page of the help: a file of docs/, which the program brings with it, or its translation in the
/// folder of the language: docs/zh_CN.
struct HelpPage {
    QString path;  // below docs/ in English: "lab.md", whatever the language
    QString title; // its first heading
    int level = 0; // 1: stands below the one before
};

/// All pages, in the order in which they are listed. The first one is where to begin. The titles of
/// those that are not translated into the language ("zh_CN") are English.
QList<HelpPage> helpPages(const QString& language);

/// Whether there is such a page. `path` as in HelpPage.
bool isHelpPage(const QString& path);

/// Whether the page can be read in the language. All pages are there in English, "en".
bool isInLanguage(const QString& path, const QString& language);

/// The Markdown of a page in the language, else in English; empty when there is no such page. Its
/// links are those that lead to other pages, to headings and to the web: of what the program does
/// not bring with it, the text is left. They name the pages by their paths, without the language.
QString helpText(const QString& path, const QString& language);

/// What a link in a page means, as a path below docs/ without the heading: "../lab.md#scenarios" in
/// "protocols/README.md" is "lab.md". Of a link to the web nothing.
QString linkedFile(const QString& fromPath, const QString& link);

/// A heading as links name it, as on GitHub: "Which lock should I use?" is
/// "which-lock-should-i-use".
QString anchorOf(const QString& heading);

/// The headings of a page as links name them, in their order.
QStringList anchorsIn(const QTextDocument& page);

/// The heading of a translated page that stands where the English page has `anchor`; empty when it
/// has none.
QString translatedAnchor(const QString& path, const QString& anchor, const QString& language);

} // namespace lockscope::widgets
