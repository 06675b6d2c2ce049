#pragma once

#include "core/kernel/base/bytes.h"
#include "core/kernel/conduct/run_log.h"
#include "core/kernel/conduct/workload.h"

#include <span>
#include <vector>

namespace lockscope::conduct {

/// One run that is asked for.
struct Play {
    const Workload* workload = nullptr; // outlives the run
    std::vector<Deviation> deviations;
};

/// Where runs are carried out: with real processes, or, in tests, with written ones.
class Stage {
public:
    virtual ~Stage() = default;
    /// One run. Blocks until it is over.
    virtual RunLog play(const Workload& workload, std::span<const Deviation> deviations) = 0;
    /// Several runs; the logs come in the order of the plays.
    virtual std::vector<RunLog> playAll(std::span<const Play> plays)
    {
        std::vector<RunLog> logs;
        for (const Play& one : plays) {
            logs.push_back(play(*one.workload, one.deviations));
        }
        return logs;
    }
    /// Those that its servers know when a run begins.
    virtual std::vector<Bytes> scripts() const { return {}; }
    /// How many runs go on at the same time.
    virtual int width() const { return 1; }
};

} // namespace lockscope::conduct
