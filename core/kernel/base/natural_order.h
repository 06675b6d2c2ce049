#pragma once

#include <compare>
#include <span>
#include <string_view>

namespace lockscope {

/// The order in which people look for names: numbers in them count as numbers, so that `flag:2`
/// comes before `flag:10`; everything else compares by its bytes. Names that differ only in leading
/// zeros compare by their bytes as well, so that only identical texts are equal.
std::strong_ordering naturalOrder(std::string_view a, std::string_view b);

/// Fills `out` with the beginning of a form of the text that compares by its bytes as
/// naturalOrder() does, and with zeros behind it. Beginnings of one size that differ tell the
/// order; where they are equal it is undecided.
void writeNaturalBeginning(std::string_view text, std::span<unsigned char> out);

} // namespace lockscope
