#pragma once

#include "app/cli/output/run_outputs.h"
#include "core/service/proof_runner.h"

#include <string>

namespace lockscope::cli {

/// What is asked of a proof, and what is kept of it.
struct ProveOrder {
    service::ProofOrder proof;
    std::string saveFile; // where the shortest find goes; empty: nowhere
    RunOutputs outputs;   // of the run in which it was found
};

} // namespace lockscope::cli
