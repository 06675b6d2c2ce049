#pragma once

#include "ui/models/charts/chart_content.h"
#include "ui/models/contend/run_figures.h"

// The charts of the statistics and of a live run. `other` is the run to compare with, nullptr for
// none.
namespace lockscope::models {

/// How long the waits were: bars on a logarithmic scale, and the share of all that are not longer.
ChartContent waitChart(const RunFigures& figures, const RunFigures* other = nullptr);

/// Acquisitions per second over the time of the run.
ChartContent rateChart(const RunFigures& figures, const RunFigures* other = nullptr);

/// What each contender got of all acquisitions, the one with most at the left.
ChartContent shareChart(const RunFigures& figures, const RunFigures* other = nullptr);

/// Tries, renewals and commands for one acquisition.
ChartContent effortChart(const RunFigures& figures, const RunFigures* other = nullptr);

} // namespace lockscope::models
