#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>

namespace lockscope::mutation {

/// Of equivalents.tsv: mutants that keep all promises as the sound protocol does, and why they do.
/// By their ids; with "*" for the protocol where all protocols share the script.
const std::map<std::string, std::string, std::less<>>& notes();

/// The key of the note on the mutant in notes(); empty: there is none.
std::string_view noteOn(std::string_view mutantId);

/// Of survivors.txt: the ids of mutants that no plan finds so far, although they are not known to
/// be equivalent.
const std::set<std::string, std::less<>>& survivors();

} // namespace lockscope::mutation
