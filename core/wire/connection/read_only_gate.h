#pragma once

#include "core/kernel/store/command.h"

namespace lockscope::wire {

/// True for commands that are known to change no data: the only ones that a read-only connection
/// sends. An explicit list, because an unknown command must be refused. EVAL is not
/// on it.
bool isReadCommand(const store::Command& command);

} // namespace lockscope::wire
