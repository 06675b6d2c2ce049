#pragma once

#include "core/kernel/contention/prediction.h"
#include "core/kernel/report/lock_json.h"
#include "core/kernel/report/run/run_verdicts.h"
#include "core/kernel/search/inevitability.h"
#include "core/kernel/trace/run_statistics.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lockscope::report {

/// What `simulate`, `explore`, `replay` and `contend`, also with `--predict`, have to say in the
/// end.
struct RunReport {
    std::string protocol;
    std::string_view mode; // "contend"
    std::uint64_t seed = 0;
    std::optional<std::uint64_t> schedules; // of searches
    std::optional<std::uint64_t> states;
    bool isBoundReached = false;
    std::optional<Duration> virtualTime; // of runs in virtual time
    std::vector<PromiseVerdict> promises;
    std::vector<std::string> story;
    std::string file;        // where the counterexample was saved; empty: nowhere
    std::string untested;    // why nothing was put to the test; empty: something was
    std::string serverError; // the words of the first error that the server answered with
    trace::RunStatistics statistics;
    /// What the contention model computes for the same run; without it there is no such member.
    std::optional<contention::Prediction> prediction;
};

/// As documented in the man page. What this kind of run does not know is null.
Json runJson(const RunReport& report);

/// One of the member "promises".
Json promiseJson(const PromiseVerdict& verdict);

/// The member "turningPoint", where the run has one.
Json turningPointJson(const search::TurningPoint& turn);

/// The member "stats": the documented ones, and behind them what else was counted.
Json statisticsJson(const trace::RunStatistics& statistics);

} // namespace lockscope::report
