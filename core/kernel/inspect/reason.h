#pragma once

#include "core/kernel/inspect/lock_record.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace lockscope::inspect {

/// Why a lock may be stuck, or may fail its users one day. The first are the flags, in their order:
/// what every lock of a table is judged by. The others take more than the lock: the holds that were
/// watched before, or what the servers say of themselves. They keep no lock stuck, and alarm
/// nobody.
enum class Reason : std::uint8_t {
    NoExpiry,
    Stale,
    CountOnlyGrows,
    RenewedForever,
    Minority,
    SplitOwners,
    ReadAndWrite,
    MissingExpiryOfReader,
    HolderGone,
    AtRisk,
    Deadlock,
    AbsurdLease,
    GrowingLease,
    SilentPastUsual,
    DeadReaders,
    SilentQueueHead,
    ProbablyData,
    LeaseTooShort, // "lease-too-short": holds run out instead of being released
    Eviction,      // "eviction": the server may throw the key away
    ClocksApart,   // "clocks-apart": the servers of a set show different times
    ReplicaLag,    // "replica-lag": a replica lags behind by more than the lease
    ReasonCount,
};

/// All that is said of a reason, whatever the lock. The texts are shown through
/// KernelText::lookUp().
struct ReasonInfo {
    Reason reason = Reason::ReasonCount;
    std::string_view id;           // stable: part of the JSON, of the filters and of the metrics
    int severity = 0;              // 2: a human is needed, 1: worth a look, 0: no cause for alarm
    const char* text = nullptr;    // a few words, for the column of warnings
    const char* doubt = nullptr;   // how it could be wrong
    const char* remedy = nullptr;  // what to do
    const char* unknown = nullptr; // what stays open where it cannot be judged; null: it always can
    bool isHazard = false;         // it keeps no lock stuck: it may lose it. Severity 0
};

const ReasonInfo& infoOf(Reason reason);
const ReasonInfo& infoOf(Flag flag);

/// In the order of the enumeration.
std::span<const ReasonInfo> allReasons();

constexpr Reason reasonOf(Flag flag)
{
    return static_cast<Reason>(flag);
}

/// The flag that says the same; nullopt where it takes more than the lock.
std::optional<Flag> flagOf(Reason reason);

} // namespace lockscope::inspect
