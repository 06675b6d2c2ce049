#pragma once

#include "app/cli/context.h"
#include "app/cli/output/format.h"
#include "app/cli/session/prove_order.h"
#include "core/kernel/async/task.h"
#include "core/kernel/report/run/proof_file.h"

#include <string>
#include <vector>

// What prove and replay have in common: real processes are started, and it is said what they did.
namespace lockscope::cli {

/// Carries it out, prints what it came to and saves the shortest find where that is asked for. The
/// exit code.
async::Task<int> runProof(Context context, ProveOrder order, Format format);

/// To have the find of a file shown again by the adapter that `words` start.
ProveOrder orderOf(const report::ProofFile& proof, std::vector<std::string> words);

} // namespace lockscope::cli
