#pragma once

#include "core/kernel/report/cell_view.h"

#include <QString>
#include <QStringList>

#include <span>
#include <vector>

// What the window says about cells of the matrix. A view is that of the cell next to it.
namespace lockscope::models {

/// The text of the cell: "7".
QString cellText(const report::CellReport& cell, const report::CellView& view,
                 std::span<const search::Harm> never);

/// "does not happen", "stuck for ever in 7 steps": after the names of protocol and fault.
QString verdictText(const report::CellReport& cell, const report::CellView& view);

/// What happened, or what was covered, in a sentence.
QString detailText(const report::CellReport& cell, const report::CellView& view);

/// The first lines of a story, and how many follow.
QStringList storyBeginning(const std::vector<search::StoryLine>& story);

/// What the marks of the matrix mean: "it happens in 7 steps, although …".
QString meaningOf(report::CellStanding standing);

/// An example of a cell's text: "7".
QString exampleOf(report::CellStanding standing);

} // namespace lockscope::models
