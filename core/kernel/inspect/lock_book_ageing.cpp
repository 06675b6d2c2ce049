#include "core/kernel/inspect/watch/lease_growth.h"
#include "core/kernel/inspect/watch/lock_book.h"
#include "core/kernel/inspect/watch/usual_length.h"

#include <algorithm>
#include <vector>

// What a book says of its locks because time passes.

namespace lockscope::inspect {

namespace {

using namespace std::chrono_literals;

constexpr std::uint32_t kGrowthsUntilSuspicious = 3;
constexpr std::uint32_t kRenewalsUntilSuspicious = 5;
constexpr Duration kRenewedForeverAfter = 60s;
/// Until the next look at a lock that is there after an end that it states: a permit that ended, a
/// lease that the next client takes over. The first looks correct an end that was measured too
/// early. Later ones see less and less: what changes is told by news, or found by the next sweep.
constexpr Duration kFirstOverduePause = 1ms;
constexpr Duration kLongestOverduePause = 2min;

Duration pauseAfterOverdueLooks(std::uint32_t looks)
{
    constexpr std::uint32_t kDoublingsMost = 20;
    const auto times = std::uint64_t(1) << std::min(looks, kDoublingsMost);
    return std::min(kFirstOverduePause * static_cast<Duration::rep>(times), kLongestOverduePause);
}

/// From when on the renewals of the hold are suspicious.
Instant renewedForeverFrom(const LockRecord& record)
{
    const Instant usual = record.firstSeen + kRenewedForeverAfter;
    return std::max(usual, usualUntil(record).value_or(usual));
}

} // namespace

FlagSet LockBook::judge(const Track& track, const LockRecord& fresh, Instant now) const
{
    FlagSet flags = fresh.flags;
    if (track.growth() >= kGrowthsUntilSuspicious) {
        flags.add(Flag::CountOnlyGrows);
    }
    if (fresh.renewals >= kRenewalsUntilSuspicious && now >= renewedForeverFrom(fresh)) {
        flags.add(Flag::RenewedForever);
    }
    if (isGrowing(track.leaseGrowth(), fresh.lease)) {
        flags.add(Flag::GrowingLease);
    }
    if (const std::optional<Instant> overdue = overdueFrom(fresh); overdue && *overdue <= now) {
        flags.add(Flag::SilentPastUsual);
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
        consider(renewedForeverFrom(record));
    }
    if (const auto overdue = overdueFrom(record);
        overdue && !record.flags.has(Flag::SilentPastUsual)) {
        consider(*overdue);
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

/// At the next of the ends that it states: a pair whose first key runs out is still a lock, but
/// another one. Never at an end that is over: the look that plans this has seen what became of it.
void LockBook::planProbe(Track& track, Instant now)
{
    OptionalInstant next = track.lookAgainAt();
    bool isOverdue = false;
    const auto consider = [&](OptionalInstant end) {
        isOverdue = isOverdue || (end && *end <= now);
        if (end && *end > now && (!next || *end < *next)) {
            next = end;
        }
    };
    consider(track.betterEnd ? track.betterEnd : track.record->expiresAt);
    for (const Holder& holder : track.record->holders) {
        consider(holder.expiresAt);
    }
    if (isOverdue) {
        consider(now + pauseAfterOverdueLooks(track.overdueLooks()));
    }
    track.setOverdueLooks(isOverdue ? track.overdueLooks() + 1 : 0);
    ProbesOfTracks& probes = m_servers[track.server].probes;
    probes.remove(track);
    if (next) {
        probes.add(track, *next);
    }
}

void LockBook::tick(Instant now)
{
    settleTies();
    settleDeadlocks(now);
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
