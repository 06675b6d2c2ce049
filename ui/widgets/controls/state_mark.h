#pragma once

#include "core/kernel/inspect/lock_record.h"
#include "ui/widgets/style/palette_colors.h"

#include <QRectF>

class QPainter;

namespace lockscope::widgets {

/// The colour of a state's mark and word.
QColor colorOfState(inspect::LockState state, int severity, const StateColors& colors);

/// The mark of a state: a shape of its own for each, so that colours need not be told apart.
/// Triangle: suspicious; ring: not confirmed; diamond: others wait; two bars: read by several;
/// disc: held.
void paintStateMark(QPainter& painter, const QRectF& rect, inspect::LockState state,
                    const QColor& color);

} // namespace lockscope::widgets
