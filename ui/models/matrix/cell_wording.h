#pragma once

#include "core/kernel/report/cell_view.h"

#include <QString>
#include <QStringList>

#include <span>
#include <vector>

// Texts of the window about cells of the matrix. Each view belongs to the cell before it.
namespace lockscope::models {

/// The text of the cell: "7".
QString cellText(const report::CellReport& cell, const report::CellView& view,
                 std::span<const search::Harm> never);

/// Continues the names of protocol and fault: "does not happen".
QString verdictText(const report::CellReport& cell, const report::CellView& view);

/// Returns a sentence about the harm, or about the coverage of the search.
QString detailText(const report::CellReport& cell, const report::CellView& view);

/// The first lines of a story, and how many follow.
QStringList storyBeginning(const std::vector<search::StoryLine>& story);

/// Explains a mark of the matrix for the legend: "it happens in 7 steps, although …".
QString meaningOf(report::CellStanding standing);

/// An example of a cell's text: "7".
QString exampleOf(report::CellStanding standing);

} // namespace lockscope::models
