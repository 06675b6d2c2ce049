#include "app/cli/commands/command_list.h"
#include "app/cli/exit_code.h"
#include "app/cli/output/plan_text.h"
#include "app/cli/process/signal_relay.h"
#include "app/cli/session/own_formats.h"
#include "app/cli/session/server_link.h"
#include "core/kernel/base/rng.h"
#include "core/kernel/inspect/force_release.h"
#include "core/kernel/protocol/identity.h"
#include "core/kernel/report/json_text.h"
#include "core/kernel/report/lock_json.h"
#include "core/kernel/report/wording.h"
#include "core/operations/lock_releaser.h"
#include "core/operations/owner_search.h"
#include "core/wire/audit_file.h"
#include "core/wire/entropy.h"
#include "core/wire/process_author.h"

#include <algorithm>
#include <csignal>
#include <utility>

namespace lockscope::cli {

using inspect::LockId;
using inspect::LockInspection;
using inspect::LockPtr;
using inspect::NextHold;
using inspect::ReleasePlan;
using inspect::ReleaseReport;
using inspect::ReleaseResult;
using report::Json;
using store::Problem;

namespace {

/// How long to watch for the next owner.
constexpr Duration kUsualPatience = std::chrono::seconds(1);

using Plans = std::vector<ReleasePlan>;
using Purpose = operations::LockInspector::Purpose;

/// Several may hold it at once.
bool isShared(inspect::Mode mode)
{
    return mode == inspect::Mode::Read || mode == inspect::Mode::Semaphore;
}

/// One run of `release`.
class Releasing final : public QObject {
public:
    Releasing(const Context& context, const ReleaseArguments& arguments,
              inspect::FormatTablePtr formats)
        : m_context(context),
          m_arguments(arguments),
          m_names(serverNames(context.endpoints)),
          m_stop({SIGINT, SIGTERM, SIGHUP}, context.output),
          m_links(context),
          m_inspector(m_links.servers(), context.clock, std::move(formats)),
          m_file(auditPathOf(arguments)),
          m_releaser(m_links.servers(), m_inspector, context.clock, m_file,
                     wire::authorOfProcess("lockscope-cli " LOCKSCOPE_VERSION), wire::freshSeed())
    {
        m_work = async::BackgroundTask(context.executor, work());
        connect(&m_stop, &SignalRelay::received, this, &Releasing::stop);
    }

    async::Pending<int> ended() const { return m_end.pending(); }

private:
    async::Task<void> work()
    {
        int code = co_await run();
        if (complainAboutLostLines() && code == ExitDone) {
            code = ExitUnreachable; // as with results that cannot be printed
        }
        m_end.complete(code);
    }

    async::Task<int> run()
    {
        const bool isOpen = co_await m_links.open(ServerLinks::Absence::OfSome);
        if (!isOpen) {
            co_return endUnread(m_links.problem());
        }
        const Purpose purpose = m_arguments.isDryRun ? Purpose::Plan : Purpose::Release;
        LockId id{LockId::kWholeSet, m_arguments.key};
        m_inspected = co_await m_inspector.inspectLock(std::move(id), purpose);
        const Problem problem = complainAbout(m_inspected, m_links, m_context);
        if (problem.kind != Problem::Kind::None) {
            co_return endUnread(problem);
        }
        const std::string misfit = m_arguments.asFormat.empty() ? std::string()
                                                                : misfitSentence(m_inspected);
        if (!misfit.empty()) {
            co_return refuse(misfit);
        }
        Plans plans = m_arguments.isAll ? plansForAll() : plansForOwner();
        if (plans.empty()) {
            m_report = reportWithoutPlan();
            noteUnsent(*m_report);
            co_return finish(*m_report, NextHold());
        }
        std::string objection = objectionTo(plans);
        if (objection.empty() && m_arguments.isMinority) {
            objection = keepToMinority(plans);
        }
        if (objection.empty() && m_arguments.tombstone) {
            objection = leaveTombstones(plans);
        }
        if (!objection.empty()) {
            co_return refuse(objection);
        }
        if (m_arguments.isDryRun) {
            const std::vector<Bytes> others = co_await locksBeside(plans.front());
            const bool isOfThread = plans.front().ownerScope == inspect::OwnerScope::Thread;
            m_others = report::alsoHeldSentence(others, isOfThread);
            printPlans(plans);
            co_return ExitDone;
        }
        m_sent = plans;
        for (const std::string& sentence : mastersText(plans, m_names)) {
            m_context.output.complain(sentence);
        }
        operations::ReleaseOrder order{plans, m_arguments.owner.text, m_arguments.reason};
        m_report = co_await m_releaser.release(std::move(order), m_reports);
        m_ended = report::endedSentence(plans.front());
        std::optional<NextHold> nextHold;
        const Duration patience = patienceFor(plans.front());
        if (patience > Duration(0)) {
            nextHold = co_await m_releaser.follow(plans.front(), m_reports, patience);
        }
        if (m_report->result == ReleaseResult::Released && !m_arguments.tombstone) {
            m_report->stillHeld = co_await locksBeside(plans.front());
            m_others = report::stillHeldSentence(plans.front(), *m_report);
        }
        co_return finish(*m_report, nextHold.value_or(NextHold()));
    }

    /// Ends without anything being sent, for a reason of this program.
    int refuse(const std::string& reason)
    {
        m_report = ReleaseReport();
        m_report->result = ReleaseResult::Refused;
        m_report->ownReason = reason;
        noteUnsent(*m_report);
        return finish(*m_report, NextHold());
    }

    /// The other locks of the owner whose hold the plan ends; empty also where they are not known.
    async::Task<std::vector<Bytes>> locksBeside(ReleasePlan plan)
    {
        std::vector<Bytes> names;
        if (operations::OwnerSearch::isWorthwhile(plan.ownerScope, plan.holders)) {
            operations::OwnerSearch search(m_context.executor, m_context.clock, m_links.servers(),
                                           m_inspector.formats());
            search.leaveOut(m_links.unreachable());
            co_await search.run(operations::OwnerSearch::kUsualPatience);
            names = search.locksBeside(plan.lock->id, plan.holders);
        }
        co_return names;
    }

    /// As long as was asked for; otherwise until the renewal of a holder that lives on would have
    /// brought the lock back.
    Duration patienceFor(const ReleasePlan& plan) const
    {
        const bool isGone = m_report->result == ReleaseResult::Released && !m_arguments.tombstone;
        if (m_arguments.followFor || !isGone) {
            return m_arguments.followFor.value_or(kUsualPatience);
        }
        const Duration patience = inspect::followPatience(plan, kUsualPatience);
        if (patience > kUsualPatience) {
            m_context.output.complain("released; watching for " + report::durationText(patience)
                                      + " whether a renewal creates it again");
        }
        return patience;
    }

    /// The lock could not be looked at; the output says why.
    int endUnread(const Problem& problem)
    {
        ReleaseReport report;
        report.result = ReleaseResult::Refused;
        report.problem = problem;
        noteUnsent(report);
        return exitCodeOf(problem);
    }

    void noteUnsent(const ReleaseReport& report)
    {
        if (m_arguments.isDryRun) {
            return;
        }
        report::AuditAttempt attempt;
        for (const std::string& name : m_names) {
            attempt.server += (attempt.server.empty() ? "" : ",") + name;
        }
        attempt.database = m_context.endpoints.front().database;
        attempt.key = m_arguments.key;
        attempt.named = m_arguments.owner.text;
        attempt.reason = m_arguments.reason;
        m_releaser.noteUnsent(std::move(attempt), report);
    }

    /// What is known while the release is under way.
    ReleaseReport reportSoFar()
    {
        if (!m_reports.empty()) {
            return inspect::summaryOf(m_reports);
        }
        ReleaseReport report;
        report.result = ReleaseResult::Refused;
        report.ownReason = operations::kInterrupted;
        noteUnsent(report);
        return report;
    }

    /// True when an outcome is not in the audit file.
    bool complainAboutLostLines()
    {
        const std::string failure = m_releaser.takeFailure();
        if (!failure.empty()) {
            m_context.output.complain(
                "could not write the result of this attempt to the audit file: " + failure);
        }
        return !failure.empty();
    }

    /// Whatever was sent stays sent: how far it got is said and written down.
    void stop(int signalNumber)
    {
        m_work = {};
        int code = ExitBySignal + signalNumber;
        if (m_report) {
            code = finish(*m_report, NextHold()); // only who comes next remains unknown
        } else if (!m_arguments.isDryRun) {
            const ReleaseReport report = reportSoFar();
            const bool wasSent = report.result != ReleaseResult::Refused;
            const int codeOfReport = finish(report, NextHold());
            code = wasSent ? codeOfReport : code;
        }
        complainAboutLostLines();
        m_end.complete(code);
    }

    Plans plansForAll() const
    {
        Plans plans;
        for (const LockInspection& inspection : m_inspected.inspections) {
            if (auto plan = inspect::planFor(inspection, inspect::ReleaseAction::Release)) {
                plans.push_back(std::move(*plan));
            }
        }
        return plans;
    }

    Plans plansForOwner() const
    {
        Plans plans;
        for (const LockInspection& inspection : m_inspected.inspections) {
            for (ReleasePlan& plan : inspect::plansForEachHolder(inspection)) {
                if (m_arguments.owner.names(plan)) {
                    plans.push_back(std::move(plan));
                }
            }
        }
        return plans;
    }

    /// What has to be asked for in other words; empty when it may be done.
    std::string objectionTo(const Plans& plans) const
    {
        const auto isAmbiguous = [&plans](const ReleasePlan& plan) {
            return std::ranges::count(plans, plan.servers, &ReleasePlan::servers) > 1;
        };
        const ReleasePlan& first = plans.front();
        const auto unproven = std::ranges::find_if(plans, &ReleasePlan::needsFormat);
        if (unproven != plans.end()) {
            return unprovenSentence(*unproven, m_context.endpoints);
        }
        if (m_arguments.isAll) {
            return first.endsSeveral() || isShared(first.lock->mode)
                       ? std::string()
                       : "This lock has one holder: use --owner instead of --all.";
        }
        if (std::ranges::any_of(plans, isAmbiguous)) {
            return "This matches more than one hold; specify one, or use --all.";
        }
        return first.endsSeveral() ? "Its readers cannot be distinguished; use --all to release "
                                     "all read holds at once."
                                   : std::string();
    }

    /// Makes each a plan for left-over votes. Why that cannot be done; empty: it is.
    std::string keepToMinority(Plans& plans) const
    {
        if (!m_links.isSet()) {
            return "These servers are no Redlock set, so nothing is a minority of them: three or "
                   "more --url are one, or several with --redlock-set.";
        }
        std::ranges::for_each(plans, inspect::keepToMinority);
        return {};
    }

    /// Makes each a plan that leaves a tombstone. Why that cannot be done; empty: it is.
    std::string leaveTombstones(Plans& plans)
    {
        const Bytes token = Bytes(inspect::kTombstonePrefix) + protocol::randomUuid(m_rng);
        for (ReleasePlan& plan : plans) {
            auto replacing = inspect::tombstonePlan(plan, m_arguments.tombstone->stay, token);
            if (!replacing) {
                return "A tombstone is only for a lock that is one string with an expiry, and that "
                       "a renewal may create again.";
            }
            plan = std::move(*replacing);
        }
        return {};
    }

    /// Why nothing can be sent at all.
    ReleaseReport reportWithoutPlan() const
    {
        ReleaseReport report;
        if (!m_inspected.exists() && !m_inspected.failures.empty()) {
            report.result = ReleaseResult::Refused; // the servers that were not asked may have it
            report.problem = m_inspected.failures.front().second;
            return report;
        }
        if (!m_inspected.exists()) {
            report.result = ReleaseResult::AlreadyGone;
            return report;
        }
        for (const LockInspection& inspection : m_inspected.inspections) {
            if (inspect::planFor(inspection, inspect::ReleaseAction::Release)) {
                report.nowThere = inspection.record();
                // Of several who hold it together, one more or less is no change of hands.
                report.result = isShared(report.nowThere->mode) ? ReleaseResult::AlreadyGone
                                                                : ReleaseResult::ChangedHands;
                return report;
            }
        }
        report.result = ReleaseResult::Refused;
        return report;
    }

    int finish(const ReleaseReport& report, const NextHold& nextHold)
    {
        const std::string sentence = sentenceOf(report);
        const bool isReleased = report.result == ReleaseResult::Released;
        if (m_arguments.format == Format::Json) {
            m_context.output.print(reportJson(report, nextHold).dump() + '\n');
        } else if (isReleased) {
            m_context.output.print(sentence + '\n');
            if (!m_ended.empty()) {
                m_context.output.print(m_ended + '\n');
            }
            if (const std::string votes = report::votesSentence(report); !votes.empty()) {
                m_context.output.print(votes + '\n');
            }
            if (!m_others.empty()) {
                m_context.output.print(m_others + '\n');
            }
            if (nextHold.kind != NextHold::Kind::NotKnown) {
                m_context.output.print(report::nextHoldSentence(nextHold) + '\n');
            }
        }
        if (!isReleased) {
            m_context.output.complain(sentence);
        } else if (nextHold.isBack() && m_arguments.format == Format::Json) {
            m_context.output.complain(report::nextHoldSentence(nextHold));
        }
        return isReleased && nextHold.isBack() ? ExitCameBack : exitCodeOf(report);
    }

    std::string sentenceOf(const ReleaseReport& report) const
    {
        const bool isAboutFormat = report.result == ReleaseResult::Refused
                                   && report.problem.kind == Problem::Kind::None
                                   && report.ownReason.empty();
        if (isAboutFormat) {
            return "Refused; nothing was done. " + unsupportedReason(m_inspected);
        }
        std::string sentence = report::resultSentence(report, action());
        if (report.perServer.size() > 1) {
            for (const auto& [server, result] : report.perServer) {
                sentence += ' ' + m_names[server] + ": " + std::string(inspect::idOf(result)) + '.';
            }
        }
        const std::string asleep = !m_sent.empty()
                                       ? report::forbiddenWakeUpSentence(report, m_sent.front(),
                                                                         m_context.clock.now())
                                       : std::string();
        return asleep.empty() ? sentence : sentence + ' ' + asleep;
    }

    inspect::ReleaseAction action() const
    {
        return m_arguments.tombstone ? inspect::ReleaseAction::Tombstone
                                     : inspect::ReleaseAction::Release;
    }

    Json reportJson(const ReleaseReport& report, const NextHold& nextHold) const
    {
        Json json{{"outcome", inspect::idOf(report.result)}, {"key", escaped(m_arguments.key)}};
        json["sentence"] = sentenceOf(report);
        json["woken"] = report.woken;
        json["servers"] = Json::array();
        for (const auto& [server, result] : report.perServer) {
            json["servers"].push_back(serverJson(m_sent, server, m_names));
            json["servers"].back()["outcome"] = inspect::idOf(result);
        }
        json["votesLeft"] = report::votesJson(report);
        json["stillHeld"] = report::escapedAll(report.stillHeld);
        json["nowThere"] = lockOrNull(report.nowThere);
        json["next"] = nullptr;
        if (nextHold.kind != NextHold::Kind::NotKnown) {
            json["next"] = Json{{"what", inspect::idOf(nextHold.kind)},
                                {"afterMs", toMs(nextHold.after)},
                                {"lock", lockOrNull(nextHold.next)}};
        }
        return json;
    }

    Json lockOrNull(const LockPtr& lock) const
    {
        if (!lock) {
            return nullptr;
        }
        const int database = m_context.endpoints[lock->id.server].database;
        return report::lockJson(*lock, m_names[lock->id.server], database, m_context.clock.now());
    }

    void printPlans(const Plans& plans)
    {
        if (m_arguments.format == Format::Json) {
            m_context.output.print(dryRunJson(plans, m_names).dump() + '\n');
            return;
        }
        m_context.output.print(dryRunText(plans, m_names)
                               + (m_others.empty() ? m_others : m_others + '\n'));
    }

    const Context& m_context;
    const ReleaseArguments& m_arguments;
    std::vector<std::string> m_names;
    SignalRelay m_stop;
    ServerLinks m_links;
    operations::LockInspector m_inspector;
    wire::AuditFile m_file;
    operations::LockReleaser m_releaser;
    Rng m_rng{wire::freshSeed()};
    operations::InspectedLock m_inspected;
    operations::ServerReports m_reports;
    Plans m_sent;                          // once they are on their way
    std::string m_others;                  // what else the owner holds; empty: not known
    std::string m_ended;                   // whose holds a release ended, where that needs saying
    std::optional<ReleaseReport> m_report; // once there is nothing more to be sent
    async::Completer<int> m_end;
    async::BackgroundTask m_work; // last: it uses everything above
};

constexpr CommandText kReleaseText{
    .name = "release",
    .operand = "KEY",
    .usage = "KEY --owner TOKEN|--all [options]",
    .summary = "release a lock if the specified owner still holds it",
    .details = R"(
Releases a lock as its own library would, and wakes its waiters, but only if TOKEN still
holds it: comparison and deletion are one script on the server. With several --url the token
is removed from every server that has it; with --minority only if these are left-over votes
of a Redlock set, and no server that could give their owner a majority is out of reach. Of
several readers or permits only the specified one is released; the others remain. Every
attempt is written to the audit file first; if that fails, nothing is released.
A key that is not known to be a lock, because neither its name nor its value shows it, is
probably data: it is released only with --as, and the refusal (exit code 5) prints the call.
KEY and TOKEN may contain bytes as \xNN; write --owner=TOKEN if it begins with a dash.
Where the renewal of a living holder may create the lock again, the release is watched for as
long as that takes. If it came back, the exit code is 8.
)",
    .examples = R"(
  lockscope-cli release job:sync --owner 5f0c2e:63 --dry-run
  lockscope-cli release job:sync --owner 5f0c2e:63 --reason 'worker-7 died, INC-812'
  lockscope-cli release job:sync --owner 5f0c2e --minority --url redis://a --url redis://b \
    --url redis://c --redlock-set
)",
    .servers = ServerUse::NamedOrLocal,
};

class ReleaseCommand final : public CommandWith<ReleaseArguments> {
public:
    ReleaseCommand() : CommandWith(kReleaseText) {}

    void declare(app::OptionSet& options) override
    {
        options.addText(
            "owner", "TOKEN", m_owner,
            "Owner that must hold the lock. If the format records no owner: the\nvalue of the key, "
            "or '' for any value.");
        options.addSwitch("all", m_arguments.isAll,
                          "Instead of --owner, for read locks and semaphores: release all "
                          "holds.\nLists them; with "
                          "--dry-run without releasing them.");
        options.addText("as", "FORMAT", m_arguments.asFormat,
                        "The key is a lock of FORMAT, which you know: needed if neither\nits name "
                        "nor its value shows that it is a lock.\n\"lockscope-cli formats\" lists "
                        "the formats.");
        options.addSwitch("minority", m_arguments.isMinority,
                          "Of a Redlock set: release only votes that are left over. Refused\n"
                          "(exit code 5) if their owner has a majority, or may have one because\n"
                          "a server cannot be asked.");
        options.add(
            "tombstone", "DURATION|auto",
            [this](const std::string& text) { return readTombstone(text); },
            "Replace the token by one of Lockscope for that long, instead of\ndeleting the key: "
            "for "
            "libraries whose renewal would create it again.\nauto: until the holder must have "
            "tried to renew.");
        declareAuditedAction(options, m_arguments, "Print the commands without sending them.");
        declareFormat(options, m_arguments.format, {Format::Table, Format::Json});
        options.addDuration("follow", m_follow,
                            "How long to watch for the next owner; 0s: not at all. (1s, or as\n"
                            "long as a renewal may take to create the lock again.)");
    }

    void complete(const Operands& operands) override
    {
        m_arguments.key = keyOf(operands.first());
        if (!m_owner && !m_arguments.isAll) {
            throw app::ArgumentError{"release needs --owner TOKEN: the owner of the lock; "
                                     "\"lockscope-cli show KEY\" prints it"};
        }
        if (m_owner && m_arguments.isAll) {
            throw app::ArgumentError{
                "--owner and --all cannot be combined: release one hold or all holds"};
        }
        if (m_arguments.isMinority && !m_owner) {
            throw app::ArgumentError{"--minority needs --owner TOKEN: whose votes are left over"};
        }
        completeAuditedAction(m_arguments, operands);
        m_arguments.owner.text = m_owner.value_or("");
        if (m_follow >= Duration(0)) {
            m_arguments.followFor = m_follow;
        }
    }

    async::Task<int> run(Context context) override
    {
        inspect::FormatTablePtr formats = formatsWithDecision(context.output, m_arguments.key,
                                                              m_arguments.asFormat);
        if (formats == nullptr) {
            co_return ExitBadArguments;
        }
        Releasing one(context, m_arguments, std::move(formats));
        const int code = co_await one.ended();
        co_return code;
    }

private:
    std::string readTombstone(const std::string& text)
    {
        Tombstone& tombstone = m_arguments.tombstone.emplace();
        if (text == "auto") {
            return {};
        }
        Duration stay{0};
        std::string complaint = app::readDuration(text, stay);
        tombstone.stay = stay;
        return complaint;
    }

    std::optional<std::string> m_owner;
    Duration m_follow{-1}; // not given
};

} // namespace

std::unique_ptr<Command> releaseCommand()
{
    return std::make_unique<ReleaseCommand>();
}

} // namespace lockscope::cli
