#include "core/kernel/inspect/watch/lock_book.h"

#include <algorithm>
#include <vector>

// What a book says of its locks because time passes.

namespace lockscope::inspect {

namespace {

using namespace std::chrono_literals;

constexpr std::uint32_t kGrowthsUntilSuspicious = 3;
constexpr std::uint32_t kRenewalsUntilSuspicious = 5;
constexpr Duration kRenewedForeverAfter = 60s;

} // namespace

FlagSet LockBook::judge(const Track& track, const LockRecord& fresh, Instant now) const
{
    FlagSet flags = fresh.flags;
    if (track.growth() >= kGrowthsUntilSuspicious) {
        flags.add(Flag::CountOnlyGrows);
    }
    if (fresh.renewals >= kRenewalsUntilSuspicious
        && now - fresh.firstSeen >= kRenewedForeverAfter) {
        flags.add(Flag::RenewedForever);
    }
    if (track.deadline() && *track.deadline() <= now) {
        flags.add(Flag::Stale);
    }
    return flags;
}

std::optional<Instant> LockBook::nextJudgementOf(const Track& track) const
{
    const LockRecord& record = *track.record;
    std::optional<Instant> next;
    const auto consider = [&next](Instant at) { next = next ? std::min(*next, at) : at; };
    if (track.deadline() && !record.flags.has(Flag::Stale)) {
        consider(*track.deadline());
    }
    if (track.newUntil() && record.isNewHold) {
        consider(*track.newUntil());
    }
    if (record.renewals >= kRenewalsUntilSuspicious && !record.flags.has(Flag::RenewedForever)) {
        consider(record.firstSeen + kRenewedForeverAfter);
    }
    return next;
}

/// A book of 100,000 locks is asked about its age every second: those that do not age cost nothing.
void LockBook::planJudgement(Track& track)
{
    if (track.seldom) {
        m_ageing.remove(*track.seldom);
    }
    if (const std::optional<Instant> next = nextJudgementOf(track)) {
        track.seldom->self = track.slot;
        m_ageing.add(*track.seldom, *next);
    }
}

void LockBook::tick(Instant now)
{
    settleTies();
    endSetOfTwins(now);
    for (const Track::Seldom* first = m_ageing.first();
         first != nullptr && *first->nextJudgement <= now; first = m_ageing.first()) {
        Track& track = m_tracks.at(first->self);
        rejudge(track, now);
        planJudgement(track);
    }
    if (m_isFoldStale) {
        foldAllRows(now);
    }
    std::vector<Bytes> splitNames;
    for (const auto& [name, row] : m_setRows) {
        if (row.splitSince) {
            splitNames.push_back(name);
        }
    }
    for (const Bytes& name : splitNames) {
        foldRow(name, now);
    }
}

} // namespace lockscope::inspect
