#include "ui/widgets/controls/paired_controls.h"

#include <QWidget>

namespace lockscope::widgets {

void PairedControls::setEnabled(bool isFirstEnabled, bool isSecondEnabled) const
{
    QWidget* const bar = first.parentWidget();
    const bool hadFirst = first.hasFocus();
    const bool hadSecond = second.hasFocus();
    const bool isWaiting = bar->hasFocus();
    if ((hadFirst || hadSecond) && !isFirstEnabled && !isSecondEnabled) {
        bar->setFocus(); // before they turn grey
    }
    first.setEnabled(isFirstEnabled);
    second.setEnabled(isSecondEnabled);
    const bool isSecondsTurn = (hadFirst || isWaiting) && isSecondEnabled;
    const bool isFirstsTurn = (hadSecond || isWaiting) && isFirstEnabled;
    if (isSecondsTurn && !isFirstEnabled) {
        second.setFocus();
    } else if (isFirstsTurn && !isSecondEnabled) {
        first.setFocus();
    }
}

} // namespace lockscope::widgets
