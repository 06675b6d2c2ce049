#pragma once

#include "core/kernel/conduct/stage.h"
#include "core/kernel/conduct/workload.h"

#include <string>

namespace lockscope::conduct {

/// What a trial of an adapter came to.
struct AdapterTrial {
    AdapterTraits traits;
    std::string mistake; // what an adapter does that no lock library means; empty: nothing
};

/// Tries an adapter without any interference, before anything is laid at its library's door:
/// acquires, asks with a second process, releases, and holds for longer than a lease to see whether
/// the library renews. Nobody waits in it.
AdapterTrial tryAdapter(Stage& stage, const Vocabulary& vocabulary,
                        const Surroundings& surroundings);

/// The same for a whole program: alone, it has to enter its protected section and to leave it.
AdapterTrial tryProgram(Stage& stage, const Surroundings& surroundings);

} // namespace lockscope::conduct
