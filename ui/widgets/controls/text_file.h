#pragma once

#include <QString>

namespace lockscope::widgets {

/// Writes the file whole or not at all. Returns why not, with the file's name; empty when it was
/// written.
QString writeTextFile(const QString& path, const QString& text);

/// The text of a file that comes with the program: ":/scenarios/2-draw.json". Empty when there is
/// none.
QString resourceText(const QString& path);

} // namespace lockscope::widgets
