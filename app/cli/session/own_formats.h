#pragma once

#include "app/cli/output/output.h"
#include "core/kernel/inspect/formats/format_table.h"

namespace lockscope::cli {

/// The formats that are built in and those of the user's files, whose mistakes are complained
/// about.
inspect::FormatTablePtr formatsOfUser(Output& output);

} // namespace lockscope::cli
