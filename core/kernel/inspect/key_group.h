#pragma once

#include "core/kernel/base/bytes.h"

#include <vector>

namespace lockscope::inspect {

/// A lock and the keys it consists of.
struct KeyGroup {
    Bytes name;
    std::vector<Bytes> keys; // the main key first
    friend bool operator==(const KeyGroup&, const KeyGroup&) = default;
};

} // namespace lockscope::inspect
