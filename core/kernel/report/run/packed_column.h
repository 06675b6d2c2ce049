#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace lockscope::report {

/// The numbers of a column in a run file of version 1, many of them in one text. A number is folded
/// so that small ones of either sign are short (0, -1, 1, -2 become 0, 1, 2, 3), cut into groups of
/// seven bits, the lowest first, each in a byte whose top bit says that another one follows; the
/// bytes are written in base64. nullopt: this is not such a text, or its last number is cut off.
std::optional<std::vector<std::int64_t>> unpackedColumn(std::string_view text);

} // namespace lockscope::report
