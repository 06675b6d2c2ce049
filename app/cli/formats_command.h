#pragma once

#include "cli/cli_arguments.h"

#include <string>

namespace lockscope::cli {

/// What `formats` prints: every format that is recognised, one line or object each.
std::string formatsText(Format format);

} // namespace lockscope::cli
