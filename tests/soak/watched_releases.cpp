#include "tests/soak/watched_releases.h"

#include <algorithm>
#include <utility>

namespace lockscope::testing {

using store::Command;
using store::Outcome;

namespace {

/// EVAL script 1 key …
constexpr std::size_t kFirstKey = 3;

bool isScript(const Command& command)
{
    return command.words.front() == "EVAL";
}

} // namespace

class WatchedServers::WatchedStore final : public store::Store {
public:
    WatchedStore(const WatchedServers& servers, std::uint16_t server, Rng rng)
        : m_servers(servers),
          m_server(server),
          m_connection(servers.m_endpoints[server], servers.m_executor, servers.m_clock, rng),
          m_tasks(servers.m_executor)
    {
        m_connection.open();
    }
    ~WatchedStore() override { m_tasks.cancelAll(); }

    bool isOnline() const { return m_connection.state() == wire::Connection::State::Online; }

    async::Pending<Outcome> submit(Command command) override
    {
        if (!isScript(command)) {
            return m_connection.submit(std::move(command));
        }
        async::Completer<Outcome> completer;
        auto pending = completer.pending();
        m_tasks.start(runAlone(std::move(command), std::move(completer)));
        return pending;
    }

    async::Pending<std::vector<Outcome>> submitAll(std::vector<Command> commands) override
    {
        const auto script = std::ranges::find_if(commands, isScript);
        if (script == commands.end()) {
            return m_connection.submitAll(std::move(commands));
        }
        async::Completer<std::vector<Outcome>> completer;
        auto pending = completer.pending();
        m_tasks.start(runGuarded(*script, std::move(completer)));
        return pending;
    }

    async::Task<store::Problem> whenSettled() override { return m_connection.whenSettled(); }
    std::uint64_t session() const override { return m_connection.session(); }

private:
    std::vector<Command> betweenLooks(const Command& script) const
    {
        std::vector<Command> transaction;
        transaction.emplace_back("MULTI");
        transaction.push_back(m_servers.m_looker(script.words[kFirstKey]));
        transaction.push_back(script);
        transaction.push_back(m_servers.m_looker(script.words[kFirstKey]));
        transaction.emplace_back("EXEC");
        return transaction;
    }

    /// The script's own answer; nullopt where it was not carried out.
    std::optional<store::Reply> noted(const Bytes& key, const Outcome& outcome) const
    {
        const store::Reply* const answers = replyOf(outcome);
        if (answers == nullptr || answers->array() == nullptr || answers->array()->size() != 3) {
            return std::nullopt;
        }
        const store::Reply::Array& parts = *answers->array();
        m_servers.m_listener({m_server, key, parts[1], Look(parts[0]), Look(parts[2])});
        return parts[1];
    }

    async::Task<void> runAlone(Command script, async::Completer<Outcome> completer)
    {
        auto pending = m_connection.submitAll(betweenLooks(script));
        const std::vector<Outcome> outcomes = co_await std::move(pending);
        const auto answer = noted(script.words[kFirstKey], outcomes.back());
        completer.complete(answer ? Outcome(*answer) : outcomes.back());
    }

    async::Task<void> runGuarded(Command script, async::Completer<std::vector<Outcome>> completer)
    {
        auto pending = m_connection.submitAll(betweenLooks(script));
        const std::vector<Outcome> outcomes = co_await std::move(pending);
        std::vector<Outcome> unwrapped = {outcomes[0], outcomes[2], outcomes[4]};
        if (const auto answer = noted(script.words[kFirstKey], outcomes.back())) {
            unwrapped.back() = store::Reply::ofArray({*answer});
        }
        completer.complete(std::move(unwrapped));
    }

    const WatchedServers& m_servers;
    std::uint16_t m_server;
    wire::Connection m_connection;
    async::TaskScope m_tasks; // last: what runs in it uses everything above
};

WatchedServers::WatchedServers(std::vector<store::Endpoint> endpoints, async::Executor& executor,
                               Clock& clock, Rng rng, Looker looker, Listener listener)
    : m_endpoints(std::move(endpoints)),
      m_executor(executor),
      m_clock(clock),
      m_rng(rng),
      m_looker(std::move(looker)),
      m_listener(std::move(listener))
{
    for (std::size_t server = 0; server < m_endpoints.size(); ++server) {
        m_stores.push_back(connectAgain(server));
    }
}

WatchedServers::~WatchedServers() = default;

std::shared_ptr<store::Store> WatchedServers::connectAgain(std::size_t server)
{
    return std::make_shared<WatchedStore>(*this, static_cast<std::uint16_t>(server), m_rng.split());
}

bool WatchedServers::isOnline() const
{
    return std::ranges::all_of(m_stores, [](const auto& store) {
        return static_cast<const WatchedStore&>(*store).isOnline();
    });
}

} // namespace lockscope::testing
