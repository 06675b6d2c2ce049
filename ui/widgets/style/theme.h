#pragma once

#include "ui/widgets/shell/settings.h"

#include <QFont>
#include <QPalette>

class QApplication;

namespace lockscope::widgets {

/// The two palettes of the program. They use the roles of QPalette like this: Window for panels and
/// Base for the table, Mid for hairlines, PlaceholderText for what is said quietly, Link for the
/// accent, Highlight for a selected row (whose text keeps its colour).
QPalette lightPalette();
QPalette darkPalette();

bool isDark(const QPalette& palette);

/// The fixed-width font for keys, tokens and commands, in the size of the program's font.
QFont monospacedFont();

/// Gives the application our style and the palette of the choice. FollowSystem takes the light or
/// dark one, as the platform's own palette is. May be called again at any time.
void applyTheme(QApplication& application, ThemeChoice choice);

} // namespace lockscope::widgets
