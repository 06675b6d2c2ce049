#pragma once

class QColor;
class QTextFrame;

namespace lockscope::widgets {

/// Gives the tables of a text hairlines, and room around what stands in their cells.
void thinTables(const QTextFrame& frame, const QColor& hairline);

} // namespace lockscope::widgets
