#pragma once

#include <QIcon>
#include <QStringView>

namespace lockscope::widgets {

/// One of our line icons (resources/icons, without the ending), painted in the text colour of the
/// program's palette, whatever that is at the moment of painting.
QIcon tintedIcon(QStringView name);

/// The icon of the program, in its own colours.
QIcon applicationIcon();

} // namespace lockscope::widgets
