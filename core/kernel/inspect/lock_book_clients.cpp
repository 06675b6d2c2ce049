#include "core/kernel/inspect/decoder.h"
#include "core/kernel/inspect/watch/lock_book.h"

#include <algorithm>
#include <memory>
#include <span>
#include <utility>

// What a book knows of the clients of its servers: who is behind an owner, and who waits.

namespace lockscope::inspect {

namespace {

/// A search for the holders among new clients takes about half a microsecond for each lock: one
/// part in a thousand of the time. Some thousand locks are looked through every time.
constexpr Duration kPausePerTrack = std::chrono::microseconds(500);
constexpr Duration kLeastPause = std::chrono::seconds(5);

const Holder* earlierHolderOf(const LockRecord* before, const Holder& holder)
{
    const auto holders = before != nullptr ? std::span(before->holders) : std::span<const Holder>();
    const auto earlier = std::ranges::find(holders, holder.owner, &Holder::owner);
    return earlier == holders.end() ? nullptr : &*earlier;
}

/// Those who block on lists may do so for any lock: only that none does is certain.
void takeBlockedClients(std::optional<int> count, LockRecord& fresh)
{
    fresh.waiters = count == 0 ? count : std::nullopt;
    fresh.setWaitersAtMost(count == 0 ? std::nullopt : count);
}

} // namespace

void LockBook::attachClients(std::uint16_t server, const LockRecord* before,
                             LockRecord& fresh) const
{
    const ClientDirectory& clients = m_servers[server].clients;
    for (Holder& holder : fresh.holders) {
        std::shared_ptr<const ClientInfo> client = clients.find(holder.owner);
        if (const Holder* const known = earlierHolderOf(before, holder)) {
            holder.setTie(known->tie());
            const std::shared_ptr<const ClientInfo>& earlier = known->client();
            if (earlier && client && *client == *earlier) {
                client = earlier; // the same pointer says that nothing changed
            } else if (earlier && !clients.hasAnyFor(holder.owner)) {
                client = earlier; // it was connected once and is not any more
                fresh.flags.add(Flag::HolderGone);
            }
        }
        holder.setClient(std::move(client));
    }
}

void LockBook::rejudge(Track& track, Instant now, ClientNews news)
{
    LockRecord fresh = track.latest();
    fresh.flags.remove(Flag::HolderGone);
    attachClients(fresh.id.server, track.record.get(), fresh);
    if (news == ClientNews::Listed && fresh.waiterSource == WaiterSource::BlockedList) {
        takeBlockedClients(m_servers[fresh.id.server].clients.blockedOnListCount(), fresh);
    }
    fresh.flags = judge(track, fresh, now);
    fresh.isNewHold = track.newUntil() && now < *track.newUntil();
    if (fresh.flags == track.record->flags && fresh.isNewHold == track.record->isNewHold
        && fresh.holders == track.record->holders && fresh.waiters == track.record->waiters
        && fresh.waitersAtMost() == track.record->waitersAtMost()) {
        return;
    }
    const LockPtr before = replace(track, std::move(fresh));
    noteTie(track);
    showTrack(track, before, ChangeKind::Changed, now);
}

void LockBook::setWaiters(const LockId& id, std::optional<int> count, Instant now)
{
    Track* const known = m_tracks.find(id.server, id.name);
    if (known == nullptr) {
        return;
    }
    Track& track = *known;
    // Where nobody listens, the channel is not among those that have listeners until somebody does.
    const std::vector<Bytes> names = locksOfChannel(track.channel());
    if (count == 0 && std::ranges::find(names, id.name) != names.end()) {
        m_servers[id.server].countable.remove(track);
    } else {
        m_servers[id.server].countable.add(track);
    }
    count = waitersAmong(track.record->waiterSource, count);
    if (track.record->waiters == count) {
        return;
    }
    LockRecord fresh = track.latest();
    fresh.waiters = count;
    const LockPtr before = replace(track, std::move(fresh));
    showTrack(track, before, ChangeKind::Changed, now);
}

/// With 100,000 locks a look at each takes a tenth of a second, and clients come and go on every
/// server: only those locks are looked at of which the new list may say something else. Owners that
/// had no client get one seldom, so all of them are looked through only now and then.
void LockBook::setClients(std::uint16_t server, ClientDirectory directory, Instant now)
{
    ServerState& state = m_servers[server];
    const bool isSame = directory == state.clients;
    state.hasNewClients = state.hasNewClients || directory.hasOthersThan(state.clients);
    state.clients = std::move(directory);
    if (!isSame) {
        const std::vector<Track::Seldom*> tied = state.tied.entries();
        for (const Track::Seldom* const seldom : tied) {
            rejudge(m_tracks.at(seldom->self), now, ClientNews::Listed);
        }
    }
    if (!state.hasNewClients || now < state.nextSearch) {
        return;
    }
    state.hasNewClients = false;
    state.nextSearch = now + kPausePerTrack * static_cast<Duration::rep>(m_tracks.size())
                       - kLeastPause;
    for (Track& track : m_tracks.ofServer(server)) {
        if (mayHaveOtherClients(track)) {
            rejudge(track, now, ClientNews::Listed);
        }
    }
}

/// What rejudge() finds out, without the copy of the record.
bool LockBook::mayHaveOtherClients(const Track& track) const
{
    const ClientDirectory& clients = m_servers[track.record->id.server].clients;
    return std::ranges::any_of(track.record->holders, [&clients](const Holder& holder) {
        return holder.client() == nullptr && clients.hasAnyFor(holder.owner);
    });
}

void LockBook::noteTie(Track& track)
{
    const LockRecord& record = *track.record;
    const bool isTied = record.waiterSource == WaiterSource::BlockedList
                        || std::ranges::any_of(record.holders, [](const Holder& holder) {
                               return holder.client() != nullptr;
                           });
    if (isTied) {
        track.seldom->self = track.slot;
        m_servers[track.server].tied.add(*track.seldom);
    } else if (track.seldom) {
        m_servers[track.server].tied.remove(*track.seldom);
    }
}

std::vector<std::pair<LockId, Bytes>> LockBook::waiterChannels(std::uint16_t server) const
{
    std::vector<std::pair<LockId, Bytes>> channels;
    for (const Track& track : m_tracks.ofServer(server)) {
        if (track.waiterChannel) {
            channels.emplace_back(track.record->id, track.channel());
        }
    }
    return channels;
}

std::vector<std::pair<LockId, Bytes>> LockBook::waiterChannels(
    std::uint16_t server, const std::vector<Bytes>& waitedFor) const
{
    std::vector<std::pair<LockId, Bytes>> channels;
    const auto& countable = m_servers[server].countable;
    for (const Track* const track : countable.entries()) {
        channels.emplace_back(track->record->id, track->channel());
    }
    for (const Bytes& name : waitedFor) {
        const Track* const track = m_tracks.find(server, name);
        if (track != nullptr && track->waiterChannel && !countable.contains(*track)) {
            channels.emplace_back(track->record->id, track->channel());
        }
    }
    return channels;
}

} // namespace lockscope::inspect
