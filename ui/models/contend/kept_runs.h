#pragma once

#include "ui/models/contend/run_figures.h"

#include <cstddef>
#include <vector>

namespace lockscope::models {

/// Runs that are over, as long as the program runs: what the next ones are compared with. The
/// latest comes first; of too many, the oldest go.
class KeptRuns {
public:
    static constexpr std::size_t kRunsAtMost = 20;

    /// Takes the place of a run with the same title. A run without a request is not kept.
    void add(RunFigures run);

    const std::vector<RunFigures>& runs() const { return m_runs; }

private:
    std::vector<RunFigures> m_runs;
};

} // namespace lockscope::models
