#pragma once

#include "core/kernel/base/time.h"
#include "core/kernel/inspect/observation.h"

#include <functional>
#include <string>
#include <string_view>

namespace lockscope::inspect {

/// A format in plain words, for a reader who does not know its library. Whole sentences; the
/// constants are marked for KernelText::lookUp(). Where one is missing, what is said is what holds
/// of any lock of that form.
struct PlainWords {
    std::string_view renewal = {};      // who prolongs a hold while its holder lives, and how often
    std::string_view ifHolderDies = {}; // what becomes of a hold, beside that its keys expire
    std::string_view waiting = {}; // how those who wait learn that it is free, if not by a message
    /// What a key is, the lock itself or one beside it.
    std::function<std::string(const LockSnapshot&, const Observation&)> key = nullptr;
    /// What is said by a field of a hash, a member of a set, an element of a list, or, as a part
    /// without a name, by the value of a string.
    std::function<std::string(const LockSnapshot&, const Observation&, const HashField&)> part =
        nullptr;
};

/// A name or a value as sentences have it: in quotes, printable, and shortened in the middle.
std::string nameInQuotes(std::string_view bytes);

/// "in 12.3 s", "4 m 10 s ago": an instant of a value, as it was when the value was read.
std::string relativeText(WallTime at, WallTime now);

} // namespace lockscope::inspect
