#pragma once

#include "core/kernel/async/task.h"
#include "core/kernel/base/clock.h"
#include "core/kernel/inspect/formats/format_table.h"
#include "core/kernel/inspect/lock_names.h"
#include "core/kernel/inspect/observation.h"
#include "core/kernel/store/store.h"

#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <variant>
#include <vector>

namespace lockscope::inspect {

/// How much of a value is worth reading. A lock is small; what is larger is looked at, not
/// downloaded.
struct ReadLimits {
    std::size_t stringBytes = 1025; // one more than the longest value that is judged
    std::size_t fieldCount = 64; // hashes and sorted sets with more fields or members are not read
    std::size_t collectionBytes = 64 * 1024; // nor are those that occupy more memory
};

/// What the server's wall clock says at an instant of ours.
class ServerWallClock {
public:
    /// `reply` to TIME, which arrived at `now` and was asked for at `sentAt`. Anything else is
    /// ignored.
    void adjust(const store::Reply& reply, Instant sentAt, Instant now);

    /// Exact to half a round trip; before the first adjust() our own wall clock stands in.
    WallTime at(Instant when) const;

    void assume(WallTime wallNow, Instant now);
    bool isKnown() const { return m_isKnown; }

private:
    WallTime m_wall{};
    Instant m_instant{};
    bool m_isKnown = false;
};

/// Reads single keys closely but never much of them: type, time to live and a bounded part of the
/// value, in pipelined batches. A key that vanishes or changes between two commands is normal; it
/// is reported as what it was found to be last.
class KeyReader {
public:
    enum class Approach {
        Direct,   // type and value together: for what is likely to be a lock
        SizeFirst // the value only where type and size are a lock's: reading counts as use, and
                  // what the server evicts depends on that
    };
    using Result = std::variant<std::vector<Observation>, store::Problem>;

    /// Everything outlives the reader.
    KeyReader(store::Store& store, Clock& clock, const ServerWallClock& wallClock,
              ReadLimits limits = {}, FormatTablePtr formats = builtinFormatTable());

    /// Their decoders say from now on which keys are read beside others.
    void setFormats(FormatTablePtr formats) { m_formats = std::move(formats); }

    /// One observation per key, in order, or why the server could not be asked.
    async::Task<Result> read(std::vector<Bytes> keys, Approach approach = Approach::Direct);

    /// Snapshots for groups of keys: like read(), cut into groups again, with the companions that
    /// decoders ask for. A key that turns out to be one of several of a lock gives a snapshot of
    /// that lock (Decoder::groupsOfSeen).
    using SnapshotsResult = std::variant<std::vector<LockSnapshot>, store::Problem>;
    async::Task<SnapshotsResult> sight(std::uint16_t server, std::vector<KeyGroup> groups,
                                       Approach approach = Approach::Direct);

private:
    using Problems = std::optional<store::Problem>;

    async::Task<Problems> readDirectly(const std::vector<Observation*>& keys);
    async::Task<Problems> keepSmallOnes(std::vector<Observation*>& keys);
    bool isSmall(std::span<const store::Outcome> outcomes, Observation& seen) const;
    void noteTime(Observation& seen) const;
    void takeFirst(std::span<const store::Outcome> outcomes, Observation& seen) const;
    void takeBeginning(const store::Reply& value, Observation& seen) const;
    async::Task<std::optional<store::Problem>> measureLargeStrings(
        const std::vector<Observation*>& keys);
    async::Task<std::optional<store::Problem>> readCollections(
        std::vector<Observation*> collections);
    async::Task<std::optional<store::Problem>> readSiblings(std::vector<LockSnapshot>& snapshots);
    async::Task<std::optional<store::Problem>> readCompanions(std::vector<LockSnapshot>& snapshots);
    bool isWorthReading(const store::Reply& length, const store::Reply& memory,
                        Observation& seen) const;
    async::Task<std::optional<store::Problem>> readFields(std::vector<Observation*> collections);

    store::Store& m_store;
    Clock& m_clock;
    const ServerWallClock& m_wallClock;
    ReadLimits m_limits;
    FormatTablePtr m_formats;
};

/// How many subscribers one entry of PUBSUB NUMSUB counts; nullopt: it does not say.
std::optional<int> waiterCountOf(const store::Reply& count);

/// "string", "hash", …, as TYPE says it. `Other` for module types.
ValueType valueTypeOf(std::string_view typeName);

} // namespace lockscope::inspect
