#include "ui/widgets/locks/release/typed_edit.h"

#include "ui/widgets/style/theme.h"

#include <QKeyEvent>
#include <QMouseEvent>

namespace lockscope::widgets {

TypedEdit::TypedEdit(QWidget* parent) : QLineEdit(parent)
{
    setFont(monospacedFont());
}

void TypedEdit::refusePasting(bool isRefused)
{
    m_isPastingRefused = isRefused;
    setAcceptDrops(!isRefused);
    setContextMenuPolicy(isRefused ? Qt::NoContextMenu : Qt::DefaultContextMenu);
}

void TypedEdit::keyPressEvent(QKeyEvent* event)
{
    if (m_isPastingRefused && event->matches(QKeySequence::Paste)) {
        Q_EMIT pasteRefused();
        return;
    }
    QLineEdit::keyPressEvent(event);
}

/// The middle button pastes the selection under X11.
void TypedEdit::mouseReleaseEvent(QMouseEvent* event)
{
    if (m_isPastingRefused && event->button() == Qt::MiddleButton) {
        Q_EMIT pasteRefused();
        return;
    }
    QLineEdit::mouseReleaseEvent(event);
}

} // namespace lockscope::widgets
