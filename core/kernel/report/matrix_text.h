#pragma once

#include "core/kernel/report/row_verdict.h"

#include <span>
#include <string>
#include <vector>

namespace lockscope::report {

using TextRow = std::vector<std::string>;

/// The rows of a group of protocols, the best first: id, verdict, and a text per column.
struct MatrixSection {
    ProtocolGroup group = ProtocolGroup::OneHolder;
    std::vector<TextRow> rows;
};

struct MatrixTable {
    TextRow head; // the names of all columns
    std::vector<MatrixSection> sections;
};

/// The reports come protocol by protocol, the same faults in the same order for each. `never`: what
/// must not happen.
MatrixTable matrixTable(std::span<const CellReport> cells, std::span<const search::Harm> never);

/// What the cells mean, one line each.
std::string matrixLegend(std::span<const search::Harm> never);

/// A table in Markdown for each group, below its name.
std::string matrixMarkdown(std::span<const CellReport> cells, std::span<const search::Harm> never);

/// A line per cell and promise, after a head with the names of the columns. No word in it holds a
/// comma.
std::string matrixCsv(std::span<const CellReport> cells);

} // namespace lockscope::report
