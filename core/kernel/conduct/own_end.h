#pragma once

#include "core/kernel/conduct/deviation.h"
#include "core/kernel/conduct/run_log.h"
#include "core/kernel/conduct/workload.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace lockscope::conduct {

/// A process of the client that ended by itself in the middle of a run, as of an error that nothing
/// caught. No promise speaks of it, but whoever runs the client wants to know.
struct OwnEnd {
    int process = 0;
    std::vector<Deviation> deviations;
    std::vector<std::string> lastWords; // the latest lines on its standard error

    friend bool operator==(const OwnEnd&, const OwnEnd&) = default;
};

/// The first one; nullopt: none did. Whole programs are meant to end.
std::optional<OwnEnd> ownEndIn(const RunLog& log, const Workload& workload,
                               std::span<const Deviation> deviations);

} // namespace lockscope::conduct
