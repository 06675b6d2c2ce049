#pragma once

#include "ui/widgets/locks/table/cell_delegate.h"

namespace lockscope::widgets {

/// The owner's token in a fixed-width font, cut in the middle, and the client behind it, more
/// quietly.
class OwnerDelegate : public CellDelegate {
    Q_OBJECT
public:
    using CellDelegate::CellDelegate;

protected:
    void paintContents(const Cell& cell) const override;
};

} // namespace lockscope::widgets
