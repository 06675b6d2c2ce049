#pragma once

#include "core/kernel/inspect/lock_record.h"
#include "ui/widgets/controls/status_wording.h"

#include <QColor>
#include <QPalette>

namespace lockscope::widgets {

/// The colour of a state's dot and word.
QColor colorOf(LinkTone tone, const QPalette& palette);

/// The colour of a lock's state.
QColor colorOf(inspect::LockState state, const QPalette& palette);

/// The colour of a severity as inspect::severityOf() counts it: 2 red, 1 amber, 0 green.
QColor severityColor(int severity, const QPalette& palette);

/// The background of something that is painted in `color`: a breath of it over the surface.
QColor tintOf(const QColor& color, const QColor& surface);

/// The colour of an environment: for its badge and for the line along the window's edge. Red for
/// production; invalid for an environment that needs no line.
QColor environmentColor(const QString& environment);

} // namespace lockscope::widgets
