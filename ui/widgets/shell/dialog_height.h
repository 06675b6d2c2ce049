#pragma once

class QWidget;

namespace lockscope::widgets {

/// Makes a dialog as high as its contents want to be at its present width. Layouts do not do that
/// by themselves when the height depends on the width, and the contents of our dialogs change while
/// they are open.
void fitHeight(QWidget& dialog);

} // namespace lockscope::widgets
