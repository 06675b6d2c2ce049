#pragma once

#include "core/kernel/base/rng.h"
#include "tests/soak/topologies.h"
#include "tests/support/live/weak_way.h"

#include <functional>
#include <vector>

namespace lockscope::testing {

/// Where something happens.
struct Scene {
    Topology& topology;
    WeakWay* way; // to its servers; null: it is a good one
    Rng& rng;
};

/// Something that happens to servers or to the way to them. It is over when strike() returns,
/// unless it is a way that stays slow.
struct Disaster {
    const char* name;
    std::function<void(const Scene&)> strike;
    bool takesLong = false; // half a minute
};

const std::vector<Disaster>& disastersOfServers();
const std::vector<Disaster>& disastersOfNetworks(); // need a way

} // namespace lockscope::testing
