#pragma once

#include "core/conduct/cast.h"
#include "core/kernel/base/time.h"
#include "core/kernel/conduct/proof.h"

#include <chrono>
#include <string>

namespace lockscope::cli {

/// What is asked of a proof.
struct ProveOrder {
    conduct::AdapterSetting adapter;
    conduct::ProofBounds bounds;
    std::string workload;                      // its id; empty: all that suit the adapter
    Duration budget = std::chrono::minutes(2); // of real time
};

/// What it came to.
struct ProveOutcome {
    std::string mistake; // of the adapter; empty: none
    conduct::AdapterTraits traits;
    conduct::Proof proof;
};

} // namespace lockscope::cli
