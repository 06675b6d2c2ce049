#pragma once

#include "core/kernel/protocol/promise.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace lockscope::search {

/// What a broken promise does to whoever uses the lock, worst first. The text ids are part of the
/// command line and the JSON.
enum class Harm : std::uint8_t {
    TwoHolders,   // at once, where one may be
    Stuck,        // for ever: nobody gets the lock any more
    WrongRelease, // of somebody else's lock, which was removed or extended
    WrongCount,   // a count, a fence or the end of a lease is not what the holder was told
    Unfair,       // waits without end, or while others pass
};

std::span<const Harm> allHarms();

std::string_view idOf(Harm harm); // "two-holders"
std::optional<Harm> harmOfId(std::string_view id);

/// In a few words: "two holders at once".
std::string nameOf(Harm harm);

/// In one, where there is no room for more: "two", "stuck", "wrong", "count", "unfair".
std::string wordOf(Harm harm);

/// What breaking the promise does.
Harm harmOf(protocol::Promise promise);

} // namespace lockscope::search
