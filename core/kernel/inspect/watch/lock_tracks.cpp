#include "core/kernel/inspect/watch/lock_tracks.h"

#include <cassert>
#include <optional>
#include <utility>

namespace lockscope::inspect {

namespace {

/// What is as it is with most needs no place of its own.
template<class Value>
void setSeldom(Boxed<LockTrack::Seldom>& seldom, Value LockTrack::Seldom::*member, Value value)
{
    if (seldom || value != Value()) {
        (*seldom).*member = std::move(value);
    }
}

} // namespace

KeyGroup LockTrack::group() const
{
    return {name(), seldom->keys.empty() ? std::vector<Bytes>{name()} : seldom->keys};
}

void LockTrack::setKeys(std::vector<Bytes> keys)
{
    setSeldom(seldom, &Seldom::keys, std::move(keys));
}

void LockTrack::setDeadline(OptionalInstant deadline)
{
    setSeldom(seldom, &Seldom::deadline, deadline);
}

void LockTrack::setNewUntil(OptionalInstant newUntil)
{
    setSeldom(seldom, &Seldom::newUntil, newUntil);
}

void LockTrack::setGrowth(std::uint32_t growth)
{
    setSeldom(seldom, &Seldom::growth, growth);
}

void LockTrack::setOverdueLooks(std::uint32_t count)
{
    setSeldom(seldom, &Seldom::overdueLooks, count);
}

void LockTrack::setLeaseGrowth(LeaseGrowth growth)
{
    setSeldom(seldom, &Seldom::leaseGrowth, growth);
}

void LockTrack::setLookAgainAt(OptionalInstant at)
{
    setSeldom(seldom, &Seldom::lookAgainAt, at);
}

LockRecord LockTrack::latest() const
{
    LockRecord known = *record;
    if (betterEnd) {
        known.expiresAt = betterEnd;
    }
    return known;
}

std::optional<Slot> LockTracks::slotOf(std::uint16_t server, std::string_view name) const
{
    return m_index.find(SlotIndex::mixed(LockIdHash::of(server, name)), [&](Slot slot) {
        const LockTrack& track = m_tracks[slot];
        return track.server == server && track.name() == name;
    });
}

LockTrack* LockTracks::find(std::uint16_t server, std::string_view name)
{
    const std::optional<Slot> slot = slotOf(server, name);
    return slot ? &m_tracks[*slot] : nullptr;
}

const LockTrack* LockTracks::find(std::uint16_t server, std::string_view name) const
{
    const std::optional<Slot> slot = slotOf(server, name);
    return slot ? &m_tracks[*slot] : nullptr;
}

LockTrack& LockTracks::add(LockTrack track)
{
    assert(track.record && !slotOf(track.record->id.server, track.name()));
    if (m_free.empty()) {
        track.slot = static_cast<Slot>(m_tracks.size());
        m_tracks.emplace_back();
    } else {
        track.slot = m_free.back();
        m_free.pop_back();
    }
    track.server = track.record->id.server;
    m_index.add(SlotIndex::mixed(LockIdHash()(track.record->id)), track.slot);
    return m_tracks[track.slot] = std::move(track);
}

void LockTracks::remove(LockTrack& track)
{
    const Slot slot = track.slot;
    m_index.remove(SlotIndex::mixed(LockIdHash()(track.record->id)), slot);
    track = LockTrack();
    m_free.push_back(slot);
}

} // namespace lockscope::inspect
