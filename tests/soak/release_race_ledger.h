#pragma once

#include "core/kernel/inspect/release_plan.h"
#include "core/kernel/store/reply.h"
#include "tests/soak/release_race_formats.h"

#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace lockscope::testing {

/// One hold, told from every other. Where the owner is enough for that, `side` is empty and
/// `number` 0.
struct Hold {
    Bytes owner;
    Bytes side;              // "read", "write", "any"
    std::int64_t number = 0; // of all holds of the lock, counted by the client that takes it
    friend auto operator<=>(const Hold&, const Hold&) = default;
};

/// What one look at a lock on one server told.
struct Look {
    std::int64_t atMs = 0;                 // the server's clock
    std::int64_t holdCount = 0;            // holds that there have been
    std::map<Hold, std::int64_t> endsAtMs; // of every hold that is there; -1: never

    Look() = default;
    explicit Look(const store::Reply& reply);

    std::set<Hold> holds() const;
    /// Its lease was over by the time of `after`: it need not have been removed to be gone.
    bool mayHaveRunOut(const Hold& hold, const Look& after) const;
};

/// A plan, and the holds that it may end: those that were there while it was made.
class Aim {
public:
    /// The looks stand around the inspection that the plan comes from.
    Aim(inspect::ReleasePlan plan, const RaceFormat& format, const Look& before, const Look& after);

    const inspect::ReleasePlan& plan() const { return m_plan; }
    /// The holds that the plan may end, among those that are there at the release. Where each hold
    /// has an owner of its own: those that it ends.
    std::set<Hold> namedAmong(const Look& look) const;

private:
    bool isNamed(const Hold& hold) const;

    inspect::ReleasePlan m_plan;
    bool m_isAnonymous;
    std::set<Hold> m_before;
    std::int64_t m_countBefore; // of holds that there had been
    std::int64_t m_countAfter;
};

/// What is wrong with a server's answer to a release, seen from both sides of it in the same
/// transaction: only the release and the end of a lease come in between. nullptr: nothing.
const char* wrongOf(inspect::ReleaseResult result, const std::set<Hold>& named, const Look& before,
                    const Look& after, bool isAnonymous);

/// How the releases of one format ended.
struct Tally {
    int released = 0;
    int changedHands = 0;
    int written = 0; // it was written to: a renewal or another hold, which cannot be told apart
    int alreadyGone = 0;
    int refused = 0; // nothing was sent
    int unclear = 0;
    int recognisedCount = 0; // plans for what was recognised as it should be
    int wrongCount = 0;

    int attempts() const
    {
        return released + changedHands + written + alreadyGone + refused + unclear;
    }
    void add(const inspect::ReleaseReport& report);
    Tally& operator+=(const Tally& other);
    /// "312 releases: 201 released, …".
    std::string text() const;
};

/// What is known of the whole race.
class Ledger {
public:
    Tally& of(const RaceFormat& format) { return m_tallies[format.id]; }
    void complain(const RaceLock& lock, const std::string& what);

    Tally total() const;
    const std::vector<std::string>& wrongs() const { return m_wrongs; }

private:
    std::map<std::string_view, Tally> m_tallies;
    std::vector<std::string> m_wrongs;
};

} // namespace lockscope::testing
