#pragma once

#include "tests/mutation/mutants.h"

#include <vector>

namespace lockscope::mutation {

/// The same protocol in other words: nothing that a client could tell apart. No verdict may differ.
/// Other names of the keys, a companion key that each script leaves behind, and another spelling of
/// the owner where all scripts of the protocol are told it.
std::vector<Mutant> variantsOf(const Subject& subject);

} // namespace lockscope::mutation
