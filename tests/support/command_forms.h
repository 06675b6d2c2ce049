#pragma once

#include <span>
#include <string_view>

namespace lockscope::testing {

/// What commands look like, most of them well-formed. Words of one letter stand for something drawn
/// at random: K key, V value, I integer, F field, M member, S score, R end of a range of scores, N
/// index, C channel, D and d time from now in ms and s, A and a instant in ms and s, P instant that
/// has passed.
std::span<const std::string_view> commandForms();

} // namespace lockscope::testing
