#include "shell/opposites.h"

#include <QWidget>

namespace lockscope::widgets {

void Opposites::setEnabled(bool isFirstEnabled, bool isSecondEnabled) const
{
    const bool hadFirst = first.hasFocus();
    const bool hadSecond = second.hasFocus();
    first.setEnabled(isFirstEnabled);
    second.setEnabled(isSecondEnabled);
    if (hadFirst && !isFirstEnabled && isSecondEnabled) {
        second.setFocus();
    } else if (hadSecond && !isSecondEnabled && isFirstEnabled) {
        first.setFocus();
    }
}

} // namespace lockscope::widgets
