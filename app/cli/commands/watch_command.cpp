#include "app/cli/commands/command_list.h"
#include "app/cli/exit_code.h"
#include "app/cli/output/lock_table.h"
#include "app/cli/process/signal_relay.h"
#include "app/cli/session/own_formats.h"
#include "app/cli/session/server_link.h"
#include "core/kernel/report/lock_json.h"
#include "core/kernel/report/wording.h"
#include "core/wire/watch/redis_monitor.h"

#include <csignal>
#include <memory>
#include <unordered_set>
#include <utility>

namespace lockscope::cli {

using inspect::LockChange;
using service::LinkStatus;
using store::Problem;

namespace {

/// One run of `watch`.
class Watching final : public QObject {
public:
    Watching(const Context& context, const WatchArguments& arguments)
        : m_context(context),
          m_selection(arguments.selection),
          m_stop({SIGINT, SIGTERM}, context.output),
          m_names(serverNames(context.endpoints)),
          m_reported(context.endpoints.size()),
          m_infos(context.endpoints.size()),
          m_findings(context.endpoints.size())
    {
        connect(&m_stop, &SignalRelay::received, this, [this] { end(codeOfGaps()); });
        connect(&m_monitor, &wire::MonitorWorker::linkChanged, this, &Watching::reportLink);
        connect(&m_monitor, &wire::MonitorWorker::sweepProgressed, this, &Watching::reportGaps);
        connect(&m_monitor, &wire::MonitorWorker::locksChanged, this, &Watching::print);
        m_monitor.open(context.endpoints,
                       {m_selection.isDeep, m_selection.patterns, formatsOfUser(context.output)});
    }

    async::Pending<int> ended() const { return m_end.pending(); }

private:
    void print(const inspect::LockDelta& delta)
    {
        const Instant now = m_context.clock.now();
        const WallTime wallNow = m_context.clock.wallNow();
        std::string lines;
        for (const LockChange& change : delta.changes) {
            if (isWanted(change, now)) {
                const auto age = std::chrono::duration_cast<std::chrono::milliseconds>(now
                                                                                       - change.at);
                lines += report::changeJson(change, wallNow - age,
                                            serverNameOf(*change.lock, m_names),
                                            databaseOf(*change.lock), now)
                             .dump()
                         + '\n';
            }
        }
        m_context.output.print(lines);
        if (m_context.output.isBroken()) {
            end(ExitDone); // the caller of the command finds out why
        }
    }

    /// What was printed once is followed until it is gone, or was shown not to match any more.
    bool isWanted(const LockChange& change, Instant now)
    {
        const inspect::FilterContext filterContext{now, m_names};
        const bool isMatch = m_selection.isAboutLock(*change.lock)
                             && m_selection.filter.matches(*change.lock, filterContext);
        const bool wasShown = m_shown.contains(change.lock->id);
        if (isMatch && !isEnding(change.kind)) {
            m_shown.insert(change.lock->id);
        } else {
            m_shown.erase(change.lock->id);
        }
        return isMatch || wasShown;
    }

    int databaseOf(const inspect::LockRecord& record) const
    {
        const std::size_t server = record.id.server;
        return m_context.endpoints[server < m_context.endpoints.size() ? server : 0].database;
    }

    /// Says what changed about a server, but not that the fifth attempt failed like the fourth.
    void reportLink(const LinkStatus& status)
    {
        reportServer(status);
        std::string sentence = sentenceOf(status);
        if (!sentence.empty() && !status.node.empty()) {
            sentence += " (master: " + status.node + ')';
        }
        std::string& last = m_reported[status.server];
        if (sentence.empty() || sentence == last) {
            return;
        }
        last = sentence;
        m_context.output.complain(m_names[status.server] + ": " + sentence);
        const bool isHopeless = status.state == LinkStatus::State::Waiting
                                && status.nextAttempt == Instant::max();
        if (isHopeless) {
            end(exitCodeOf(status.problem));
        }
    }

    /// Says what kind of server it is, when that is not the usual one or not any more.
    void reportServer(const LinkStatus& status)
    {
        store::ServerInfo& known = m_infos[status.server];
        store::ServerInfo info = status.info;
        info.commandsPerSecond = 0;
        info.masterSilentFor.reset(); // what counts on is no news
        if (info == known) {
            return;
        }
        const store::Endpoint& endpoint = m_context.endpoints[status.server];
        const std::string before = store::explain(std::exchange(known, info), endpoint);
        const std::string remark = store::explain(info, endpoint);
        if (remark != before) {
            m_context.output.complain(m_names[status.server] + ": "
                                      + (remark.empty() ? "This server is now a master." : remark));
        }
        const std::string effect = store::explainDeepLook(info);
        if (m_selection.isDeep && !effect.empty()) {
            m_context.output.complain(m_names[status.server] + ": " + effect);
        }
        const std::string doubt = store::explainSet(m_infos, m_names);
        if (!doubt.empty() && doubt != m_doubt) {
            m_context.output.complain(doubt);
        }
        m_doubt = doubt;
        if (info.role == store::ServerInfo::Role::Sentinel) {
            end(ExitUnreachable);
        }
    }

    /// Says what could not be read, but not after every sweep that it is still so.
    void reportGaps(const service::SweepProgress& progress)
    {
        if (!progress.isDone || !progress.findings) {
            return;
        }
        const std::vector<std::string> sentences = inspect::unreadSentences(*progress.findings);
        std::shared_ptr<const inspect::SweepFindings>& last = m_findings[progress.server];
        const bool isNews = last ? sentences != inspect::unreadSentences(*last)
                                 : !sentences.empty();
        last = progress.findings;
        if (!isNews) {
            return;
        }
        if (sentences.empty()) {
            m_context.output.complain(m_names[progress.server] + ": complete again");
        }
        for (const std::string& sentence : sentences) {
            m_context.output.complain(m_names[progress.server] + ": incomplete: " + sentence);
        }
    }

    /// What the last sweeps could not read is missing from what was printed.
    int codeOfGaps() const
    {
        inspect::SweepFindings all;
        for (const auto& findings : m_findings) {
            if (findings) {
                all.add(*findings);
            }
        }
        return exitCodeOf(all);
    }

    static std::string scopeOf(const LinkStatus& status)
    {
        return status.isNarrow ? ". The server is busy: it reports changes only for names that "
                                 "resemble known locks. Other keys are checked periodically."
                               : "";
    }

    static std::string sentenceOf(const LinkStatus& status)
    {
        const bool hasProblem = status.problem.kind != Problem::Kind::None;
        if (status.state == LinkStatus::State::Waiting) {
            const bool isHopeless = status.nextAttempt == Instant::max();
            return store::explain(status.problem) + (isHopeless ? "" : " Retrying until it works.");
        }
        if (status.state == LinkStatus::State::Stalled) {
            return "state unknown: " + store::explain(status.problem);
        }
        if (status.state != LinkStatus::State::Online) {
            return {};
        }
        switch (status.live) {
        case LinkStatus::Live::None: return {};
        case LinkStatus::Live::Push:
            return hasProblem ? store::explain(status.problem) : "watching" + scopeOf(status);
        case LinkStatus::Live::KeyspaceEvents:
            return "watching with keyspace events" + scopeOf(status);
        case LinkStatus::Live::Polling: break;
        }
        return "the server does not report changes, so known locks are polled"
               + (hasProblem ? ". " + store::explain(status.problem) : std::string());
    }

    void end(int code) { m_end.complete(code); }

    const Context& m_context;
    const Selection& m_selection;
    SignalRelay m_stop; // before the first thread
    std::vector<std::string> m_names;
    std::vector<std::string> m_reported; // per server, the last sentence about it
    std::vector<store::ServerInfo> m_infos;
    std::string m_doubt; // whether they are a Redlock set
    std::vector<std::shared_ptr<const inspect::SweepFindings>> m_findings; // per server
    std::unordered_set<inspect::LockId, inspect::LockIdHash> m_shown;
    async::Completer<int> m_end;
    wire::MonitorWorker m_monitor; // last: it calls this. On this thread: a slow reader slows it
};

constexpr CommandText kWatchText{
    .name = "watch",
    .summary = "print changes as JSON lines until interrupted",
    .details = R"(
Prints one JSON object per line and change:
  {"at":...,"change":"appeared|changed|released|expired|renewed","lock":{...}}
Existing locks are printed first, as "appeared". A lock that matched the filter is followed
until it is gone or no longer matches. If the connection is lost, the command reconnects until
it succeeds and reports this on standard error. The exit code is 0 when interrupted, or 1 or 5
as for list if some keys could not be read.
)",
    .examples = R"(
  lockscope-cli watch --filter 'key:job:*' | jq -c '[.at, .change, .lock.key]'
)",
    .servers = ServerUse::NamedOrLocal,
};

class WatchCommand final : public CommandWith<WatchArguments> {
public:
    WatchCommand() : CommandWith(kWatchText) {}

    void declare(app::OptionSet& options) override
    {
        declareSelection(options, m_arguments.selection);
        declareFormat(options, m_arguments.format, {Format::Json},
                      "Output format: one JSON object per line.");
    }

    async::Task<int> run(Context context) override
    {
        Watching one(context, m_arguments);
        const int code = co_await one.ended();
        co_return code;
    }
};

} // namespace

std::unique_ptr<Command> watchCommand()
{
    return std::make_unique<WatchCommand>();
}

} // namespace lockscope::cli
