#pragma once

#include <QStyleOptionViewItem>

namespace lockscope::widgets {

/// The width that a line of a list has for its contents, also while the list asks for heights.
int contentWidth(const QStyleOptionViewItem& option);

/// How high the text is when it is wrapped to the width.
int wrappedHeight(const QString& text, const QFont& font, int width);

} // namespace lockscope::widgets
