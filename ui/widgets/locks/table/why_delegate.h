#pragma once

#include "ui/widgets/locks/table/cell_delegate.h"

namespace lockscope::widgets {

/// The most urgent reason as an outlined pill in the colour of its urgency, and whatever else there
/// is to say as quiet text behind it.
class WhyDelegate : public CellDelegate {
    Q_OBJECT
public:
    using CellDelegate::CellDelegate;

protected:
    void paintContents(const Cell& cell) const override;

private:
    /// Returns where the pill ends.
    static int paintPill(const Cell& cell, const QString& text);
};

} // namespace lockscope::widgets
