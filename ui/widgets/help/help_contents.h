#pragma once

#include <QList>
#include <QString>

namespace lockscope::widgets {

/// A page of the help: a file of docs/, which the program brings with it.
struct HelpPage {
    QString path;  // below docs/: "lab.md"
    QString title; // its first heading
    int level = 0; // 1: stands below the one before
};

/// All pages, in the order in which they are listed. The first one is where to begin.
const QList<HelpPage>& helpPages();

/// Whether there is such a page. `path` as in HelpPage.
bool isHelpPage(const QString& path);

/// The Markdown of a page; empty when there is no such page. Its links are those that lead to other
/// pages, to headings and to the web: of what the program does not bring with it, the text is left.
QString helpText(const QString& path);

/// What a link in a page means, as a path below docs/ without the heading: "../lab.md#scenarios" in
/// "protocols/README.md" is "lab.md". Of a link to the web nothing.
QString linkedFile(const QString& fromPath, const QString& link);

/// A heading as links name it, as on GitHub: "Which lock should I use?" is
/// "which-lock-should-i-use".
QString anchorOf(const QString& heading);

} // namespace lockscope::widgets
