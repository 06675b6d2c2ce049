#pragma once

#include <QAction>
#include <QKeySequence>
#include <QList>

namespace lockscope::widgets {

/// An action with a name, words, keys and a tinted icon, as every action of the window has them.
QAction* createAction(QObject* parent, const QString& name, const QString& text,
                      const QList<QKeySequence>& keys = {}, QStringView icon = {});

} // namespace lockscope::widgets
