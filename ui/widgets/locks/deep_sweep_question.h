#pragma once

#include "shell/prompter.h"

namespace lockscope::widgets {

/// Before every key of a production server is read.
Question deepSweepQuestion();

} // namespace lockscope::widgets
