#pragma once

#include <QString>
#include <QStringList>
#include <QWidget>

namespace lockscope::testing {

/// Where Tab jumps upwards in a form of one column; empty where it goes from top to bottom. The
/// form has to be visible.
inline QStringList jumpsOfTab(const QWidget& form)
{
    QStringList jumps;
    const QWidget* former = nullptr;
    const auto topOf = [&form](const QWidget& field) { return field.mapTo(&form, QPoint()).y(); };
    for (const QWidget* field = form.nextInFocusChain(); field != &form;
         field = field->nextInFocusChain()) {
        const bool isStop = form.isAncestorOf(field) && field->isVisibleTo(&form)
                            && field->isEnabledTo(&form)
                            && (field->focusPolicy() & Qt::TabFocus) == Qt::TabFocus
                            && field->focusProxy() == nullptr;
        if (!isStop) {
            continue;
        }
        const bool isJump = former != nullptr && topOf(*field) + field->height() <= topOf(*former);
        if (isJump) {
            jumps += former->objectName() + QStringLiteral(" to ") + field->objectName();
        }
        former = field;
    }
    return jumps;
}

} // namespace lockscope::testing
