#pragma once

#include "core/kernel/base/boxed.h"
#include "core/kernel/base/optional_time.h"
#include "core/kernel/base/slot_index.h"
#include "core/kernel/inspect/key_group.h"
#include "core/kernel/inspect/lock_record.h"
#include "core/kernel/inspect/watch/lease_growth.h"
#include "core/kernel/inspect/watch/placed_list.h"
#include "core/kernel/inspect/watch/probe_queue.h"
#include "core/kernel/inspect/watch/waiter_channel.h"

#include <cstdint>
#include <deque>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace lockscope::inspect {

/// What one server has under one name, and what a book keeps of it beside its record. There may be
/// a million of these: what most do not have stands apart.
struct LockTrack {
    struct Seldom {
        /// Its keys, the main one first. Empty: the only one is called as the lock.
        std::vector<Bytes> keys;
        OptionalInstant deadline;      // stated by the value itself
        OptionalInstant newUntil;      // until then the hold is a new one
        OptionalInstant nextJudgement; // these two are the queue's
        std::uint32_t judgementSlot = 0;
        std::uint32_t tiedPlace = kNowhere; // the list's
        Slot self = 0;            // of the track, set while this is in the queue or in the list
        std::uint32_t growth = 0; // how often the count grew without shrinking
        std::uint32_t overdueLooks = 0; // in a row that found it there after an end that it states
        LeaseGrowth leaseGrowth;
        OptionalInstant lookAgainAt; // what the last look saw may be a moment between two states
    };

    LockPtr record;               // null: the slot is free
    ChannelFormPtr waiterChannel; // null: waiters cannot be counted there
    /// Measured better than in the record. That is no news, so the record remains the one that
    /// others have as well.
    OptionalInstant betterEnd;
    OptionalInstant plannedProbe; // these two are the queue's
    std::uint32_t probeSlot = 0;
    std::uint32_t countablePlace = kNowhere; // the list's
    Slot slot = 0;
    std::uint16_t server = 0;
    OwnerScope ownerScope = OwnerScope::None;
    bool wasSeen = false;         // in the running sweep
    bool isFolded = false;        // shown through a row of the set
    bool isUnreadable = false;    // when it was looked at last
    bool isOver = false;          // the server was restarted without it
    bool isNamed = false;         // by the user, when it was seen last
    bool behavesLikeLock = false; // a token is renewed by a timer, goes, and is followed by another
                                  // one of the same form, which data does not do
    Boxed<Seldom> seldom; // stays where it is, and is made when the queue or the list needs it

    const Bytes& name() const { return record->id.name; }
    KeyGroup group() const;
    Bytes channel() const { return waiterChannel ? waiterChannel->channelOf(name()) : Bytes(); }
    OptionalInstant deadline() const { return seldom->deadline; }
    OptionalInstant newUntil() const { return seldom->newUntil; }
    std::uint32_t growth() const { return seldom->growth; }
    std::uint32_t overdueLooks() const { return seldom->overdueLooks; }
    const LeaseGrowth& leaseGrowth() const { return seldom->leaseGrowth; }
    OptionalInstant lookAgainAt() const { return seldom->lookAgainAt; }
    void setKeys(std::vector<Bytes> keys);
    void setDeadline(OptionalInstant deadline);
    void setNewUntil(OptionalInstant newUntil);
    void setGrowth(std::uint32_t growth);
    void setOverdueLooks(std::uint32_t count);
    void setLeaseGrowth(LeaseGrowth growth);
    void setLookAgainAt(OptionalInstant at);
    /// The record with what is known better.
    LockRecord latest() const;
};

using ProbesOfTracks = ProbeQueue<LockTrack>;
using AgeingOfTracks = ProbeQueue<LockTrack::Seldom, &LockTrack::Seldom::nextJudgement,
                                  &LockTrack::Seldom::judgementSlot>;

/// Those of the tracks that are in use, of one server or of all, as a range. (A filtered view of
/// the standard library would say it in a line; clang 14 does not compile those of GCC 12.)
template<class Tracks>
class UsedTracks {
public:
    using Place = decltype(std::declval<Tracks&>().begin());

    class Iterator {
    public:
        Iterator(Place place, const UsedTracks& range) : m_place(place), m_range(&range) { skip(); }

        auto& operator*() const { return *m_place; }
        Iterator& operator++()
        {
            ++m_place;
            skip();
            return *this;
        }
        friend bool operator==(const Iterator& a, const Iterator& b)
        {
            return a.m_place == b.m_place;
        }

    private:
        void skip()
        {
            while (m_place != m_range->m_end && !m_range->isMeant(*m_place)) {
                ++m_place;
            }
        }

        Place m_place;
        const UsedTracks* m_range;
    };

    UsedTracks(Tracks& tracks, std::optional<std::uint16_t> server)
        : m_begin(tracks.begin()),
          m_end(tracks.end()),
          m_server(server)
    {}

    Iterator begin() const { return Iterator(m_begin, *this); }
    Iterator end() const { return Iterator(m_end, *this); }

private:
    bool isMeant(const LockTrack& track) const
    {
        return track.record && (!m_server || track.server == *m_server);
    }

    Place m_begin;
    Place m_end;
    std::optional<std::uint16_t> m_server;
};

/// The tracks of a book, by server and name. They never move, and stand beside each other.
class LockTracks {
public:
    LockTrack* find(std::uint16_t server, std::string_view name);
    const LockTrack* find(std::uint16_t server, std::string_view name) const;
    LockTrack& at(Slot slot) { return m_tracks[slot]; }
    std::size_t size() const { return m_tracks.size() - m_free.size(); }

    /// It has a record, of whose id there is none yet.
    LockTrack& add(LockTrack track);
    void remove(LockTrack& track);

    /// In no particular order. None may come or go meanwhile.
    auto all() { return UsedTracks(m_tracks, std::nullopt); }
    auto all() const { return UsedTracks(m_tracks, std::nullopt); }
    auto ofServer(std::uint16_t server) { return UsedTracks(m_tracks, std::optional(server)); }
    auto ofServer(std::uint16_t server) const
    {
        return UsedTracks(m_tracks, std::optional(server));
    }

private:
    std::optional<Slot> slotOf(std::uint16_t server, std::string_view name) const;

    std::deque<LockTrack> m_tracks; // by slot
    std::vector<Slot> m_free;
    SlotIndex m_index;
};

} // namespace lockscope::inspect
