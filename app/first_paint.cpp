#include "app/first_paint.h"

#include <QEvent>
#include <QLoggingCategory>

namespace lockscope::app {

namespace {

Q_LOGGING_CATEGORY(startup, "lockscope.startup", QtWarningMsg)

} // namespace

FirstPaint::FirstPaint(QAbstractItemView& table, QObject* parent) : QObject(parent), m_table(table)
{
    if (startup().isDebugEnabled()) {
        m_table.viewport()->installEventFilter(this);
    }
}

bool FirstPaint::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::Paint && m_table.model()->rowCount() > 0) {
        watched->removeEventFilter(this);
        // Queued behind the paint event that has only begun.
        QMetaObject::invokeMethod(
            this, [] { qCDebug(startup, "first table painted"); }, Qt::QueuedConnection);
    }
    return false;
}

} // namespace lockscope::app
