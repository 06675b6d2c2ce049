#pragma once

#include <cstdint>

namespace lockscope::wire {

/// A unique seed: from the system's generator. For tokens and names that must be unique
/// among machines; everything that is to be repeatable gets a seed from outside instead. Any
/// thread.
std::uint64_t freshSeed();

} // namespace lockscope::wire
