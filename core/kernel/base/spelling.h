#pragma once

#include <span>
#include <string_view>

namespace lockscope {

/// How many letters must be changed, added, dropped or swapped with their neighbour to turn one
/// word into the other (the optimal string alignment distance, counted in bytes).
std::size_t editDistance(std::string_view a, std::string_view b);

/// The first of the known words that are nearest to what was typed; empty when none is within
/// `maxDistance`. For "did you mean": very long words are not compared at all, since they are no
/// typing errors.
std::string_view nearestWord(std::string_view typed, std::span<const std::string_view> known,
                             std::size_t maxDistance);

} // namespace lockscope
