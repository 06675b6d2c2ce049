#include "app/cli/commands/command_list.h"
#include "app/cli/exit_code.h"
#include "app/cli/process/signal_relay.h"
#include "app/cli/session/followed_server.h"
#include "app/cli/session/own_formats.h"
#include "core/kernel/store/endpoint.h"
#include "core/operations/metrics/exposition.h"
#include "core/operations/metrics/named_locks.h"
#include "core/operations/metrics/server_metrics.h"
#include "core/wire/file_limit.h"
#include "core/wire/http/http_listener.h"

#include <csignal>
#include <memory>
#include <set>
#include <utility>

namespace lockscope::cli {

namespace {

constexpr const char* kMetricsPath = "/metrics";
constexpr const char* kHealthPath = "/-/healthy";

/// One run of `export`. Everything is on this thread.
class Exporting final : public QObject {
public:
    Exporting(const Context& context, const ExportArguments& arguments)
        : m_context(context),
          m_arguments(arguments),
          m_stop({SIGINT, SIGTERM}, context.output),
          m_named(arguments.keyPatterns),
          m_listener([this](const wire::HttpRequest& request) { return answerTo(request); })
    {
        connect(&m_stop, &SignalRelay::received, this, [this] { m_end.complete(ExitDone); });
    }

    async::Task<int> run()
    {
        const std::string twin = serverGivenTwice();
        if (!twin.empty()) {
            m_context.output.complain("the server " + twin + " is specified twice");
            co_return ExitBadArguments;
        }
        if (!listen()) {
            co_return ExitUnreachable;
        }
        followAll();
        const int code = co_await m_end.pending();
        co_return code;
    }

private:
    /// Samples of both would be the same series. Empty: there is none.
    std::string serverGivenTwice() const
    {
        std::set<std::pair<std::string, int>> known;
        const std::vector<std::string> names = serverNames();
        for (std::size_t i = 0; i < names.size(); ++i) {
            if (!known.emplace(names[i], m_context.endpoints[i].database).second) {
                return names[i];
            }
        }
        return {};
    }

    /// Without the database, which has a label of its own.
    std::vector<std::string> serverNames() const
    {
        std::vector<store::Endpoint> servers = m_context.endpoints;
        for (store::Endpoint& server : servers) {
            server.database = 0;
        }
        return store::namesBeside(servers);
    }

    bool listen()
    {
        ListenAddress address = m_arguments.address;
        const std::string wrong = m_listener.listen(address.host, address.port);
        if (!wrong.empty()) {
            m_context.output.complain("could not listen on " + address.text() + ": " + wrong);
            return false;
        }
        address.port = m_listener.port();
        m_context.output.complain("metrics are at http://" + address.text() + kMetricsPath);
        return true;
    }

    void followAll()
    {
        wire::raiseFileLimit(); // two connections and an alarm for each server
        const service::WatchOptions options{m_arguments.selection.isDeep,
                                            m_arguments.selection.patterns,
                                            formatsOfUser(m_context.output)};
        const std::vector<std::string> names = serverNames();
        for (const store::Endpoint& endpoint : m_context.endpoints) {
            const std::size_t server = m_servers.size();
            const std::string& name = names[server];
            metrics::ServerMetrics metrics(static_cast<std::uint16_t>(server),
                                           {name, endpoint.database, environmentOf(server)},
                                           wantedOn(name), m_named);
            m_servers.push_back(std::make_unique<FollowedServer>(
                endpoint, options, std::move(metrics), m_context.clock, m_context.output));
        }
    }

    /// One name is that of all servers.
    std::string environmentOf(std::size_t server) const
    {
        const std::vector<std::string>& all = m_arguments.environments;
        return all.empty() ? std::string() : all[all.size() == 1 ? 0 : server];
    }

    metrics::ServerMetrics::Wanted wantedOn(const std::string& name) const
    {
        return [&selection = m_arguments.selection,
                names = std::vector<std::string>{name}](const inspect::LockRecord& record,
                                                        Instant now) {
            return selection.isAboutLock(record) && selection.filter.matches(record, {now, names});
        };
    }

    wire::HttpAnswer answerTo(const wire::HttpRequest& request) const
    {
        if (request.path == kHealthPath) {
            return {200, wire::HttpAnswer().contentType, "ok\n"};
        }
        if (request.path != kMetricsPath) {
            return {404, wire::HttpAnswer().contentType,
                    std::string("Not found. The metrics are at ") + kMetricsPath + ".\n"};
        }
        const metrics::Exposition exposition = metrics::expositionFor(request.accept);
        return {200, std::string(metrics::contentTypeOf(exposition)),
                metrics::textOf(families(), exposition)};
    }

    std::vector<metrics::MetricFamily> families() const
    {
        std::vector<const metrics::ServerMetrics*> all;
        all.reserve(m_servers.size());
        for (const auto& server : m_servers) {
            all.push_back(&server->metrics());
        }
        return metrics::familiesOf(all, m_named, LOCKSCOPE_VERSION, m_context.clock.now());
    }

    const Context& m_context;
    const ExportArguments& m_arguments;
    SignalRelay m_stop;
    metrics::NamedLocks m_named;
    async::Completer<int> m_end;
    std::vector<std::unique_ptr<FollowedServer>> m_servers;
    wire::HttpListener m_listener; // last: it calls this
};

constexpr CommandText kExportText{
    .name = "export",
    .summary = "serve metrics of the locks for Prometheus",
    .details = R"(
Watches the servers and serves OpenMetrics at http://HOST:PORT/metrics until interrupted; /-/healthy
answers while the program runs. Several --url are independent servers here, each with its own
series, and not one Redlock set. A server that cannot be reached is retried until it works; its
lockscope_server_up is 0 until then, and it has no numbers of locks. The names of locks are not
exported, except those that --metric-keys asks for. The metrics are described in docs/fleet.md. The
exit code is 0 when interrupted, or 1 if the address is in use.
)",
    .examples = R"(
  lockscope-cli export --url redis://10.0.0.5 --url redis://10.0.0.6 --environment production
  curl http://127.0.0.1:9469/metrics
)",
    .servers = ServerUse::NamedOrLocal,
};

class ExportCommand final : public CommandWith<ExportArguments> {
public:
    ExportCommand() : CommandWith(kExportText) {}

    void declare(app::OptionSet& options) override
    {
        const auto readAddress = [this](const std::string& text) {
            return readListenAddress(text, m_arguments.address);
        };
        const auto readEnvironment = [this](const std::string& text) {
            m_arguments.environments.push_back(text);
            return std::string(isUtf8(text) ? "" : "the name is no text");
        };
        const auto readPattern = [this](const std::string& text) {
            m_arguments.keyPatterns.push_back(text);
            return std::string(text.empty() ? "an empty pattern matches nothing" : "");
        };
        options.add("listen", "HOST:PORT", readAddress,
                    "Where to serve (127.0.0.1:9469). Without encryption or password:\n"
                    "other machines reach it only at an address of this machine.");
        options.add("environment", "NAME", readEnvironment,
                    "What the servers are for, as a label: once for all, or once for\n"
                    "each --url, in their order.",
                    true);
        options.add("metric-keys", "GLOB", readPattern,
                    "Export matching locks one by one, with their names as labels; at\n"
                    "most 1,000 different ones for as long as the program runs.",
                    true);
        declareSelection(options, m_arguments.selection);
    }

    void complete(const Operands& operands) override
    {
        const std::size_t count = m_arguments.environments.size();
        if (count > 1 && count != operands.serverCount) {
            throw app::ArgumentError{"--environment is specified " + std::to_string(count)
                                     + " times for " + std::to_string(operands.serverCount)
                                     + " --url: once for all, or once for each"};
        }
    }

    async::Task<int> run(Context context) override
    {
        Exporting one(context, m_arguments);
        const int code = co_await one.run();
        co_return code;
    }
};

} // namespace

std::unique_ptr<Command> exportCommand()
{
    return std::make_unique<ExportCommand>();
}

} // namespace lockscope::cli
