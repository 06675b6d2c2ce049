#include "core/operations/release_on_master.h"

#include "core/kernel/base/kernel_text.h"
#include "core/kernel/inspect/force_release.h"
#include "core/kernel/inspect/lock_inspection.h"

#include <chrono>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace lockscope::operations {

using inspect::ReleasePlan;
using inspect::ReleaseReport;
using inspect::ReleaseResult;
using store::Command;
using store::Outcome;
using store::Problem;

namespace {

using namespace std::chrono_literals;

/// For a replica that lags: longer, and the lock should be looked at anew.
constexpr Duration kPatience = 2s;
constexpr Duration kPause = 10ms;

/// It cannot be found out whether this is the same hold.
ReleaseReport unproven(std::string ownReason)
{
    ReleaseReport report;
    report.result = ReleaseResult::Refused;
    report.problem.kind = Problem::Kind::NotMaster;
    report.ownReason = std::move(ownReason);
    return report;
}

async::Task<store::ReplicationOffsets> offsetsOf(store::Store& store)
{
    Command question("INFO", "replication");
    const Outcome outcome = co_await store.submit(std::move(question));
    co_return store::replicationOffsetsOf(outcome);
}

/// Whether the replica has carried out what its master had written until now.
async::Task<bool> hasCaughtUp(store::Store& replica, store::Store& master, Clock& clock)
{
    const store::ReplicationOffsets wanted = co_await offsetsOf(master);
    const Instant deadline = clock.now() + kPatience;
    while (wanted.ofMaster && clock.now() < deadline) {
        const store::ReplicationOffsets reached = co_await offsetsOf(replica);
        if (reached.history != wanted.history || !reached.ofSelf) {
            co_return false;
        }
        if (*reached.ofSelf >= *wanted.ofMaster) {
            co_return true;
        }
        co_await clock.wakeAt(clock.now() + kPause);
    }
    co_return false;
}

/// What the guard of a connection has noticed: the report of a transaction that does nothing.
async::Task<ReleaseReport> writesNoticedBy(store::Store& replica)
{
    std::vector<Command> nothing;
    nothing.emplace_back("MULTI");
    nothing.emplace_back("PING");
    nothing.emplace_back("EXEC");
    const std::vector<Outcome> outcomes = co_await replica.submitAll(std::move(nothing));
    const store::Reply* const answer = replyOf(outcomes.back());
    if (answer == nullptr || answer->isError()) {
        co_return unproven(
            KernelText::tr("The replica did not say whether the lock was written to."));
    }
    ReleaseReport report; // Unknown: nothing was noticed
    if (answer->isNil()) {
        report.result = ReleaseResult::ChangedHands;
        report.wasWritten = true;
    }
    co_return report;
}

} // namespace

async::Task<ReleaseReport> executeOnMaster(store::Store& replica, store::Store& master,
                                           Clock& clock, std::uint16_t server, ReleasePlan plan)
{
    if (!plan.guard || plan.guard->session != replica.session()) {
        co_return unproven(KernelText::tr("The connection that watched the lock was lost."));
    }
    auto found = co_await inspect::inspectToRelease(master, clock, server, plan.lock->id.name,
                                                    plan.formats != nullptr
                                                        ? plan.formats
                                                        : inspect::builtinFormatTable());
    const auto* const there = std::get_if<inspect::LockInspection>(&found);
    if (there == nullptr || !there->guard) {
        co_return unproven(KernelText::tr("The master does not watch the lock for writes."));
    }
    const bool isThere = co_await hasCaughtUp(replica, master, clock);
    if (!isThere) {
        co_return unproven(
            KernelText::tr("The replica is too far behind its master to tell whether "
                           "this is still the same hold."));
    }
    ReleaseReport noticed = co_await writesNoticedBy(replica);
    if (noticed.result != ReleaseResult::Unknown) {
        co_return noticed;
    }
    plan.guard = there->guard;
    co_return co_await inspect::execute(master, clock, server, std::move(plan));
}

} // namespace lockscope::operations
