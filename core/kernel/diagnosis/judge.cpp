#include "core/kernel/diagnosis/judge.h"

#include "core/kernel/base/duration_text.h"
#include "core/kernel/base/kernel_text.h"
#include "core/kernel/inspect/watch/hold_history.h"
#include "core/kernel/inspect/watch/renewal_rhythm.h"
#include "core/kernel/inspect/watch/usual_length.h"
#include "core/kernel/report/held_wording.h"
#include "core/kernel/report/wording.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace lockscope::diagnosis {

using inspect::Flag;
using inspect::PastHold;

namespace {

using namespace std::chrono_literals;

constexpr int kTimesUsual = 3;
/// Holds of milliseconds may take a moment longer.
constexpr Duration kBeyondUsual = 2s;
/// In the arithmetic of Redlock: a hundredth of the lease, and 2 ms.
constexpr int kDriftPart = 100;
constexpr Duration kDriftLeast = 2ms;
/// The calendar clocks are read in whole milliseconds.
constexpr Duration kClockResolution = 2ms;

std::string memoryText(std::int64_t bytes)
{
    constexpr std::int64_t kMegabyte = 1'000'000;
    return bytes >= kMegabyte ? KernelText::tr("%1 MB", bytes / kMegabyte)
                              : KernelText::tr("%1 bytes", bytes);
}

bool affectsLock(std::string_view policy, const inspect::LockRecord& record)
{
    return policy.starts_with("allkeys-")
           || (policy.starts_with("volatile-") && record.expiresAt.has_value());
}

const inspect::Holder* holderWithClient(const inspect::LockRecord& record)
{
    const auto holder = std::ranges::find_if(record.holders, [](const inspect::Holder& each) {
        return each.client() != nullptr;
    });
    return holder != record.holders.end() ? &*holder : nullptr;
}

} // namespace

/// A flag is as severe as it makes the row of the lock, and any other finding has severity 0. So
/// the headline, which is that of the flags, is never better than a finding. Adding a reason again
/// replaces its finding: later judges know more about some flags.
void Judge::add(Reason reason, Risk risk, std::string evidence)
{
    const std::optional<Flag> flag = inspect::flagOf(reason);
    const int severity = flag && m_record.flags.has(*flag) ? inspect::severityOf(*flag, m_record)
                                                           : 0;
    std::erase_if(m_diagnosis.findings, [reason](const Finding& f) { return f.reason == reason; });
    m_diagnosis.findings.push_back({reason, severity, risk, std::move(evidence)});
}

void Judge::leaveOpen(Reason reason, std::string why)
{
    m_diagnosis.unknowns.push_back({reason, std::move(why)});
}

// What the lock itself shows

/// Others took as long before, so its length says nothing.
bool Judge::isUsualLength() const
{
    const std::optional<Instant> until = inspect::usualUntil(m_record);
    return until && m_observed.now <= *until;
}

Risk Judge::riskOf(Flag flag) const
{
    switch (flag) {
    case Flag::NoExpiry:
        return m_record.confidence == inspect::Confidence::Low ? Risk::High : Risk::Low;
    case Flag::MissingExpiryOfReader:
    case Flag::ReadAndWrite: return Risk::Low;
    case Flag::Minority: return m_record.quorum().unknown == 0 ? Risk::Low : Risk::Medium;
    case Flag::RenewedForever: return inspect::usualLengthOf(m_record) ? Risk::Medium : Risk::High;
    case Flag::Deadlock: return Risk::Low;
    case Flag::AbsurdLease:
    case Flag::GrowingLease:
    case Flag::SilentPastUsual:
    case Flag::DeadReaders:
    case Flag::SilentQueueHead:
    case Flag::Stale:
    case Flag::CountOnlyGrows:
    case Flag::SplitOwners:
    case Flag::HolderGone:
    case Flag::AtRisk:
    case Flag::ProbablyData:
    case Flag::FlagCount: break;
    }
    return Risk::Medium;
}

std::string Judge::evidenceOf(Flag flag) const
{
    std::string evidence = report::flagSentence(flag, m_record, m_observed.now);
    const inspect::Holder* const holder = holderWithClient(m_record);
    if (flag == Flag::HolderGone && holder != nullptr) {
        evidence += ' '
                    + KernelText::tr("That client was %1, found because %2.",
                                     escaped(holder->client()->address),
                                     KernelText::lookUp(holder->client()->how));
    }
    return evidence;
}

void Judge::judgeFlags()
{
    for (int i = 0; i < static_cast<int>(Flag::FlagCount); ++i) {
        const auto flag = static_cast<Flag>(i);
        const bool isUsual = flag == Flag::RenewedForever && isUsualLength();
        const int severity = inspect::severityOf(flag, m_record);
        if (m_record.flags.has(flag) && severity > 0 && !isUsual) {
            add(inspect::reasonOf(flag), riskOf(flag), evidenceOf(flag));
        }
    }
    if (report::isFirstLook(m_record, m_observed.now)) {
        const std::string why = KernelText::tr("This is the first look at it.");
        leaveOpen(Reason::CountOnlyGrows, why);
        leaveOpen(Reason::RenewedForever, why);
        leaveOpen(Reason::GrowingLease, why);
    }
    if (m_record.quorum().unknown > 0) {
        leaveOpen(Reason::Minority,
                  KernelText::tr("The votes of %1 of %2 servers are not known.",
                                 m_record.quorum().unknown, m_record.quorum().total));
    }
    judgeHolder();
}

void Judge::judgeHolder()
{
    if (m_record.flags.has(Flag::HolderGone) || holderWithClient(m_record) != nullptr) {
        return;
    }
    const bool isNamed = std::ranges::any_of(m_record.holders, [](const inspect::Holder& holder) {
        return !holder.owner.empty();
    });
    leaveOpen(Reason::HolderGone,
              isNamed ? KernelText::tr("No client in the server's list fits its owner: neither an "
                                       "address nor the name of a client is in the token.")
                      : KernelText::tr("Its value names no owner."));
}

// What the holds before show

void Judge::judgeHistory()
{
    const std::size_t count = m_record.history() ? m_record.history()->holds.size() : 0;
    if (inspect::usualLengthOf(m_record)) {
        judgeSilence();
        judgeLease();
        return;
    }
    const std::string why =
        count == 0
            ? KernelText::tr("None of its holds was watched from beginning to end.")
            : KernelText::tr("Too few of its holds were watched from beginning to end: %1.", count);
    leaveOpen(Reason::SilentPastUsual, why);
    leaveOpen(Reason::LeaseTooShort, why);
}

bool Judge::isSilent(Duration usual) const
{
    if (m_record.renewals == 0) {
        return true;
    }
    if (const auto rhythm = inspect::rhythmOf(m_record, m_observed.now)) {
        return rhythm->missed > 1;
    }
    return m_observed.now - m_record.lastRenewal > std::max(usual, m_record.lease);
}

void Judge::judgeSilence()
{
    const Duration usual = *inspect::usualLengthOf(m_record);
    const Duration held = m_observed.now - m_record.firstSeen;
    if (held <= std::max(usual * kTimesUsual, usual + kBeyondUsual) || !isSilent(usual)) {
        return;
    }
    const std::optional<Instant> overdue = inspect::overdueFrom(m_record);
    add(Reason::SilentPastUsual, overdue && *overdue <= m_observed.now ? Risk::Medium : Risk::High,
        report::silentPastUsualSentence(m_record, m_observed.now));
}

void Judge::judgeLease()
{
    const std::vector<PastHold>& holds = m_record.history()->holds;
    const std::size_t ranOut = m_record.history()->ranOutCount();
    if (ranOut * 2 >= holds.size()) {
        const bool areReleasesSeen = ranOut < holds.size();
        add(Reason::LeaseTooShort, areReleasesSeen ? Risk::Medium : Risk::High,
            KernelText::tr("%1 of the last %2 holds that were watched ran out instead of being "
                           "released; the last lease was %3.",
                           ranOut, holds.size(), durationText(holds.back().lease)));
        return;
    }
    const auto isLonger = [this](const PastHold& hold) {
        return !hold.ranOut && hold.renewals == 0 && hold.length > m_record.lease;
    };
    const auto longer = std::ranges::count_if(holds, isLonger);
    const bool isUnrenewed = m_record.lease > Duration(0) && m_record.renewals == 0;
    if (isUnrenewed && static_cast<std::size_t>(longer) * 2 >= holds.size()) {
        add(Reason::LeaseTooShort, Risk::Medium,
            KernelText::tr("%1 of the last %2 holds that were watched took longer than its lease "
                           "of %3, which was not renewed.",
                           longer, holds.size(), durationText(m_record.lease)));
    }
}

// What its format knows

void Judge::judgeCompany()
{
    const inspect::DecodedLock* const decoded = m_observed.decoded;
    if (decoded == nullptr) {
        return;
    }
    if (!decoded->deadHolders.empty()) {
        const std::string first = escaped(decoded->deadHolders.front());
        const std::size_t others = decoded->deadHolders.size() - 1;
        add(Reason::DeadReaders, Risk::Medium,
            others == 0 ? KernelText::tr("The reader %1 is still counted, but its lease is over; "
                                         "other readers keep the lock alive.",
                                         first)
                        : KernelText::tr("The reader %1 and %2 more are still counted, but their "
                                         "leases are over; other readers keep the lock alive.",
                                         first, others));
    }
    if (decoded->silentHead) {
        const inspect::SilentWaiter& head = *decoded->silentHead;
        std::string evidence =
            KernelText::tr("%1 is the next in its queue, and no client listens on the channel on "
                           "which it would be woken.",
                           escaped(head.waiter));
        if (head.until) {
            evidence += ' '
                        + KernelText::tr("It loses its place in %1.",
                                         durationText(*head.until - m_observed.now));
        }
        add(Reason::SilentQueueHead, Risk::Medium, std::move(evidence));
    }
}

// What the servers say of themselves

bool Judge::isOnServer(const ServerFacts& facts) const
{
    const std::uint16_t server = m_record.id.server;
    return server == inspect::LockId::kWholeSet || server == facts.server;
}

void Judge::judgeServers()
{
    bool isAnyKnown = false;
    for (const ServerFacts& facts : m_observed.servers) {
        if (isOnServer(facts) && facts.isKnown) {
            isAnyKnown = true;
            judgeEviction(facts);
            judgeReplica(facts);
            judgeReplicas(facts);
        }
    }
    if (!isAnyKnown) {
        const std::string why = m_observed.servers.empty()
                                    ? KernelText::tr("The server was not asked.")
                                    : KernelText::tr("The server did not answer INFO.");
        leaveOpen(Reason::Eviction, why);
        leaveOpen(Reason::ReplicaLag, why);
    }
    if (m_record.quorum().total > 1) {
        judgeClocks();
    }
}

void Judge::judgeEviction(const ServerFacts& facts)
{
    const std::string_view policy = facts.evicts();
    if (!affectsLock(policy, m_record)) {
        return;
    }
    const bool isFull = facts.memoryUsed >= facts.memoryLimit / 10 * 9;
    const Risk risk = facts.evictedKeys > 0 ? Risk::Low : isFull ? Risk::Medium : Risk::High;
    add(Reason::Eviction, risk,
        KernelText::tr("maxmemory is %1, of which %2 are used; the policy %3 may then throw away "
                       "this key. %4 keys were evicted since the server started.",
                       memoryText(facts.memoryLimit), memoryText(facts.memoryUsed), policy,
                       facts.evictedKeys));
}

/// The lock was read on a replica.
void Judge::judgeReplica(const ServerFacts& facts)
{
    if (facts.info.role != store::ServerInfo::Role::Replica || facts.info.isMasterLinkUp) {
        return;
    }
    const std::string silence = facts.info.masterSilentFor
                                    ? durationText(*facts.info.masterSilentFor)
                                    : std::string();
    add(Reason::ReplicaLag, Risk::Low,
        silence.empty()
            ? KernelText::tr("This server is a replica of %1, which it does not reach: what it "
                             "shows of the lock may be out of date.",
                             escaped(facts.info.master))
            : KernelText::tr("This server is a replica of %1, which has been silent for %2: what "
                             "it shows of the lock may be out of date.",
                             escaped(facts.info.master), silence));
}

void Judge::judgeReplicas(const ServerFacts& facts)
{
    for (const ReplicaFacts& replica : facts.replicas) {
        const bool isBehind = replica.lag && m_record.lease > Duration(0)
                              && *replica.lag > m_record.lease;
        if (isBehind) {
            add(Reason::ReplicaLag, Risk::Medium,
                KernelText::tr("The replica %1 has told nothing for %2, longer than the lease of "
                               "%3.",
                               escaped(replica.address), durationText(*replica.lag),
                               durationText(m_record.lease)));
        }
    }
}

void Judge::judgeClocks()
{
    const ServerFacts* ahead = nullptr;
    const ServerFacts* behind = nullptr;
    for (const ServerFacts& facts : m_observed.servers) {
        if (!facts.clockAhead) {
            continue;
        }
        ahead = ahead == nullptr || *facts.clockAhead > *ahead->clockAhead ? &facts : ahead;
        behind = behind == nullptr || *facts.clockAhead < *behind->clockAhead ? &facts : behind;
    }
    if (ahead == behind) {
        leaveOpen(Reason::ClocksApart, KernelText::tr("Fewer than two servers told their time."));
        return;
    }
    const Duration apart = *ahead->clockAhead - *behind->clockAhead;
    const Duration error = ahead->clockUncertainty + behind->clockUncertainty + kClockResolution;
    const Duration allowed = m_record.lease / kDriftPart + kDriftLeast;
    if (apart - error > allowed) {
        add(Reason::ClocksApart, Risk::Medium,
            KernelText::tr("The clocks of its servers are %1 apart, measured to within %2; with "
                           "its lease, Redlock allows for %3.",
                           durationText(apart), durationText(error), durationText(allowed)));
    }
}

Diagnosis Judge::takeDiagnosis()
{
    std::ranges::stable_sort(m_diagnosis.findings, [](const Finding& a, const Finding& b) {
        const auto rank = [](const Finding& finding) {
            return std::tuple(inspect::infoOf(finding.reason).isHazard, finding.risk,
                              -finding.severity);
        };
        return rank(a) < rank(b);
    });
    std::ranges::stable_sort(m_diagnosis.unknowns, {}, &Unknown::reason);
    return std::move(m_diagnosis);
}

} // namespace lockscope::diagnosis
