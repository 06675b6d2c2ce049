#pragma once

#include "ui/widgets/controls/prompter.h"

#include <QString>

namespace lockscope::widgets {

/// Before every key of a production server is read, or of one that this does something to:
/// `effect`, in a sentence or two.
Question deepSweepQuestion(bool isProduction, const QString& effect);

} // namespace lockscope::widgets
