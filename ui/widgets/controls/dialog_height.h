#pragma once

class QWidget;

namespace lockscope::widgets {

/// Makes a dialog as high as its contents want to be at its present width. Layouts do not do that
/// by themselves when the height depends on the width, and the contents of our dialogs change while
/// they are open. It never becomes higher than the screen: what may be higher needs a part that
/// scrolls. A dialog that would reach beyond the lower edge of the screen moves up.
void fitHeight(QWidget& dialog);

/// Lets a dialog that fills a moment later open about as high as it becomes: the window system
/// looks for a place when it opens, and not again when it grows.
void openAtFullHeight(QWidget& dialog);

} // namespace lockscope::widgets
