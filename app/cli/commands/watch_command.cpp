#include "app/cli/commands/command_list.h"
#include "app/cli/exit_code.h"
#include "app/cli/output/lock_table.h"
#include "app/cli/process/signal_relay.h"
#include "app/cli/session/own_formats.h"
#include "app/cli/session/server_link.h"
#include "app/cli/session/server_news.h"
#include "core/kernel/report/lock_json.h"
#include "core/wire/watch/redis_monitor.h"

#include <csignal>
#include <memory>
#include <unordered_set>
#include <utility>

namespace lockscope::cli {

using inspect::LockChange;
using service::LinkStatus;

namespace {

/// One run of `watch`.
class Watching final : public QObject {
public:
    Watching(const Context& context, const WatchArguments& arguments)
        : m_context(context),
          m_selection(arguments.selection),
          m_stop({SIGINT, SIGTERM}, context.output),
          m_names(serverNames(context.endpoints)),
          m_news(newsOf(context.endpoints, m_selection.isDeep, context.output))
    {
        connect(&m_stop, &SignalRelay::received, this, [this] { end(codeOfGaps()); });
        connect(&m_monitor, &wire::MonitorWorker::linkChanged, this, &Watching::takeLink);
        connect(&m_monitor, &wire::MonitorWorker::sweepProgressed, this,
                [this](const service::SweepProgress& progress) {
                    m_news[progress.server].take(progress);
                });
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
                const JsonPlace place = jsonPlaceOf(*change.lock, m_context.endpoints);
                lines += report::changeJson(change, wallNow - age, place.server, place.database,
                                            now)
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

    void takeLink(const LinkStatus& status)
    {
        ServerNews& news = m_news[status.server];
        news.take(status);
        complainAboutSet();
        if (news.isHopeless()) {
            end(exitCodeOf(status.problem));
        } else if (status.info.role == store::ServerInfo::Role::Sentinel) {
            end(ExitUnreachable);
        }
    }

    /// Whether they are a Redlock set.
    void complainAboutSet()
    {
        std::vector<store::ServerInfo> infos;
        for (const ServerNews& news : m_news) {
            infos.push_back(news.info());
        }
        const std::string doubt = store::explainSet(infos, m_context.endpoints);
        if (!doubt.empty() && doubt != m_doubt) {
            m_context.output.complain(doubt);
        }
        m_doubt = doubt;
    }

    /// What the last sweeps could not read is missing from what was printed.
    int codeOfGaps() const
    {
        inspect::SweepFindings all;
        for (const ServerNews& news : m_news) {
            if (news.findings()) {
                all.add(*news.findings());
            }
        }
        return exitCodeOf(all);
    }

    void end(int code) { m_end.complete(code); }

    const Context& m_context;
    const Selection& m_selection;
    SignalRelay m_stop;
    std::vector<std::string> m_names;
    std::vector<ServerNews> m_news; // per server
    std::string m_doubt;            // whether they are a Redlock set
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
