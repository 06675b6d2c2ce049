#include "ui/widgets/controls/dialog_height.h"

#include <QLayout>
#include <QScreen>
#include <QWidget>

#include <algorithm>

namespace lockscope::widgets {

namespace {

constexpr int kUsualDecoration = 40; // the frame is not there yet when the window is new

int decorationOf(const QWidget& dialog)
{
    return std::max(dialog.frameGeometry().height() - dialog.height(), kUsualDecoration);
}

/// What a dialog may take of its screen.
int roomFor(const QWidget& dialog)
{
    return dialog.screen()->availableGeometry().height() - decorationOf(dialog);
}

/// A window that grows grows downwards, and its buttons are at the bottom.
void keepOnScreen(QWidget& dialog)
{
    const QRect room = dialog.screen()->availableGeometry();
    const int lowest = room.bottom() + 1 - dialog.height() - decorationOf(dialog);
    if (dialog.isVisible() && dialog.y() > lowest) {
        dialog.move(dialog.x(), std::max(room.top(), lowest));
    }
}

} // namespace

void fitHeight(QWidget& dialog)
{
    // A change deep inside reaches the outer layouts with events that are still to come.
    const QList<QWidget*> inner = dialog.findChildren<QWidget*>();
    std::for_each(inner.rbegin(), inner.rend(), [](QWidget* widget) { widget->updateGeometry(); });
    QLayout* layout = dialog.layout();
    layout->invalidate();
    layout->activate();
    const int width = std::max(dialog.width(), dialog.minimumWidth());
    const int height = layout->hasHeightForWidth() ? layout->totalHeightForWidth(width)
                                                   : layout->totalSizeHint().height();
    dialog.resize(width, std::min(height, roomFor(dialog)));
    keepOnScreen(dialog);
}

void openAtFullHeight(QWidget& dialog)
{
    constexpr int kLines = 46;
    dialog.resize(dialog.minimumWidth(),
                  std::min(dialog.fontMetrics().height() * kLines, roomFor(dialog)));
}

} // namespace lockscope::widgets
