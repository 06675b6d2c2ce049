#pragma once

#include "core/kernel/async/task.h"
#include "core/kernel/base/clock.h"
#include "core/kernel/inspect/decoder.h"
#include "core/kernel/inspect/formats/format_table.h"
#include "core/kernel/inspect/observation.h"
#include "core/kernel/inspect/release_plan.h"
#include "core/kernel/store/store.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <variant>
#include <vector>

namespace lockscope::inspect {

/// One lock of one server, read closely.
struct LockInspection {
    LockSnapshot snapshot;
    std::vector<DecodedLock> decodedLocks; // best first; empty: the key is missing, or no decoder
                                           // recognises it
    FormatTablePtr formats = builtinFormatTable(); // by which it was decoded
    /// When each key of the snapshot runs out, by the server's clock; nullopt: never. Taken
    /// together with the values: no other hold came in between, unless it ends in the same
    /// millisecond.
    std::vector<std::optional<std::int64_t>> expiresAtMs;
    /// Whether the server was asked to notice writes since before this look, and whether it does.
    enum class Guarding : std::uint8_t { NotAsked, Guarded, Refused };
    Guarding guarding = Guarding::NotAsked;
    std::optional<KeyGuard> guard; // with Guarded
    /// The master on which it was read, "10.0.0.5:6379", because the server is a replica; else
    /// empty.
    std::string master;

    /// The lock as the best decoded lock has it; null without one.
    LockPtr record() const;

    /// True if there is evidence that the key is a lock: its name is one of a lock, the user
    /// decided so (Treatment), or its format is recognised with more than low confidence. Not what
    /// is probably data. What `list` shows is proven.
    bool isProven() const;
    /// The decision of the user about the key, if its value does not fit that format; null
    /// otherwise.
    const Treatment* misfit() const;
    /// The formats that the value fits, best first; none if only the last resort shows it.
    std::vector<std::string_view> fittingFormats() const;
};

/// Reads what is under a name: the key itself, or the keys of the pair that the name stands for.
async::Task<std::variant<LockInspection, store::Problem>> inspectLock(
    store::Store& store, Clock& clock, std::uint16_t server, Bytes name,
    FormatTablePtr formats = builtinFormatTable());

/// As inspectLock(), before a release. The server is asked (WATCH) to notice every write to the
/// keys from before their values are read. That lasts until the next transaction on this store,
/// which should be used for nothing else until then.
async::Task<std::variant<LockInspection, store::Problem>> inspectToRelease(
    store::Store& store, Clock& clock, std::uint16_t server, Bytes name,
    FormatTablePtr formats = builtinFormatTable());

/// The plan for releasing these holders of what was inspected, or for capping the lock (then all
/// are meant); nullopt when there is nothing to release or the format cannot be released safely.
std::optional<ReleasePlan> planFor(const LockInspection& inspection, ReleaseAction action,
                                   HolderChoice choice = HolderChoice::all(),
                                   Duration cap = Duration(0));

/// Where several hold what was inspected: a release of each alone, in the order of the record's
/// holders. Empty for a single holder, and where no safe release is known.
std::vector<ReleasePlan> plansForEach(const LockInspection& inspection);

/// The same, and of a single holder its release.
std::vector<ReleasePlan> plansForEachHolder(const LockInspection& inspection);

/// True if a release of one of the holds, or of all of them, is anonymous: see
/// ReleaseRecipe::isAnonymous().
bool isAnyHoldAnonymous(const LockInspection& inspection);

/// What `format` says about releasing it, whether or not that is supported: the format of the best
/// decoded lock, or that of the Redlock row it is a part of.
std::vector<std::string> releaseWarnings(const LockInspection& inspection, std::string_view format);

} // namespace lockscope::inspect
