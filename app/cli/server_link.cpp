#include "cli/server_link.h"

#include "cli/exit_code.h"

#include <QCoreApplication>

namespace lockscope::cli {

using store::Problem;
using wire::Connection;

std::vector<std::string> serverNames(const std::vector<store::Endpoint>& endpoints)
{
    std::vector<std::string> names;
    names.reserve(endpoints.size());
    for (const store::Endpoint& endpoint : endpoints) {
        names.push_back(store::serverName(endpoint));
    }
    return names;
}

std::string serverNameOf(const inspect::LockRecord& record, const std::vector<std::string>& names)
{
    if (record.id.server < names.size()) {
        return names[record.id.server];
    }
    std::string all;
    for (const std::string& name : names) {
        all += (all.empty() ? "" : ",") + name;
    }
    return all;
}

int exitCodeOf(const Problem& problem)
{
    switch (problem.kind) {
    case Problem::Kind::None: return ExitDone;
    case Problem::Kind::NoPermission:
    case Problem::Kind::ReadOnlyMode:
    case Problem::Kind::ReplicaReadOnly: return ExitRefused;
    default: return ExitUnreachable;
    }
}

Rng reconnectRng(const Clock& clock)
{
    const auto process = static_cast<std::uint64_t>(QCoreApplication::applicationPid());
    return Rng(process ^ static_cast<std::uint64_t>(clock.now().time_since_epoch().count()));
}

ServerLinks::Link::Link(const store::Endpoint& endpoint, const Context& context, Rng rng)
    : connection(endpoint, context.executor, context.clock, rng)
{
    QObject::connect(&connection, &Connection::stateChanged, &connection,
                     [this] { changed.open(); });
}

ServerLinks::ServerLinks(const Context& context) : m_context(context)
{
    Rng rng = reconnectRng(context.clock);
    for (const store::Endpoint& endpoint : context.endpoints) {
        m_links.push_back(std::make_unique<Link>(endpoint, context, rng.split()));
    }
}

async::Task<bool> ServerLinks::open()
{
    for (const auto& link : m_links) {
        link->connection.open();
    }
    for (const auto& link : m_links) {
        m_problem = co_await waitForEnd(*link);
        if (m_problem.kind != Problem::Kind::None) {
            m_context.output.complain(store::serverName(link->connection.endpoint()) + ": "
                                      + store::explain(m_problem));
            co_return false;
        }
    }
    co_return true;
}

async::Task<Problem> ServerLinks::waitForEnd(Link& link)
{
    while (link.connection.state() != Connection::State::Online) {
        if (link.connection.state() == Connection::State::Waiting) {
            co_return link.connection.problem();
        }
        co_await link.changed.pass();
    }
    co_return Problem();
}

} // namespace lockscope::cli
