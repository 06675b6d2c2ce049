#include "ui/widgets/shell/actions.h"

#include "ui/widgets/style/icons.h"

namespace lockscope::widgets {

QAction* createAction(QObject* parent, const QString& name, const QString& text,
                      const QList<QKeySequence>& keys, QStringView icon)
{
    auto* action = new QAction(text, parent);
    action->setObjectName(name);
    action->setShortcuts(keys);
    if (!icon.isEmpty()) {
        action->setIcon(tintedIcon(icon));
    }
    return action;
}

} // namespace lockscope::widgets
