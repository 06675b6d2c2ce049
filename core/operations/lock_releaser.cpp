#include "core/operations/lock_releaser.h"

#include "core/kernel/base/characters.h"
#include "core/kernel/base/kernel_text.h"
#include "core/kernel/inspect/decoder.h"
#include "core/kernel/inspect/force_release.h"
#include "core/kernel/inspect/lock_inspection.h"

#include <algorithm>
#include <iterator>
#include <utility>
#include <variant>

namespace lockscope::operations {

using inspect::ReleasePlan;
using inspect::ReleaseReport;
using inspect::ReleaseResult;
using store::Problem;

namespace {

ReleaseReport refusal(std::string ownReason, Problem::Kind kind = Problem::Kind::None)
{
    ReleaseReport report;
    report.result = ReleaseResult::Refused;
    report.problem.kind = kind;
    report.ownReason = std::move(ownReason);
    return report;
}

/// A hold of the same owner on another server would be a vote for it.
bool mayBeVote(const ReleasePlan& plan, const inspect::Recognisers& recognisers)
{
    const inspect::Decoder* const decoder = recognisers.decoderOf(plan.lock->format());
    return plan.action == inspect::ReleaseAction::Release && decoder != nullptr
           && decoder->quorumRole != inspect::QuorumRole::None && !plan.owner().empty();
}

/// It is worth saying of the only server that is connected.
bool mayHaveMoreVotes(const ReleasePlan& plan, const inspect::Recognisers& recognisers)
{
    return mayBeVote(plan, recognisers)
           && (!recognisers.decoderOf(plan.lock->format())->isOfOneServer
               || lowered(plan.lock->id.name).find("redlock") != std::string::npos);
}

/// The locks that the book knows of the owners whose holds are over.
std::vector<Bytes> tiedTo(const ReleasePlan& plan)
{
    std::vector<Bytes> names;
    for (const inspect::Holder& holder : plan.holders) {
        if (holder.tie()) {
            std::ranges::move(holder.tie()->namesBeside(plan.lock->id.name),
                              std::back_inserter(names));
        }
    }
    std::ranges::sort(names);
    names.erase(std::unique(names.begin(), names.end()), names.end());
    return names;
}

bool isHeldBy(const inspect::LockPtr& lock, const Bytes& owner)
{
    return lock != nullptr
           && std::ranges::find(lock->holders, owner, &inspect::Holder::owner)
                  != lock->holders.end();
}

} // namespace

LockReleaser::LockReleaser(Servers& servers, LockInspector& inspector, Clock& clock, AuditLog& log,
                           report::AuditAuthor author, std::uint64_t seed)
    : m_servers(servers),
      m_inspector(inspector),
      m_clock(clock),
      m_book{clock, log, std::move(author), Rng(seed), {}}
{}

async::Task<ReleaseReport> LockReleaser::release(ReleaseOrder order, ServerReports& reports)
{
    const auto objection = co_await objectionTo(order);
    if (objection) {
        co_return *objection;
    }
    for (const ReleasePlan& plan : order.plans) {
        for (const std::uint16_t server : plan.servers) {
            if (server < m_servers.count()) {
                auto line = lineOf(plan, server, order);
                reports.emplace_back(server, refusal(kInterrupted));
                co_await releaseOn(server, plan, std::move(line), reports.back().second);
            }
        }
    }
    if (reports.empty()) {
        auto line = report::attemptOf(order.plans.front(), store::Endpoint(), order.reason);
        line.server.clear();
        const ReleaseReport report = refusal({}, Problem::Kind::NotConnected);
        noteUnsent(std::move(line), report);
        co_return report;
    }
    ReleaseReport summary = inspect::summaryOf(reports);
    const ReleasePlan& first = order.plans.front();
    const inspect::Recognisers recognisers = m_inspector.formats()->recognisers();
    const bool isToBeCounted = haveVotes() ? mayBeVote(first, recognisers)
                                           : mayHaveMoreVotes(first, recognisers);
    if (summary.result == ReleaseResult::Released && isToBeCounted) {
        summary.votesLeft = co_await votesLeft(first);
    }
    if (summary.result == ReleaseResult::Released
        && first.action == inspect::ReleaseAction::Release) {
        summary.stillHeld = co_await stillHeld(first);
    }
    co_return summary;
}

/// Asked anew: since the plan was made its owner may have got the votes that it lacked.
async::Task<std::optional<ReleaseReport>> LockReleaser::objectionTo(ReleaseOrder order)
{
    const auto ofMinority = std::ranges::find_if(order.plans, &ReleasePlan::isOfMinority);
    if (ofMinority == order.plans.end()) {
        co_return std::nullopt;
    }
    const inspect::Quorum votes = co_await votesLeft(*ofMinority);
    if (votes.isMinority()) {
        co_return std::nullopt;
    }
    ReleaseReport report = refusal(
        votes.isMajority()
            ? KernelText::tr("This owner has %1 of %2 servers: that is a majority and not a "
                             "leftover.",
                             votes.held, votes.total)
            : KernelText::tr("This owner has %1 of %2 servers, and %3 could not be asked: it may "
                             "have a majority.",
                             votes.held, votes.total, votes.unknown));
    report.votesLeft = votes;
    const std::uint16_t server = ofMinority->servers.empty() ? std::uint16_t(0)
                                                             : ofMinority->servers.front();
    noteUnsent(lineOf(*ofMinority, server, order), report);
    co_return report;
}

report::AuditAttempt LockReleaser::lineOf(const ReleasePlan& plan, std::uint16_t server,
                                          const ReleaseOrder& order) const
{
    const std::string master = plan.masterOf(server);
    auto line = report::attemptOf(plan, m_inspector.masters().endpoint(server, master),
                                  order.reason);
    line.named = order.named;
    if (!master.empty()) {
        line.replica = store::serverName(m_servers.endpoint(server));
    }
    return line;
}

std::shared_ptr<store::Store> LockReleaser::storeToRead(const ReleasePlan& plan,
                                                        std::uint16_t server)
{
    return m_inspector.masters().storeOf(server, plan.masterOf(server));
}

/// The same token may be on several of the servers, as votes for one lock.
bool LockReleaser::haveVotes() const
{
    return foldingOf(m_servers) != store::Folding::Never;
}

async::Task<inspect::Quorum> LockReleaser::votesLeft(const ReleasePlan& plan)
{
    inspect::Quorum votes;
    votes.total = haveVotes() ? static_cast<std::uint16_t>(m_servers.count()) : std::uint16_t(1);
    for (std::uint16_t server = 0; votes.total > 1 && server < votes.total; ++server) {
        const std::shared_ptr<store::Store> store = storeToRead(plan, server);
        if (!store) {
            votes.addUnknown(server);
            continue;
        }
        const auto found = co_await inspect::inspectLock(*store, m_clock, server,
                                                         plan.lock->id.name, m_inspector.formats());
        const auto* const now = std::get_if<inspect::LockInspection>(&found);
        if (now == nullptr) {
            votes.addUnknown(server);
        } else if (isHeldBy(now->record(), plan.owner())) {
            ++votes.held;
        }
    }
    co_return votes;
}

async::Task<std::vector<Bytes>> LockReleaser::stillHeld(const ReleasePlan& plan)
{
    std::vector<Bytes> held;
    const std::uint16_t server = plan.servers.empty() ? std::uint16_t(0) : plan.servers.front();
    const std::shared_ptr<store::Store> store = storeToRead(plan, server);
    for (const Bytes& name : store ? tiedTo(plan) : std::vector<Bytes>()) {
        const auto found = co_await inspect::inspectLock(*store, m_clock, server, name,
                                                         m_inspector.formats());
        const auto* const now = std::get_if<inspect::LockInspection>(&found);
        const inspect::LockPtr lock = now != nullptr ? now->record() : nullptr;
        if (std::ranges::any_of(plan.holders, [&lock](const inspect::Holder& holder) {
                return isHeldBy(lock, holder.owner);
            })) {
            held.push_back(name);
        }
    }
    co_return held;
}

/// False, and why in `report`: by its Sentinels another server is the master now, or none is.
async::Task<bool> LockReleaser::confirmMaster(store::Store& store, ReleaseReport& report)
{
    const Problem obstacle = co_await store.whenSettled();
    if (!isAboutMaster(obstacle)) {
        co_return true;
    }
    report = refusal({}, obstacle.kind);
    report.problem = obstacle;
    co_return false;
}

/// Where the plan is to be sent; with a guard, which the plan then has as it is by now, on the
/// connection that has it. Null, and why in `report`: nowhere.
async::Task<std::shared_ptr<store::Store>> LockReleaser::storeFor(std::uint16_t server,
                                                                  ReleasePlan& plan,
                                                                  ReleaseReport& report)
{
    std::shared_ptr<store::Store> store = m_inspector.masters().storeOf(server,
                                                                        plan.masterOf(server));
    if (!store) {
        report = refusal({}, Problem::Kind::NotConnected);
    } else if (plan.mayEndAnotherHold()) {
        store.reset();
        report = refusal(KernelText::tr(
            "Nothing that is stored tells this hold from the next, and writes to the lock are not "
            "detected (WATCH), so another hold may have started unnoticed."));
    } else if (plan.guard) {
        HoldGuards::Handed handed = co_await m_inspector.guards().take(*plan.guard);
        store = std::move(handed.store);
        plan.guard = handed.guard;
        if (!store) {
            const bool isLost = handed.reason.empty();
            report = refusal(std::move(handed.reason),
                             isLost ? Problem::Kind::GuardLost : Problem::Kind::None);
        }
    }
    co_return store;
}

async::Task<void> LockReleaser::releaseOn(std::uint16_t server, ReleasePlan plan,
                                          report::AuditAttempt line, ReleaseReport& report)
{
    AuditedAttempt<ReleaseReport> attempt(m_book, std::move(line), report);
    co_await m_servers.store(server).whenSettled();
    attempt.setNode(m_servers.node(server, plan.lock->firstKey()));
    const std::shared_ptr<store::Store> store = co_await storeFor(server, plan, report);
    if (!store) {
        co_return;
    }
    const bool hasMaster = co_await confirmMaster(*store, report);
    if (!hasMaster) {
        co_return;
    }
    const std::string failure = attempt.announce();
    bool isToBeSent = failure.empty();
    if (isToBeSent) {
        // While a disk writes a line, Sentinels may agree on another master.
        isToBeSent = co_await confirmMaster(*store, report);
    } else {
        report = refusal(notWrittenSentence(failure));
    }
    if (isToBeSent) {
        report.result = ReleaseResult::Unknown; // until there is an answer
        report = co_await inspect::execute(*store, m_clock, server, plan);
    }
}

async::Task<std::optional<inspect::NextHold>> LockReleaser::follow(ReleasePlan plan,
                                                                   ServerReports reports,
                                                                   Duration patience)
{
    const bool isFree = plan.action == inspect::ReleaseAction::Release && !plan.leavesOthers()
                        && inspect::summaryOf(reports).result == ReleaseResult::Released;
    if (!isFree) {
        co_return std::nullopt;
    }
    const auto released = std::ranges::find_if(reports, [](const auto& entry) {
        return entry.second.result == ReleaseResult::Released;
    });
    const std::uint16_t server = released->first;
    const bool isOfOneVote = !haveVotes()
                             && mayHaveMoreVotes(plan, m_inspector.formats()->recognisers());
    const std::shared_ptr<store::Store> store = storeToRead(plan, server);
    if (!store) {
        co_return std::nullopt;
    }
    auto nextHold = co_await inspect::follow(*store, m_clock, server, std::move(plan),
                                             m_clock.now(), patience, m_inspector.formats());
    nextHold.isOfOneVote = isOfOneVote;
    co_return nextHold;
}

void LockReleaser::noteUnsent(report::AuditAttempt attempt, const ReleaseReport& report)
{
    const AuditedAttempt<ReleaseReport> unsent(m_book, std::move(attempt), report);
}

} // namespace lockscope::operations
