#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>

namespace lockscope::mutation {

/// The notes in equivalents.tsv: mutants that keep all promises as the sound protocol does, and
/// why, by their ids. "*" stands for each protocol that uses the script.
const std::map<std::string, std::string, std::less<>>& notes();

/// The key of the note on the mutant in notes(); empty if it has no note.
std::string_view noteOn(std::string_view mutantId);

/// The lines of survivors.txt: ids of mutants that no plan finds so far, although they are not
/// known to be equivalent.
const std::set<std::string, std::less<>>& survivors();

} // namespace lockscope::mutation
