#include "core/kernel/inspect/watch/lock_book.h"

#include "core/kernel/base/kernel_text.h"
#include "core/kernel/inspect/quorum_fold.h"
#include "core/kernel/inspect/watch/renewal_rhythm.h"

#include <algorithm>
#include <utility>

namespace lockscope::inspect {

namespace {

constexpr std::size_t kEarlierHoldsMax = 10'000;
constexpr std::size_t kHistoriesMax = 10'000;

/// The server did not let us read one of the keys. What it became meanwhile is readable soon.
bool isUnreadable(const LockSnapshot& snapshot)
{
    return std::any_of(snapshot.keys.begin(), snapshot.keys.end(), [](const Observation& seen) {
        return !seen.unreadable.empty() && !seen.unreadable.starts_with("WRONGTYPE");
    });
}

/// Notes of its keys that do not have its name whose they are.
KeyGroup groupSeenIn(const LockSnapshot& snapshot, std::unordered_map<Bytes, Bytes>& groupOfKey)
{
    KeyGroup group{snapshot.name, {}};
    for (const Observation& seen : snapshot.keys) {
        group.keys.push_back(seen.key);
        if (seen.key != snapshot.name) {
            groupOfKey[seen.key] = snapshot.name;
        }
    }
    return group;
}

LockPtr shared(LockRecord record)
{
    return std::make_shared<const LockRecord>(std::move(record));
}

} // namespace

LockBook::LockBook(std::uint16_t serverCount, const Recognisers& recognisers, std::size_t locksMax,
                   store::Folding folding)
    : m_recognisers(recognisers),
      m_locksMax(locksMax),
      m_servers(serverCount),
      m_folding(serverCount > 1 ? folding : store::Folding::Never),
      m_histories(kHistoriesMax)
{}

LockBook::LockBook(std::uint16_t serverCount, FormatTablePtr formats, store::Folding folding)
    : LockBook(serverCount, formats->recognisers(), store::limits::kLocksMax, folding)
{
    m_formats = std::move(formats);
}

LockBook::LockBook(std::span<const store::Endpoint> servers, FormatTablePtr formats)
    : LockBook(static_cast<std::uint16_t>(servers.size()), std::move(formats),
               store::foldingOf(servers))
{}

void LockBook::setFormats(FormatTablePtr formats, Instant now)
{
    m_formats = std::move(formats);
    m_recognisers = m_formats->recognisers();
    for (ServerState& server : m_servers) {
        server.isLive = false; // what is recognised only now was not taken just now
    }
    std::vector<LockId> leaving;
    for (const auto& [id, track] : m_tracks) {
        if (isUnrecognised(track)) {
            leaving.push_back(id);
        }
    }
    for (const LockId& id : leaving) {
        eraseTrack(m_tracks.find(id), now, ChangeKind::Unwatched);
    }
}

/// It may not be a lock of this format to the formats of now.
bool LockBook::isUnrecognised(const Track& track) const
{
    if (m_formats->isOwn(track.record->format)) {
        return true;
    }
    return std::ranges::any_of(track.group.keys,
                               [this](const Bytes& key) { return m_formats->isNoLock(key); });
}

bool LockBook::see(const LockSnapshot& snapshot, Instant now)
{
    endSetOfTwins(now);
    auto entries = decodeGroup(snapshot, m_recognisers);
    std::erase_if(entries, [](const NamedDecodedLocks& entry) { return entry.second.empty(); });
    endOtherReadings(snapshot, entries, now);
    for (const auto& [name, decodedLocks] : entries) {
        if (name == snapshot.name) {
            update(snapshot, decodedLocks.front(), now);
            continue;
        }
        for (const Observation& seen : snapshot.keys) {
            if (seen.key == name) {
                update(LockSnapshot{snapshot.server, name, {seen}, snapshot.isNamedByUser},
                       decodedLocks.front(), now);
            }
        }
    }
    const bool isReadable = !isUnreadable(snapshot);
    if (!isReadable || !m_unreadable.empty()) {
        noteReadability({snapshot.server, snapshot.name}, isReadable, now);
    }
    return !entries.empty();
}

/// The same keys may have been understood as something else before: that ends first.
void LockBook::endOtherReadings(const LockSnapshot& snapshot,
                                const std::vector<NamedDecodedLocks>& entries, Instant now)
{
    if (!entries.empty() && snapshot.keys.size() == 1 && snapshot.main().key == snapshot.name) {
        return; // it was a lock of this name, if any
    }
    std::vector<Bytes> namesBefore = {snapshot.name};
    for (const Observation& seen : snapshot.keys) {
        if (seen.key != snapshot.name) {
            namesBefore.push_back(seen.key);
        }
    }
    for (const NamedDecodedLocks& entry : entries) {
        std::erase(namesBefore, entry.first);
    }
    for (const Bytes& name : namesBefore) {
        const auto track = m_tracks.find({snapshot.server, name});
        if (track == m_tracks.end()) {
            continue;
        }
        if (isUnreadable(snapshot)) {
            track->second.isUnreadable = true;
            doubt(track->second, now);
        } else {
            const bool isUnwatched = isOnlyUnnamed(track->second, snapshot);
            eraseTrack(track, now,
                       isUnwatched ? std::optional(ChangeKind::Unwatched) : std::nullopt);
        }
    }
}

/// Something is there, but we may not know what.
void LockBook::doubt(Track& track, Instant now)
{
    track.wasSeen = true;
    if (!track.record->isConfirmed) {
        return;
    }
    LockRecord doubtful = *track.record;
    doubtful.isConfirmed = false;
    const LockPtr before = std::exchange(track.record, shared(std::move(doubtful)));
    showTrack(track, before, ChangeKind::Changed, now);
}

void LockBook::update(const LockSnapshot& snapshot, const DecodedLock& decoded, Instant now)
{
    const LockId id{snapshot.server, snapshot.name};
    if (m_tracks.size() >= m_locksMax && !m_tracks.contains(id)) {
        m_isFull = true;
        return;
    }
    const auto entry = m_tracks.try_emplace(id).first;
    Track& track = entry->second;
    const LockPtr before = track.record;
    LockRecord fresh = placed(recordOf(snapshot, decoded));
    track.wasSeen = true;
    const bool countsByChannel = isCountedByChannel(decoded.waiterSource);
    track.waiterChannel = countsByChannel ? decoded.waiterChannel : Bytes();
    track.isUnreadable = false;
    track.isNamed = snapshot.isNamedByUser;
    track.group = groupSeenIn(snapshot, m_groupOfKey);
    track.deadline.reset();
    if (decoded.deadline) {
        track.deadline = snapshot.main().seenAt + (*decoded.deadline - snapshot.main().serverTime);
    }
    const std::optional<Duration> newness = remainingNewness(snapshot, decoded);
    track.newUntil = newness ? std::optional(snapshot.main().seenAt + *newness) : std::nullopt;
    const LockRecord* const remembered = track.isOver ? nullptr : before.get();
    const bool isSame = remembered && isSameHold(*before, fresh);
    if (!isSame || fresh.holds() < before->holds()) {
        track.growth = 0;
    } else if (fresh.holds() > before->holds()) {
        ++track.growth;
    }
    fresh.waiters = decoded.waiters;
    if (isSame && isCountedApart(decoded.waiterSource) && isCountedApart(before->waiterSource)) {
        fresh.waiters = before->waiters; // counted again every few seconds
        fresh.waitersAtMost = before->waitersAtMost;
    }
    if (const std::optional<int> listeners = snapshot.listenersOf(track.waiterChannel)) {
        fresh.waiters = waitersAmong(decoded.waiterSource, listeners);
    }
    if (!isSame) {
        if (remembered) {
            rememberHold(*remembered, endingOf(*remembered, now), now);
        }
        fresh.history = m_histories.of(id);
        track.behavesLikeLock = m_servers[id.server].isLive && isNextHold(fresh);
    }
    if (track.behavesLikeLock) {
        promoteForBehaviour(fresh);
    }
    rememberWaits(remembered, m_servers[id.server].isLive, fresh);
    attachClients(id.server, remembered, fresh);
    HoldStep step = advanceHold(remembered, std::move(fresh), now, m_servers[id.server].isLive);
    step.record.flags = judge(track, step.record, now);
    if (!step.kind && before && step.record.flags != before->flags) {
        step.kind = ChangeKind::Changed;
    }
    // A look that shows nothing new publishes nothing, but the better measurement of the end is
    // kept.
    if (step.kind || step.record.expiresAt != before->expiresAt) {
        track.record = shared(std::move(step.record));
    }
    indexOwners(*entry, before, *decoded.ownerScope, now);
    planProbe(track);
    planJudgement(track);
    noteTie(track);
    if (!track.waiterChannel.empty() && track.record->waiters != 0) {
        m_servers[id.server].countable.insert(&track);
    }
    showTrack(track, before, step.kind, now);
}

void LockBook::rememberHold(const LockRecord& ended, ChangeKind ending, Instant now)
{
    m_histories.add(ended, ending, now);
    const bool isToken = ended.holders.size() == 1 && !ended.holders.front().owner.empty();
    const bool hasRoom = m_earlierHolds.size() < kEarlierHoldsMax
                         || m_earlierHolds.contains(ended.id);
    if (isToken && hasRoom && isRenewedLikeLock(ended)) {
        const Bytes& owner = ended.holders.front().owner;
        m_earlierHolds[ended.id] = {ended.format, owner.size(), std::hash<Bytes>()(owner)};
    }
}

bool LockBook::isNextHold(const LockRecord& fresh) const
{
    const auto earlier = m_earlierHolds.find(fresh.id);
    if (earlier == m_earlierHolds.end() || fresh.holders.size() != 1) {
        return false;
    }
    const Bytes& owner = fresh.holders.front().owner;
    return earlier->second.format == fresh.format && earlier->second.ownerSize == owner.size()
           && earlier->second.ownerHash != std::hash<Bytes>()(owner);
}

void LockBook::planProbe(Track& track)
{
    // A pair whose first key runs out is still a lock, but another one.
    std::optional<Instant> probe = track.record->expiresAt;
    for (const Holder& holder : track.record->holders) {
        if (holder.expiresAt && (!probe || *holder.expiresAt < *probe)) {
            probe = holder.expiresAt;
        }
    }
    ProbeQueue<Track>& probes = m_servers[track.record->id.server].probes;
    probes.remove(track);
    if (probe) {
        probes.add(track, *probe);
    }
}

/// It is there as before: it only stopped being recognised as a lock.
bool LockBook::isOnlyUnnamed(const Track& track, const LockSnapshot& snapshot) const
{
    if (!track.isNamed || snapshot.isNamedByUser) {
        return false;
    }
    LockSnapshot named = snapshot;
    named.isNamedByUser = true;
    return std::ranges::any_of(decodeGroup(named, m_recognisers),
                               [&](const NamedDecodedLocks& entry) {
                                   return entry.first == track.record->id.name
                                          && !entry.second.empty();
                               });
}

void LockBook::eraseTrack(Tracks::iterator track, Instant now, std::optional<ChangeKind> ending)
{
    const LockId id = track->first;
    m_servers[id.server].probes.remove(track->second);
    m_servers[id.server].countable.erase(&track->second);
    m_servers[id.server].tied.erase(&track->second);
    m_ageing.remove(track->second);
    if (!ending) {
        const LockRecord& ended = *track->second.record;
        rememberHold(ended, endingOf(ended, now), now);
    }
    const bool isFolded = track->second.isFolded;
    const KeyGroup group = std::move(track->second.group);
    forgetOwners(*track->second.record, track->second.ownerScope, track->first);
    m_ownersChangedAt = now;
    m_tracks.erase(track);
    forgetKeys(group);
    if (isFolded) {
        foldRow(id.name, now, ending);
    } else {
        removeRow(id, now, ending);
    }
}

void LockBook::forgetKeys(const KeyGroup& group)
{
    for (std::uint16_t server = 0; server < m_servers.size(); ++server) {
        if (m_tracks.contains({server, group.name})) {
            return; // another server of the set still has it
        }
    }
    for (const Bytes& key : group.keys) {
        const auto entry = m_groupOfKey.find(key);
        if (entry != m_groupOfKey.end() && entry->second == group.name) {
            m_groupOfKey.erase(entry);
        }
    }
}

void LockBook::showTrack(Track& track, LockPtr before, std::optional<ChangeKind> kind, Instant now)
{
    const bool wasFolded = track.isFolded;
    track.isFolded = isToFold(track);
    if (track.isFolded) {
        if (before && !wasFolded) {
            const bool isSameLock = m_folding == store::Folding::SameToken;
            removeRow(before->id, now,
                      isSameLock ? std::optional(ChangeKind::Unwatched) : std::nullopt);
        }
        foldOthers(track, now);
        foldRow(track.record->id.name, now);
        return;
    }
    if (wasFolded) {
        foldRow(track.record->id.name, now);
        before = nullptr;
        kind = ChangeKind::Appeared;
    }
    if (kind) {
        showRow(track.record, before, *kind, now);
    } else {
        m_rows[track.record->id] = track.record;
    }
}

void LockBook::showRow(LockPtr row, LockPtr before, ChangeKind kind, Instant now)
{
    if (kind == ChangeKind::Appeared && before) {
        m_delta.changes.push_back({endingOf(*before, now), before, now}); // it changed hands in
                                                                          // between
    }
    m_rows[row->id] = row;
    m_delta.changes.push_back({kind, std::move(row), now});
}

void LockBook::removeRow(const LockId& id, Instant now, std::optional<ChangeKind> ending)
{
    const auto row = m_rows.find(id);
    if (row == m_rows.end()) {
        return;
    }
    const ChangeKind kind = ending.value_or(endingOf(*row->second, now));
    m_delta.changes.push_back({kind, row->second, now});
    m_rows.erase(row);
}

void LockBook::markUnconfirmed(std::uint16_t server, Instant now)
{
    m_servers[server].isLive = false;
    m_servers[server].isSwept = false;
    m_servers[server].wasLost = true;
    for (auto& [id, track] : m_tracks) {
        if (id.server == server) {
            doubt(track, now);
        }
    }
    foldAllRows(now);
}

void LockBook::confirm(std::uint16_t server, Instant now)
{
    m_servers[server].isLive = true;
    m_servers[server].isSwept = true;
    for (auto& [id, track] : m_tracks) {
        if (id.server != server || track.record->isConfirmed || track.isUnreadable) {
            continue;
        }
        LockRecord certain = *track.record;
        certain.isConfirmed = true;
        const LockPtr before = std::exchange(track.record, shared(std::move(certain)));
        showTrack(track, before, ChangeKind::Changed, now);
    }
    foldAllRows(now);
}

LockRecord LockBook::placed(LockRecord record) const
{
    const store::ClusterTopologyPtr& topology = m_servers[record.id.server].topology;
    record.place = topology ? placeIn(*topology, record) : nullptr;
    return record;
}

void LockBook::setTopology(std::uint16_t server, store::ClusterTopologyPtr topology, Instant now)
{
    m_servers[server].topology = std::move(topology);
    for (auto& [id, track] : m_tracks) {
        if (id.server != server) {
            continue;
        }
        LockRecord moved = placed(*track.record);
        if (!isSamePlace(track.record->place, moved.place)) {
            const LockPtr before = std::exchange(track.record, shared(std::move(moved)));
            showTrack(track, before, ChangeKind::Changed, now);
        }
    }
}

void LockBook::markAtRisk(std::uint16_t server,
                          const std::function<bool(const LockRecord& record)>& mayBeLost,
                          Instant now)
{
    for (auto& [id, track] : m_tracks) {
        if (id.server == server && !track.record->flags.has(Flag::AtRisk)
            && mayBeLost(*track.record)) {
            LockRecord risky = *track.record;
            risky.flags.add(Flag::AtRisk);
            const LockPtr before = std::exchange(track.record, shared(std::move(risky)));
            showTrack(track, before, ChangeKind::Changed, now);
        }
    }
}

void LockBook::beginSweep(std::uint16_t server)
{
    for (auto& [id, track] : m_tracks) {
        if (id.server == server) {
            track.wasSeen = false;
        }
    }
    m_isFull = false;
}

std::vector<KeyGroup> LockBook::unseen(std::uint16_t server) const
{
    std::vector<KeyGroup> groups;
    for (const auto& [id, track] : m_tracks) {
        if (id.server == server && !track.wasSeen) {
            groups.push_back(track.group);
        }
    }
    return groups;
}

LockDelta LockBook::takeDelta()
{
    settleTies();
    return std::exchange(m_delta, {});
}

std::optional<Instant> LockBook::nextExpiry(std::uint16_t server) const
{
    const Track* const first = m_servers[server].probes.first();
    return first == nullptr ? std::nullopt : first->plannedProbe;
}

std::vector<KeyGroup> LockBook::takeDue(std::uint16_t server, Instant now)
{
    std::vector<KeyGroup> due;
    ProbeQueue<Track>& probes = m_servers[server].probes;
    for (Track* track = probes.first(); track != nullptr && *track->plannedProbe <= now;
         track = probes.first()) {
        probes.remove(*track);
        due.push_back(track->group);
    }
    return due;
}

std::vector<KeyGroup> LockBook::groups(std::uint16_t server) const
{
    std::vector<KeyGroup> all;
    for (const auto& [id, track] : m_tracks) {
        if (id.server == server) {
            all.push_back(track.group);
        }
    }
    return all;
}

const LockBook::Track* LockBook::trackOf(std::uint16_t server, const Bytes& key) const
{
    auto track = m_tracks.find({server, key});
    const auto group = m_groupOfKey.find(key);
    if (track == m_tracks.end() && group != m_groupOfKey.end()) {
        track = m_tracks.find({server, group->second});
    }
    return track != m_tracks.end() ? &track->second : nullptr;
}

bool LockBook::knowsKey(std::uint16_t server, const Bytes& key) const
{
    return trackOf(server, key) != nullptr;
}

bool LockBook::isCertainOf(std::uint16_t server, const Bytes& key) const
{
    const Track* const track = trackOf(server, key);
    return track != nullptr && track->record->isConfirmed && !track->isUnreadable;
}

std::vector<Bytes> LockBook::names(std::uint16_t server) const
{
    std::vector<Bytes> names;
    for (const auto& [id, track] : m_tracks) {
        if (id.server == server) {
            names.push_back(id.name);
        }
    }
    return names;
}

std::vector<LockPtr> LockBook::rows() const
{
    std::vector<LockPtr> rows;
    rows.reserve(m_rows.size());
    for (const auto& [id, row] : m_rows) {
        rows.push_back(row);
    }
    return rows;
}

} // namespace lockscope::inspect
