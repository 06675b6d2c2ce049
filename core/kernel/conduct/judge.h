#pragma once

#include "core/kernel/conduct/belief_book.h"
#include "core/kernel/world/violation.h"

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace lockscope::conduct {

/// A hold that had ended on the servers while its client still believed in it.
struct EndedHold {
    int party = 0;
    Instant from{}; // the command that granted or renewed it
    Instant to{};   // its lease end, or the failover that lost it
    bool isByFailOver = false;

    friend bool operator==(const EndedHold&, const EndedHold&) = default;
};

/// A promise that real clients did not keep.
struct Breach {
    world::Violation violation;
    /// No lease without fencing can keep it: a holder was kept from its work for longer than its
    /// lease. Listed apart from what a library does wrong.
    bool isInherent = false;
    bool isByFailOver = false; // inherent, as a replica took over that had not got the lock
    bool wasHindered = false;  // was the holder, although its lease was good
    std::size_t entry = 0;     // of the log, with which it showed
    std::optional<EndedHold> ended = {}; // the late hold, if the breach is about one

    friend bool operator==(const Breach&, const Breach&) = default;
};

/// Of the same promise, broken in the same way.
bool isSameKind(const Breach& a, const Breach& b);

/// The first breach of each kind in a run. Judged is what processes say that they hold, laid over
/// the order in which the server carried out their requests; what stands on the server only
/// explains.
///
/// Two hold one lock: a bug, if the lease of the first one was good, or if it goes on to believe
/// after it has talked to the server again. A lock that nobody can hold any more has to be had, by
/// whoever asks: at once when it was given back, a lease later when its holder is dead or was
/// cut off.
std::vector<Breach> judge(const RunLog& log, const Workload& workload,
                          std::span<const Deviation> deviations);

/// What a reader sees first: bugs before limits, then what showed first.
std::optional<Breach> worstOf(std::span<const Breach> breaches);

} // namespace lockscope::conduct
