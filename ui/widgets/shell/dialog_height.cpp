#include "shell/dialog_height.h"

#include <QLayout>
#include <QWidget>

#include <algorithm>

namespace lockscope::widgets {

void fitHeight(QWidget& dialog)
{
    QLayout* layout = dialog.layout();
    layout->invalidate();
    layout->activate();
    const int width = std::max(dialog.width(), dialog.minimumWidth());
    const int height = layout->hasHeightForWidth() ? layout->totalHeightForWidth(width)
                                                   : layout->totalSizeHint().height();
    dialog.resize(width, height);
}

} // namespace lockscope::widgets
