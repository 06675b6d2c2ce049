#pragma once

#include "core/kernel/conduct/proof.h"
#include "core/kernel/report/lock_json.h"

#include <string>
#include <vector>

namespace lockscope::report {

/// What `prove --format json` prints: docs/command-line.md has the members. `realServer`: against
/// which the finds were shown again; empty: none.
Json proofJson(const conduct::Proof& proof, const conduct::AdapterTraits& traits,
               const std::string& realServer);

/// The same as a test report that build servers read (JUnit): a case per promise.
std::string proofJunit(const conduct::Proof& proof, const std::vector<std::string>& adapter);

} // namespace lockscope::report
