#pragma once

class QWidget;

namespace lockscope::widgets {

/// Two controls of the same bar, of which one ends what the other begins.
struct PairedControls {
    QWidget& first;
    QWidget& second;

    /// A control that loses the keyboard by turning grey hands it to the other one, if that can
    /// take it: left alone, Qt gives it to the next control. While both are grey, their bar has the
    /// keyboard for them.
    void setEnabled(bool isFirstEnabled, bool isSecondEnabled) const;
};

} // namespace lockscope::widgets
