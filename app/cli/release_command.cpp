#include "cli/release_command.h"

#include "cli/exit_code.h"
#include "cli/lock_study.h"
#include "cli/release_attempts.h"
#include "cli/signal_relay.h"
#include "inspect/force_release.h"
#include "report/lock_json.h"
#include "report/wording.h"

#include <algorithm>
#include <csignal>
#include <utility>

namespace lockscope::cli {

using inspect::Aftermath;
using inspect::Examination;
using inspect::LockPtr;
using inspect::ReleasePlan;
using inspect::ReleaseReport;
using inspect::ReleaseResult;
using report::Json;
using store::Problem;

namespace {

using Plans = ReleaseAttempts::Plans;

/// True when the token names the hold that the plan would end. A format without owners is named by
/// what the release compares, or by nothing at all.
bool names(const OwnerToken& token, const ReleasePlan& plan)
{
    if (!plan.owner().empty()) {
        return plan.holders.size() == 1 && token.means(plan.owner());
    }
    if (token.text.empty()) {
        return true;
    }
    return std::ranges::any_of(
        plan.recipe.checks, [&token](const inspect::ReleaseRecipe::KeyCheck& check) {
            const bool isValue = check.kind == inspect::ReleaseRecipe::KeyCheck::Kind::Value;
            return isValue ? token.means(check.value)
                           : std::ranges::any_of(check.fields, [&](const Bytes& name) {
                                 return token.means(name);
                             });
        });
}

/// Several may hold it at once.
bool isShared(inspect::Mode mode)
{
    return mode == inspect::Mode::Read || mode == inspect::Mode::Semaphore;
}

int exitCodeOf(const ReleaseReport& report)
{
    switch (report.result) {
    case ReleaseResult::Released: return ExitDone;
    case ReleaseResult::ChangedHands: return ExitChangedHands;
    case ReleaseResult::AlreadyGone: return ExitAlreadyGone;
    case ReleaseResult::Refused: break;
    case ReleaseResult::Unknown: return ExitUnknown;
    }
    switch (report.problem.kind) {
    case Problem::Kind::NotConnected:
    case Problem::Kind::ConnectionLost:
    case Problem::Kind::ConnectionRefused:
    case Problem::Kind::ConnectTimedOut:
    case Problem::Kind::ReplyTimedOut: return ExitUnreachable; // it was never sent
    default: return ExitRefused;
    }
}

std::string_view idOf(Aftermath::Kind kind)
{
    switch (kind) {
    case Aftermath::Kind::StillFree: return "still-free";
    case Aftermath::Kind::TakenByOther: return "taken-by-other";
    case Aftermath::Kind::TakenBySameOwner: return "taken-by-same-owner";
    case Aftermath::Kind::NotKnown: break;
    }
    return "not-known";
}

/// One run of `release`.
class Releasing final : public QObject {
public:
    Releasing(const Context& context, const ReleaseArguments& arguments)
        : m_context(context),
          m_arguments(arguments),
          m_names(serverNames(context.endpoints)),
          m_stop({SIGINT, SIGTERM, SIGHUP}, context.output),
          m_links(context),
          m_attempts(context, arguments)
    {
        m_work = async::BackgroundTask(context.executor, work());
        connect(&m_stop, &SignalRelay::received, this, &Releasing::stop);
    }

    async::Pending<int> ended() const { return m_end.pending(); }

private:
    async::Task<void> work()
    {
        int code = co_await run();
        if (m_attempts.complainAboutLostLines() && code == ExitDone) {
            code = ExitUnreachable; // as with results that cannot be printed
        }
        m_end.complete(code);
    }

    async::Task<int> run()
    {
        const bool isOpen = co_await m_links.open();
        if (!isOpen) {
            co_return endUnread(m_links.problem());
        }
        const Closeness closeness = m_arguments.isDryRun ? Closeness::Look : Closeness::ToRelease;
        m_study = co_await studyLock(m_context, m_links, m_arguments.key, closeness);
        if (m_study.problem.kind != Problem::Kind::None) {
            co_return endUnread(m_study.problem);
        }
        const Plans plans = m_arguments.isAll ? plansForAll() : plansForOwner();
        if (plans.empty()) {
            m_report = reportWithoutPlan();
            noteUnsent(*m_report);
            co_return finish(*m_report, Aftermath());
        }
        const std::string objection = objectionTo(plans);
        if (!objection.empty()) {
            m_report = ReleaseReport();
            m_report->result = ReleaseResult::Refused;
            m_report->ownReason = objection;
            noteUnsent(*m_report);
            co_return finish(*m_report, Aftermath());
        }
        if (m_arguments.isDryRun) {
            printPlans(plans);
            co_return ExitDone;
        }
        m_report = co_await m_attempts.carryOut(m_links, plans);
        m_ended = report::endedSentence(plans.front().second);
        Aftermath aftermath;
        const bool isFree = m_report->result == ReleaseResult::Released
                            && !plans.front().second.leavesOthers();
        if (isFree && m_arguments.followFor > Duration(0)) {
            const auto first = std::ranges::find_if(m_report->perServer, [](const auto& entry) {
                return entry.second == ReleaseResult::Released;
            });
            const std::uint16_t server = first->first;
            aftermath = co_await inspect::follow(m_links.store(server), m_context.clock, server,
                                                 plans.front().second.lock, m_context.clock.now(),
                                                 m_arguments.followFor);
        }
        co_return finish(*m_report, aftermath);
    }

    /// The lock could not be looked at; the output was told why.
    int endUnread(const Problem& problem)
    {
        ReleaseReport report;
        report.result = ReleaseResult::Refused;
        report.problem = problem;
        noteUnsent(report);
        return cli::exitCodeOf(problem);
    }

    void noteUnsent(const ReleaseReport& report)
    {
        if (!m_arguments.isDryRun) {
            m_attempts.noteUnsent(report);
        }
    }

    /// Whatever was sent stays sent: how far it got is said and written down.
    void stop(int signalNumber)
    {
        m_work = {};
        int code = ExitBySignal + signalNumber;
        if (m_report) {
            code = finish(*m_report, Aftermath()); // only who comes next remains unknown
        } else if (!m_arguments.isDryRun) {
            const ReleaseReport report = m_attempts.interrupted();
            const bool wasSent = report.result != ReleaseResult::Refused;
            const int codeOfReport = finish(report, Aftermath());
            code = wasSent ? codeOfReport : code;
        }
        m_attempts.complainAboutLostLines();
        m_end.complete(code);
    }

    Plans plansForAll() const
    {
        Plans plans;
        for (const Examination& examination : m_study.examinations) {
            if (auto plan = inspect::planFor(examination, inspect::ReleaseAction::Release)) {
                plans.emplace_back(examination.sighting.server, std::move(*plan));
            }
        }
        return plans;
    }

    Plans plansForOwner() const
    {
        Plans plans;
        for (const Examination& examination : m_study.examinations) {
            for (ReleasePlan& plan : plansForEachHolder(examination)) {
                if (names(m_arguments.owner, plan)) {
                    plans.emplace_back(examination.sighting.server, std::move(plan));
                }
            }
        }
        return plans;
    }

    static std::vector<ReleasePlan> plansForEachHolder(const Examination& examination)
    {
        std::vector<ReleasePlan> plans = inspect::plansForEach(examination);
        if (plans.empty()) {
            if (auto only = inspect::planFor(examination, inspect::ReleaseAction::Release)) {
                plans.push_back(std::move(*only));
            }
        }
        return plans;
    }

    /// What has to be asked for in other words; empty when it may be done.
    std::string objectionTo(const Plans& plans) const
    {
        const auto isAmbiguous = [&plans](const auto& entry) {
            return std::ranges::count(plans, entry.first, &Plans::value_type::first) > 1;
        };
        const ReleasePlan& first = plans.front().second;
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

    /// Why nothing can be sent at all.
    ReleaseReport reportWithoutPlan() const
    {
        ReleaseReport report;
        if (!m_study.exists()) {
            report.result = ReleaseResult::AlreadyGone;
            return report;
        }
        for (const Examination& examination : m_study.examinations) {
            if (inspect::planFor(examination, inspect::ReleaseAction::Release)) {
                report.nowThere = examination.record();
                // Of several who hold it together, one more or less is no change of hands.
                report.result = isShared(report.nowThere->mode) ? ReleaseResult::AlreadyGone
                                                                : ReleaseResult::ChangedHands;
                return report;
            }
        }
        report.result = ReleaseResult::Refused;
        return report;
    }

    int finish(const ReleaseReport& report, const Aftermath& aftermath)
    {
        const std::string sentence = sentenceOf(report);
        const bool isReleased = report.result == ReleaseResult::Released;
        if (m_arguments.format == Format::Json) {
            m_context.output.print(reportJson(report, aftermath).dump() + '\n');
        } else if (isReleased) {
            m_context.output.print(sentence + '\n');
            if (!m_ended.empty()) {
                m_context.output.print(m_ended + '\n');
            }
            if (aftermath.kind != Aftermath::Kind::NotKnown) {
                m_context.output.print(report::aftermathSentence(aftermath) + '\n');
            }
        }
        if (!isReleased) {
            m_context.output.complain(sentence);
        } else if (aftermath.kind == Aftermath::Kind::TakenBySameOwner
                   && m_arguments.format == Format::Json) {
            m_context.output.complain(report::aftermathSentence(aftermath));
        }
        return exitCodeOf(report);
    }

    std::string sentenceOf(const ReleaseReport& report) const
    {
        const bool isAboutFormat = report.result == ReleaseResult::Refused
                                   && report.problem.kind == Problem::Kind::None
                                   && report.ownReason.empty();
        if (isAboutFormat) {
            return "Refused; nothing was done. " + unsupportedReason();
        }
        std::string sentence = report::resultSentence(report);
        if (report.perServer.size() > 1) {
            for (const auto& [server, result] : report.perServer) {
                sentence += ' ' + m_names[server] + ": " + std::string(inspect::idOf(result)) + '.';
            }
        }
        return sentence;
    }

    std::string unsupportedReason() const
    {
        for (const Examination& examination : m_study.examinations) {
            if (examination.readings.empty()) {
                continue;
            }
            const inspect::Reading& reading = examination.readings.front();
            std::string sentence = "The format " + std::string(reading.format)
                                   + " cannot be released safely.";
            for (const std::string_view warning :
                 inspect::releaseWarnings(examination, reading.format)) {
                sentence += ' ' + std::string(warning);
            }
            return sentence;
        }
        return "The key exists, but is not recognised as a lock.";
    }

    Json reportJson(const ReleaseReport& report, const Aftermath& aftermath) const
    {
        Json json{{"outcome", inspect::idOf(report.result)}, {"key", escaped(m_arguments.key)}};
        json["sentence"] = sentenceOf(report);
        json["woken"] = report.woken;
        json["servers"] = Json::array();
        for (const auto& [server, result] : report.perServer) {
            json["servers"].push_back(Json{{"server", m_names[server]},
                                           {"outcome", inspect::idOf(result)}});
        }
        json["nowThere"] = lockOrNull(report.nowThere);
        json["next"] = nullptr;
        if (aftermath.kind != Aftermath::Kind::NotKnown) {
            json["next"] = Json{{"what", idOf(aftermath.kind)},
                                {"afterMs", toMs(aftermath.after)},
                                {"lock", lockOrNull(aftermath.next)}};
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
            Json all = Json::array();
            for (const auto& [server, plan] : plans) {
                Json json{{"server", m_names[server]}};
                json.update(report::planJson(plan));
                all.push_back(std::move(json));
            }
            m_context.output.print(Json{{"dryRun", true}, {"plans", std::move(all)}}.dump() + '\n');
            return;
        }
        for (const auto& [server, plan] : plans) {
            std::string text = "Would send to " + m_names[server] + " (nothing was sent):\n"
                               + store::toText(plan.command) + '\n';
            if (const std::string ended = report::endedSentence(plan); !ended.empty()) {
                text += "Ends: " + ended + '\n';
            }
            for (const std::string_view warning : plan.recipe.warnings) {
                text += "Note: " + std::string(warning) + '\n';
            }
            m_context.output.print(text);
        }
    }

    const Context& m_context;
    const ReleaseArguments& m_arguments;
    std::vector<std::string> m_names;
    SignalRelay m_stop;
    ServerLinks m_links;
    ReleaseAttempts m_attempts;
    LockStudy m_study;
    std::string m_ended;                   // whose holds a release ended, where that needs saying
    std::optional<ReleaseReport> m_report; // once there is nothing more to be sent
    async::Completer<int> m_end;
    async::BackgroundTask m_work; // last: it uses everything above
};

} // namespace

async::Task<int> runRelease(Context context, ReleaseArguments arguments)
{
    Releasing releasing(context, arguments);
    const int code = co_await releasing.ended();
    co_return code;
}

} // namespace lockscope::cli
