#include "core/kernel/inspect/watch/lock_book.h"

#include <algorithm>
#include <memory>
#include <span>
#include <utility>

// What a book knows of the clients of its servers: who is behind an owner, and who waits.

namespace lockscope::inspect {

namespace {

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
    fresh.waitersAtMost = count == 0 ? std::nullopt : count;
}

} // namespace

void LockBook::attachClients(std::uint16_t server, const LockRecord* before,
                             LockRecord& fresh) const
{
    const ClientDirectory& clients = m_servers[server].clients;
    for (Holder& holder : fresh.holders) {
        holder.client = clients.find(holder.owner);
        const Holder* const known = earlierHolderOf(before, holder);
        if (known == nullptr) {
            continue;
        }
        holder.tie = known->tie;
        const std::shared_ptr<const ClientInfo>& earlier = known->client;
        if (!earlier) {
            continue;
        }
        if (holder.client && *holder.client == *earlier) {
            holder.client = earlier; // the same pointer says that nothing changed
        } else if (!clients.hasAnyFor(holder.owner)) {
            holder.client = earlier; // it was connected once and is not any more
            fresh.flags.add(Flag::HolderGone);
        }
    }
}

void LockBook::rejudge(Track& track, Instant now, ClientNews news)
{
    LockRecord fresh = *track.record;
    fresh.flags.remove(Flag::HolderGone);
    attachClients(fresh.id.server, track.record.get(), fresh);
    if (news == ClientNews::Listed && fresh.waiterSource == WaiterSource::BlockedList) {
        takeBlockedClients(m_servers[fresh.id.server].clients.blockedOnListCount(), fresh);
    }
    fresh.flags = judge(track, fresh, now);
    fresh.isNewHold = track.newUntil && now < *track.newUntil;
    if (fresh.flags == track.record->flags && fresh.isNewHold == track.record->isNewHold
        && fresh.holders == track.record->holders && fresh.waiters == track.record->waiters
        && fresh.waitersAtMost == track.record->waitersAtMost) {
        return;
    }
    const LockPtr before = std::exchange(track.record,
                                         std::make_shared<const LockRecord>(std::move(fresh)));
    showTrack(track, before, ChangeKind::Changed, now);
}

void LockBook::setWaiters(const LockId& id, std::optional<int> count, Instant now)
{
    const auto entry = m_tracks.find(id);
    if (entry == m_tracks.end()) {
        return;
    }
    Track& track = entry->second;
    count = waitersAmong(track.record->waiterSource, count);
    if (track.record->waiters == count) {
        return;
    }
    LockRecord fresh = *track.record;
    fresh.waiters = count;
    const LockPtr before = std::exchange(track.record,
                                         std::make_shared<const LockRecord>(std::move(fresh)));
    showTrack(track, before, ChangeKind::Changed, now);
}

void LockBook::setClients(std::uint16_t server, ClientDirectory directory, Instant now)
{
    m_servers[server].clients = std::move(directory);
    for (auto& [id, track] : m_tracks) {
        if (id.server == server) {
            rejudge(track, now, ClientNews::Listed);
        }
    }
}

std::vector<std::pair<LockId, Bytes>> LockBook::waiterChannels(std::uint16_t server) const
{
    std::vector<std::pair<LockId, Bytes>> channels;
    for (const auto& [id, track] : m_tracks) {
        if (id.server == server && !track.waiterChannel.empty()) {
            channels.emplace_back(id, track.waiterChannel);
        }
    }
    return channels;
}

} // namespace lockscope::inspect
