#pragma once

#include "app/cli/output/output.h"
#include "core/kernel/inspect/formats/format_table.h"
#include "core/operations/owner_names.h"

namespace lockscope::cli {

/// The formats that are built in and those of the user's files, whose mistakes are complained
/// about.
inspect::FormatTablePtr formatsOfUser(Output& output);

/// Who is behind owner tokens, as the user says in owners.json beside those files; what is wrong
/// with it is told to the output, and then nobody is known. Never null.
operations::OwnerNamesPtr ownersOfUser(Output& output);

} // namespace lockscope::cli
