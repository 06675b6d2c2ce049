#pragma once

#include "core/service/proof_runner.h"

#include <string>

namespace lockscope::cli {

/// What prove prints for people.
std::string proveText(const service::ProofOrder& order, const service::ProofOutcome& outcome,
                      Duration elapsed);

} // namespace lockscope::cli
