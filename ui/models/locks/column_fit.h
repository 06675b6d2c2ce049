#pragma once

#include <span>
#include <vector>

namespace lockscope::models {

/// How wide a column wants to be, in any unit.
struct ColumnSizing {
    int width = 0;   // what it needs for ordinary contents
    int minimum = 0; // what it can do with; not larger than `width`
    int share = 0;   // its part of the room that is left over
};

/// Widths that fill `available`. When there is more than all columns want, the shares divide the
/// rest; when there is less, columns give way in proportion to what they can spare, but never below
/// their minimum: then the sum is larger than `available`.
std::vector<int> fittedWidths(std::span<const ColumnSizing> columns, int available);

} // namespace lockscope::models
