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

LockPtr shared(LockRecord record)
{
    return makeShared<const LockRecord>(std::move(record));
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
    m_kinds.clear();
    std::vector<Track*> leaving;
    for (Track& track : m_tracks.all()) {
        if (isUnrecognised(track)) {
            leaving.push_back(&track);
        }
    }
    for (Track* const track : leaving) {
        eraseTrack(*track, now, ChangeKind::Unwatched);
    }
}

/// It may not be a lock of this format to the formats of now.
bool LockBook::isUnrecognised(const Track& track) const
{
    if (m_formats->isOwn(track.record->format())) {
        return true;
    }
    return std::ranges::any_of(track.group().keys,
                               [this](const Bytes& key) { return m_formats->isNoLock(key); });
}

bool LockBook::see(const LockSnapshot& snapshot, Instant now, Absence absence)
{
    endSetOfTwins(now);
    auto entries = decodeGroup(snapshot, m_recognisers);
    std::erase_if(entries, [](const NamedDecodedLocks& entry) { return entry.second.empty(); });
    endOtherReadings(snapshot, entries, now);
    for (const auto& [name, decodedLocks] : entries) {
        if (name == snapshot.name) {
            update({snapshot, decodedLocks.front(), absence}, now);
            continue;
        }
        for (const Observation& seen : snapshot.keys) {
            if (seen.key == name) {
                const LockSnapshot part{snapshot.server, name, {seen}, snapshot.isNamedByUser};
                update({part, decodedLocks.front(), absence}, now);
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
        Track* const track = m_tracks.find(snapshot.server, name);
        if (track == nullptr) {
            continue;
        }
        if (isUnreadable(snapshot)) {
            track->isUnreadable = true;
            doubt(*track, now);
        } else {
            const bool isUnwatched = isOnlyUnnamed(*track, snapshot);
            eraseTrack(*track, now,
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
    LockRecord doubtful = track.latest();
    doubtful.isConfirmed = false;
    showTrack(track, replace(track, std::move(doubtful)), ChangeKind::Changed, now);
}

LockPtr LockBook::replace(Track& track, LockRecord record)
{
    track.betterEnd.reset();
    return std::exchange(track.record, shared(std::move(record)));
}

/// Notes of its keys that do not have its name whose they are.
void LockBook::noteKeys(Track& track, const LockSnapshot& snapshot)
{
    if (snapshot.keys.size() == 1 && snapshot.main().key == snapshot.name) {
        track.setKeys({});
        return;
    }
    std::vector<Bytes> keys;
    for (const Observation& seen : snapshot.keys) {
        keys.push_back(seen.key);
        if (seen.key != snapshot.name) {
            m_groupOfKey[seen.key] = snapshot.name;
        }
    }
    track.setKeys(std::move(keys));
}

void LockBook::update(const Look& look, Instant now)
{
    Track* const known = m_tracks.find(look.snapshot.server, look.snapshot.name);
    if (known == nullptr && m_tracks.size() >= m_locksMax) {
        m_isFull = true;
        return;
    }
    const LockPtr shown = known != nullptr ? known->record : nullptr;
    const LockPtr before = shown && known->betterEnd ? shared(known->latest()) : shown;
    Track unknown;
    Track& looked = known != nullptr ? *known : unknown;
    HoldStep step = stepOf(look, looked, before.get(), now);
    if (step.kind) {
        replace(looked, std::move(step.record));
    } else if (step.record.expiresAt != shown->expiresAt) {
        looked.betterEnd = step.record.expiresAt;
    }
    Track& track = known != nullptr ? *known : m_tracks.add(std::move(unknown));
    indexOwners(track, before, *look.decoded.ownerScope, now);
    planProbe(track, now);
    planJudgement(track);
    noteTie(track);
    noteQueue(track);
    if (track.waiterChannel && track.record->waiters != 0) {
        m_servers[track.server].countable.add(track);
    }
    showTrack(track, before, step.kind, now);
}

/// What becomes of the lock by this look at it.
HoldStep LockBook::stepOf(const Look& look, Track& track, const LockRecord* before, Instant now)
{
    const auto& [snapshot, decoded, absence] = look;
    const ServerState& server = m_servers[snapshot.server];
    LockRecord fresh = placed(recordOf(snapshot, decoded, m_kinds.shared(kindOf(decoded))));
    noteLook(track, snapshot, decoded);
    const LockRecord* const remembered = track.isOver ? nullptr : before;
    const bool isSame = remembered && isSameHold(*before, fresh);
    const bool isTakenNow = server.isLive && (remembered != nullptr || absence == Absence::Known);
    if (!isSame || fresh.holds() < before->holds()) {
        track.setGrowth(0);
    } else if (fresh.holds() > before->holds()) {
        track.setGrowth(track.growth() + 1);
    }
    fresh.waiters = decoded.waiters;
    if (isSame && isCountedApart(decoded.waiterSource) && isCountedApart(before->waiterSource)) {
        fresh.waiters = before->waiters; // counted again every few seconds
        fresh.setWaitersAtMost(before->waitersAtMost());
    }
    if (isCountedByChannel(decoded.waiterSource)) {
        if (const auto listeners = snapshot.listenersOf(decoded.waiterChannel)) {
            fresh.waiters = waitersAmong(decoded.waiterSource, listeners);
        }
    }
    if (!isSame) {
        if (remembered) {
            rememberHold(*remembered, endingOf(*remembered, now), now);
        }
        fresh.setHistory(m_histories.of(fresh.id));
        track.behavesLikeLock = server.isLive && isNextHold(fresh);
    }
    if (track.behavesLikeLock) {
        promoteForBehaviour(fresh);
        fresh.kind = m_kinds.shared(*fresh.kind);
    }
    rememberWaits(remembered, isTakenNow, fresh);
    excuseYoungHead(track, fresh, now);
    attachClients(snapshot.server, remembered, fresh);
    const bool isWaitedFor = fresh.queue() && !fresh.queue()->empty();
    if (isSame && isWaitedFor && before->flags.has(Flag::Deadlock)) {
        fresh.setDeadlock(before->deadlock()); // until the waits are settled
    }
    HoldStep step = advanceHold(remembered, std::move(fresh), now, isTakenNow);
    if (step.kind == ChangeKind::Renewed) {
        track.setLeaseGrowth(afterRenewal(track.leaseGrowth(), *before, step.record));
    } else if (!isSame) {
        track.setLeaseGrowth({});
    }
    step.record.flags = judge(track, step.record, now);
    if (!step.kind && before && step.record.flags != before->flags) {
        step.kind = ChangeKind::Changed;
    }
    return step;
}

/// What a look tells of a lock beside its record.
void LockBook::noteLook(Track& track, const LockSnapshot& snapshot, const DecodedLock& decoded)
{
    track.wasSeen = true;
    track.isUnreadable = false;
    track.isNamed = snapshot.isNamedByUser;
    const bool countsByChannel = isCountedByChannel(decoded.waiterSource);
    track.waiterChannel = countsByChannel ? m_channels.formOf(decoded.waiterChannel, snapshot.name)
                                          : nullptr;
    noteKeys(track, snapshot);
    const Observation& main = snapshot.main();
    OptionalInstant deadline;
    if (decoded.deadline) {
        deadline = main.seenAt + (*decoded.deadline - main.serverTime);
    }
    track.setDeadline(deadline);
    const std::optional<Duration> newness = remainingNewness(snapshot, decoded);
    track.setNewUntil(newness ? OptionalInstant(main.seenAt + *newness) : OptionalInstant());
}

void LockBook::rememberHold(const LockRecord& ended, ChangeKind ending, Instant now)
{
    m_histories.add(ended, ending, now);
    const bool isToken = ended.holders.size() == 1 && !ended.holders.front().owner.empty();
    const bool hasRoom = m_earlierHolds.size() < kEarlierHoldsMax
                         || m_earlierHolds.contains(ended.id);
    if (isToken && hasRoom && isRenewedLikeLock(ended)) {
        const Bytes& owner = ended.holders.front().owner;
        m_earlierHolds[ended.id] = {ended.format(), owner.size(), std::hash<Bytes>()(owner)};
    }
}

bool LockBook::isNextHold(const LockRecord& fresh) const
{
    const auto earlier = m_earlierHolds.find(fresh.id);
    if (earlier == m_earlierHolds.end() || fresh.holders.size() != 1) {
        return false;
    }
    const Bytes& owner = fresh.holders.front().owner;
    return earlier->second.format == fresh.format() && earlier->second.ownerSize == owner.size()
           && earlier->second.ownerHash != std::hash<Bytes>()(owner);
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

void LockBook::eraseTrack(Track& track, Instant now, std::optional<ChangeKind> ending)
{
    const LockPtr ended = track.betterEnd ? shared(track.latest()) : track.record;
    ServerState& server = m_servers[track.server];
    server.probes.remove(track);
    server.countable.remove(track);
    if (track.seldom) {
        server.tied.remove(*track.seldom);
        m_ageing.remove(*track.seldom);
    }
    if (!ending) {
        rememberHold(*ended, endingOf(*ended, now), now);
    }
    const bool isFolded = track.isFolded;
    setFolded(track, false);
    const KeyGroup group = track.group();
    forgetOwners(*ended, track);
    m_ownersChangedAt = now;
    m_areWaitsStale = m_queued.erase(track.slot) > 0 || m_areWaitsStale;
    m_tracks.remove(track);
    forgetKeys(group);
    if (isFolded) {
        foldRow(group.name, now, ending);
    } else {
        endRow(ended, now, ending);
    }
}

void LockBook::forgetKeys(const KeyGroup& group)
{
    for (std::uint16_t server = 0; server < m_servers.size(); ++server) {
        if (m_tracks.find(server, group.name) != nullptr) {
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

void LockBook::setFolded(Track& track, bool isFolded)
{
    m_foldedCount += isFolded && !track.isFolded ? 1 : 0;
    m_foldedCount -= !isFolded && track.isFolded ? 1 : 0;
    track.isFolded = isFolded;
}

void LockBook::showTrack(Track& track, LockPtr before, std::optional<ChangeKind> kind, Instant now)
{
    const bool wasFolded = track.isFolded;
    setFolded(track, isToFold(track));
    if (track.isFolded) {
        if (before && !wasFolded) {
            const bool isSameLock = m_folding == store::Folding::SameToken;
            endRow(before, now, isSameLock ? std::optional(ChangeKind::Unwatched) : std::nullopt);
        }
        foldOthers(track, now);
        foldRow(track.name(), now);
        return;
    }
    if (wasFolded) {
        foldRow(track.name(), now);
        before = nullptr;
        kind = ChangeKind::Appeared;
    }
    if (kind) {
        showRow(track.record, before, *kind, now);
    }
}

void LockBook::showRow(LockPtr row, LockPtr before, ChangeKind kind, Instant now)
{
    if (kind == ChangeKind::Appeared && before) {
        endRow(std::move(before), now); // it changed hands in between
    }
    m_delta.changes.push_back({kind, std::move(row), now});
}

void LockBook::endRow(LockPtr row, Instant now, std::optional<ChangeKind> ending)
{
    const ChangeKind kind = ending.value_or(endingOf(*row, now));
    m_delta.changes.push_back({kind, std::move(row), now});
}

void LockBook::markUnconfirmed(std::uint16_t server, Instant now)
{
    m_servers[server].isLive = false;
    m_servers[server].isSwept = false;
    m_servers[server].wasLost = true;
    for (Track& track : m_tracks.ofServer(server)) {
        doubt(track, now);
    }
    foldAllRows(now);
}

void LockBook::confirm(std::uint16_t server, Instant now)
{
    m_servers[server].isLive = true;
    m_servers[server].isSwept = true;
    for (Track& track : m_tracks.ofServer(server)) {
        if (track.record->isConfirmed || track.isUnreadable) {
            continue;
        }
        LockRecord certain = track.latest();
        certain.isConfirmed = true;
        showTrack(track, replace(track, std::move(certain)), ChangeKind::Changed, now);
    }
    foldAllRows(now);
}

LockRecord LockBook::placed(LockRecord record)
{
    ServerState& server = m_servers[record.id.server];
    record.place.reset();
    if (server.topology) {
        Shared<const ClusterPlace>& place = server.places[store::slotOf(record.firstKey())];
        place = place ? place : placeIn(*server.topology, record);
        record.place = place;
    }
    return record;
}

void LockBook::setTopology(std::uint16_t server, store::ClusterTopologyPtr topology, Instant now)
{
    m_servers[server].topology = std::move(topology);
    m_servers[server].places.clear();
    for (Track& track : m_tracks.ofServer(server)) {
        LockRecord moved = placed(track.latest());
        if (!isSamePlace(track.record->place, moved.place)) {
            showTrack(track, replace(track, std::move(moved)), ChangeKind::Changed, now);
        }
    }
}

void LockBook::markAtRisk(std::uint16_t server,
                          const std::function<bool(const LockRecord& record)>& mayBeLost,
                          Instant now)
{
    for (Track& track : m_tracks.ofServer(server)) {
        if (!track.record->flags.has(Flag::AtRisk) && mayBeLost(*track.record)) {
            LockRecord risky = track.latest();
            risky.flags.add(Flag::AtRisk);
            showTrack(track, replace(track, std::move(risky)), ChangeKind::Changed, now);
        }
    }
}

void LockBook::beginSweep(std::uint16_t server)
{
    for (Track& track : m_tracks.ofServer(server)) {
        track.wasSeen = false;
    }
    m_isFull = false;
}

std::vector<KeyGroup> LockBook::unseen(std::uint16_t server) const
{
    std::vector<KeyGroup> groups;
    for (const Track& track : m_tracks.ofServer(server)) {
        if (!track.wasSeen) {
            groups.push_back(track.group());
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
    return first == nullptr ? OptionalInstant() : first->plannedProbe;
}

std::vector<KeyGroup> LockBook::takeDue(std::uint16_t server, Instant now)
{
    std::vector<KeyGroup> due;
    ProbesOfTracks& probes = m_servers[server].probes;
    for (Track* track = probes.first(); track != nullptr && *track->plannedProbe <= now;
         track = probes.first()) {
        probes.remove(*track);
        due.push_back(track->group());
    }
    return due;
}

std::vector<KeyGroup> LockBook::groups(std::uint16_t server) const
{
    std::vector<KeyGroup> all;
    for (const Track& track : m_tracks.ofServer(server)) {
        all.push_back(track.group());
    }
    return all;
}

const LockBook::Track* LockBook::trackOf(std::uint16_t server, const Bytes& key) const
{
    if (const Track* const track = m_tracks.find(server, key)) {
        return track;
    }
    const auto group = m_groupOfKey.find(key);
    return group != m_groupOfKey.end() ? m_tracks.find(server, group->second) : nullptr;
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
    for (const Track& track : m_tracks.ofServer(server)) {
        names.push_back(track.name());
    }
    return names;
}

std::vector<LockPtr> LockBook::rows() const
{
    std::vector<LockPtr> rows;
    rows.reserve(rowCount());
    for (const Track& track : m_tracks.all()) {
        if (!track.isFolded) {
            rows.push_back(track.record);
        }
    }
    for (const auto& [name, set] : m_setRows) {
        rows.push_back(set.row);
    }
    return rows;
}

std::size_t LockBook::rowCount() const
{
    return m_tracks.size() - m_foldedCount + m_setRows.size();
}

} // namespace lockscope::inspect
