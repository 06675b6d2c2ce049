#pragma once

#include "core/kernel/report/matrix_columns.h"
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

/// How the matrix is looked at.
struct MatrixLook {
    std::span<const search::Harm> never;         // what must not happen
    std::span<const world::FaultGroup> unfolded; // groups with a column per fault
};

/// The reports come protocol by protocol, the same faults in the same order for each.
MatrixTable matrixTable(std::span<const CellReport> cells, const MatrixLook& look);

/// The columns of that table.
std::vector<MatrixColumn> columnsOf(std::span<const CellReport> cells, const MatrixLook& look);

/// What the cells mean, one line each.
std::string matrixLegend(std::span<const search::Harm> never);

/// A table in Markdown for each group, below its name.
std::string matrixMarkdown(std::span<const CellReport> cells, const MatrixLook& look);

/// A line per cell and promise, after a head with the names of the columns. No word in it holds a
/// comma.
std::string matrixCsv(std::span<const CellReport> cells);

} // namespace lockscope::report
