#include "core/kernel/inspect/quorum_fold.h"
#include "core/kernel/inspect/watch/lock_book.h"

#include <algorithm>
#include <utility>

// What a book does for several servers that are one Redlock set.

namespace lockscope::inspect {

namespace {

using namespace std::chrono_literals;

/// A Redlock is taken server by server, so for a moment every one of them is a minority.
constexpr Duration kSplitPatience = 1s;

} // namespace

void LockBook::foldRow(const Bytes& name, Instant now, std::optional<ChangeKind> ending)
{
    std::vector<LockPtr> votes(m_servers.size());
    for (std::uint16_t server = 0; server < votes.size(); ++server) {
        const Track* const track = m_tracks.find(server, name);
        if (track != nullptr && track->isFolded) {
            votes[server] = track->record;
        }
    }
    const auto shown = m_setRows.find(name);
    const LockPtr before = shown != m_setRows.end() ? shown->second.row : nullptr;
    std::optional<LockRecord> folded = foldQuorum(
        votes, before ? std::string_view(before->holders.front().owner) : std::string_view(),
        serversInDoubt(name));
    if (!folded) {
        if (before) {
            m_setRows.erase(shown);
            endRow(before, now, ending);
        }
        return;
    }
    SetRow& set = m_setRows[name];
    judgeSplit(*folded, set, now);
    const bool isLive = std::all_of(m_servers.begin(), m_servers.end(),
                                    [](const auto& s) { return s.isLive; });
    const bool isTakenNow = isLive && folded->isTakenWhileWatching;
    HoldStep step = advanceHold(before.get(), std::move(*folded), now, isTakenNow);
    if (!step.kind && step.record.flags != before->flags) {
        step.kind = ChangeKind::Changed;
    }
    if (step.kind) {
        step.record.kind = m_kinds.shared(*step.record.kind);
        set.row = makeShared<const LockRecord>(std::move(step.record));
        showRow(set.row, before, *step.kind, now);
    }
}

std::vector<std::uint16_t> LockBook::serversInDoubt(const Bytes& name) const
{
    std::vector<std::uint16_t> inDoubt;
    for (std::uint16_t server = 0; server < m_servers.size(); ++server) {
        if (!m_servers[server].isSwept || m_unreadable.contains({server, name})) {
            inDoubt.push_back(server);
        }
    }
    return inDoubt;
}

bool LockBook::isToFold(const Track& track) const
{
    const LockRecord& record = *track.record;
    if (m_folding == store::Folding::Never || !isQuorumVote(record, m_recognisers.decoders)) {
        return false;
    }
    if (m_folding == store::Folding::ByName || m_setRows.contains(record.id.name)) {
        return true;
    }
    for (std::uint16_t server = 0; server < m_servers.size(); ++server) {
        const Track* const other = server != track.server ? m_tracks.find(server, track.name())
                                                          : nullptr;
        if (other != nullptr && isQuorumVote(*other->record, m_recognisers.decoders)
            && other->record->holders.front().owner == record.holders.front().owner) {
            return true;
        }
    }
    return false;
}

/// What other servers have under the name of this vote had rows of its own until now.
void LockBook::foldOthers(const Track& track, Instant now)
{
    const Bytes& name = track.record->id.name;
    if (m_folding != store::Folding::SameToken || m_setRows.contains(name)) {
        return;
    }
    for (std::uint16_t server = 0; server < m_servers.size(); ++server) {
        Track* const other = m_tracks.find(server, name);
        if (other != nullptr && !other->isFolded
            && isQuorumVote(*other->record, m_recognisers.decoders)) {
            setFolded(*other, true);
            endRow(other->record, now, ChangeKind::Unwatched);
        }
    }
}

void LockBook::foldAllRows(Instant now)
{
    m_isFoldStale = false;
    std::vector<Bytes> names;
    names.reserve(m_setRows.size());
    for (const auto& [name, row] : m_setRows) {
        names.push_back(name);
    }
    for (const Bytes& name : names) {
        foldRow(name, now);
    }
}

void LockBook::setLive(std::uint16_t server, bool isLive)
{
    m_servers[server].isLive = isLive;
    m_isFoldStale = m_isFoldStale || m_servers[server].isSwept != isLive;
    m_servers[server].isSwept = isLive;
}

void LockBook::setSwept(std::uint16_t server, Instant now)
{
    m_servers[server].isSwept = true;
    settleTies();
    settleDeadlocks(now);
    foldAllRows(now);
}

void LockBook::judgeSplit(LockRecord& row, SetRow& state, Instant now) const
{
    const bool hasRivals = row.holders.size() > 1;
    if (!row.quorum().isMinority() && !hasRivals) {
        state.splitSince.reset();
        return;
    }
    state.splitSince = state.splitSince.value_or(now);
    if (now - *state.splitSince < kSplitPatience) {
        return;
    }
    if (row.quorum().isMinority()) {
        row.flags.add(Flag::Minority);
    }
    if (hasRivals) {
        row.flags.add(Flag::SplitOwners);
    }
}

void LockBook::meetServer(std::uint16_t server, std::string_view runId, bool mayHaveKeptData)
{
    ServerState& state = m_servers[server];
    const bool isSameProcess = !runId.empty() && state.runId == runId;
    const bool mayBeRestarted = state.runId && state.wasLost && !isSameProcess;
    state.runId = runId;
    state.wasLost = false;
    const auto isThisOne = [&](const ServerState& s) { return !runId.empty() && s.runId == runId; };
    m_hasTwins = m_hasTwins || std::ranges::count_if(m_servers, isThisOne) > 1;
    if (!mayBeRestarted || mayHaveKeptData) {
        return;
    }
    for (Track& track : m_tracks.ofServer(server)) {
        track.isOver = true;
    }
}

std::optional<KeyGroup> LockBook::groupWith(std::uint16_t server, const Bytes& key) const
{
    const Track* const track = trackOf(server, key);
    return track != nullptr ? std::optional(track->group()) : std::nullopt;
}

/// Two votes of one server are one.
void LockBook::endSetOfTwins(Instant now)
{
    if (m_hasTwins) {
        keepApart(now);
    }
}

void LockBook::keepApart(Instant now)
{
    if (std::exchange(m_folding, store::Folding::Never) == store::Folding::Never) {
        return;
    }
    for (const auto& [name, set] : std::exchange(m_setRows, {})) {
        endRow(set.row, now, ChangeKind::Unwatched);
    }
    for (Track& track : m_tracks.all()) {
        if (track.isFolded) {
            setFolded(track, false);
            showTrack(track, nullptr, ChangeKind::Appeared, now);
        }
    }
}

void LockBook::noteReadability(const LockId& id, bool isReadable, Instant now)
{
    bool isNews = false;
    if (isReadable) {
        isNews = m_unreadable.erase(id) > 0;
    } else if (m_folding != store::Folding::Never && m_unreadable.size() < m_locksMax) {
        isNews = m_unreadable.insert(id).second;
    }
    if (isNews && m_setRows.contains(id.name)) {
        foldRow(id.name, now);
    }
}

} // namespace lockscope::inspect
