#pragma once

#include "ui/widgets/controls/prompter.h"

class QMenuBar;

namespace lockscope::widgets {

/// All keys, a line each: those of the actions in the menus, and those that are no actions.
Question shortcutsPage(const QMenuBar& menus);

/// The same as a page of the help, in Markdown.
QString keysPage(const QMenuBar& menus);

Question aboutPage();

} // namespace lockscope::widgets
