#pragma once

#include "app/cli/output/format.h"
#include "core/kernel/inspect/watch/sweep_findings.h"

#include <span>
#include <string>

namespace lockscope::cli {

/// What the sweep of one server came upon.
struct ServerFindings {
    std::string serverName;
    int database = 0;
    const inspect::SweepFindings& findings;
};

/// The keys that looked like locks and were not taken for one, and why, as `list --near-misses`
/// prints them.
std::string nearMissText(std::span<const ServerFindings> servers, Format format, Instant now);

} // namespace lockscope::cli
