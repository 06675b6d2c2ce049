#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// What exec() is given for a program that is started.
namespace lockscope::wire {

using ProgramVariables = std::vector<std::pair<std::string, std::string>>;

/// The environment of this process with some variables set anew and others taken away, "NAME=value"
/// each.
std::vector<std::string> environmentWith(const ProgramVariables& variables,
                                         std::span<const std::string_view> without = {});

/// Pointers to the words, with the null pointer behind them; good as long as the words stay.
std::vector<char*> pointersTo(std::vector<std::string>& words);

} // namespace lockscope::wire
