#pragma once

#include "app/cli/output/output.h"
#include "core/kernel/inspect/formats/format_table.h"
#include "core/operations/owner_names.h"

namespace lockscope::cli {

/// The formats that are built in and those of the user's files, whose mistakes are complained
/// about.
inspect::FormatTablePtr formatsOfUser(Output& output);

/// The same, with one more decision that counts for this call alone: the key with this name is of
/// `format`, if that is not empty. Null: there is no such format, which is complained about.
inspect::FormatTablePtr formatsWithDecision(Output& output, const Bytes& key,
                                            const std::string& format);

/// Whether keys can be decided to be of this format; if not, that is complained about.
bool canBeTreatedAs(const inspect::FormatTable& formats, const std::string& format, Output& output);

/// Who is behind owner tokens, as the user says in owners.json beside those files; what is wrong
/// with it is told to the output, and then nobody is known. Never null.
operations::OwnerNamesPtr ownersOfUser(Output& output);

} // namespace lockscope::cli
