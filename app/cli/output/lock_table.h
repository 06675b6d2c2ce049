#pragma once

#include "core/kernel/inspect/lock_record.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

// Tables for people at a terminal: pure functions from values to text.
namespace lockscope::cli {

/// In the order of the window's table: the most urgent locks first, what is probably data last.
void sortByUrgency(std::vector<inspect::LockPtr>& rows);

/// An aligned table with one line per lock. Columns that would say the same in every row are left
/// out; long words are cut in the middle when the lines would be longer than `widthMax` code
/// points. Empty without rows.
std::string lockTable(std::span<const inspect::LockPtr> rows,
                      const std::vector<std::string>& serverNames, Instant now,
                      std::size_t widthMax = 100);

/// Lines of cells as aligned columns, two spaces apart, no spaces at the ends of lines.
std::string alignedColumns(std::span<const std::vector<std::string>> lines);

/// "1,000,412"
std::string countText(std::uint64_t count);
/// "1 byte", "2,048 bytes".
std::string counted(std::uint64_t count, std::string_view one, std::string_view many);

} // namespace lockscope::cli
