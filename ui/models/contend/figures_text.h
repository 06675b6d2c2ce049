#pragma once

#include "ui/models/contend/run_figures.h"
#include "ui/models/contend/run_tiles.h"

#include <QString>

#include <optional>
#include <vector>

// The figures of a run as words, as rows of a comparison and as a file for a spreadsheet.
namespace lockscope::models {

/// One number that runs are compared by.
struct RunMetric {
    enum class Unit { Count, Rate, Time, Index };

    QString id;    // stable: "wait-p50"
    QString title; // "Wait, p50"
    Unit unit = Unit::Count;
    std::optional<double> value; // a Time in µs; nullopt: not known
    QString whyUnknown;          // "not recorded"; empty when it is known
};

/// The same ones in the same order for every run.
std::vector<RunMetric> metricsOf(const RunFigures& figures);

/// The value with its unit, or why it is not known.
QString metricText(const RunMetric& metric);

/// The most important numbers, to be read at a glance.
std::vector<RunTile> figureTiles(const RunFigures& figures);

/// A metric of two runs side by side.
struct ComparisonRow {
    QString metric;
    QString ours;
    QString theirs;
    QString difference; // ours measured by theirs: "+12 %", "same"

    friend bool operator==(const ComparisonRow&, const ComparisonRow&) = default;
};

std::vector<ComparisonRow> comparisonRows(const RunFigures& ours, const RunFigures& theirs);

/// All figures as CSV (RFC 4180): a line for each number with the run, the figure, what or when it
/// is of, and its unit. What is not known is empty and says why in place of the unit. Times are in
/// µs since the beginning of the run.
QString figuresCsv(const RunFigures& figures, const RunFigures* other = nullptr);

} // namespace lockscope::models
