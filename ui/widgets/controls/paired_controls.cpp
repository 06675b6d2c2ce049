#include "ui/widgets/controls/paired_controls.h"

#include <QWidget>

namespace lockscope::widgets {

void PairedControls::setEnabled(bool isFirstEnabled, bool isSecondEnabled) const
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
