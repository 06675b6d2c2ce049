#pragma once

#include <QByteArray>
#include <QString>

namespace lockscope::widgets {

/// Writes the file whole or not at all. Returns why not, with the file's name; empty when it was
/// written.
QString writeFile(const QString& path, const QByteArray& content);

/// The text of a file that comes with the program: ":/scenarios/2-draw.json". Empty when there is
/// none.
QString resourceText(const QString& path);

} // namespace lockscope::widgets
