#pragma once

#include "async/task.h"
#include "cli/cli_arguments.h"
#include "cli/output.h"
#include "connection.h"
#include "inspect/sweep_findings.h"
#include "store/problem.h"
#include "store/server_info.h"

#include <memory>
#include <string>
#include <vector>

namespace lockscope::cli {

/// What a command works with. Everything outlives the command.
struct Context {
    async::Executor& executor;
    Clock& clock;
    Output& output;
    const std::vector<store::Endpoint>& endpoints;
};

/// "10.0.0.5:6379", per endpoint.
std::vector<std::string> serverNames(const std::vector<store::Endpoint>& endpoints);

/// What the JSON calls "server" for a lock: the name of its server, or all names for a Redlock row.
std::string serverNameOf(const inspect::LockRecord& record, const std::vector<std::string>& names);

/// The exit code of a command that a problem has ended.
int exitCodeOf(const store::Problem& problem);

/// The exit code of a command that saw all there is but these.
int exitCodeOf(const inspect::SweepFindings& findings);

/// Seeds nothing but the pauses between attempts to connect.
Rng reconnectRng(const Clock& clock);

/// One connection to each server of a call. One attempt each: what cannot be reached now is the
/// caller's news.
class ServerLinks {
public:
    explicit ServerLinks(const Context& context);

    /// True when every server can be used; otherwise the output was told which one cannot, and why.
    /// It was also told of servers that may not show everything: replicas, nodes of a cluster.
    async::Task<bool> open();

    /// Tells the output what reading every key does to the servers, where it does something.
    void warnOfDeepLook() const;

    /// Of the server that open() failed at.
    const store::Problem& problem() const { return m_problem; }

    /// What each server says of itself.
    const std::vector<store::ServerInfo>& infos() const { return m_infos; }

    std::size_t count() const { return m_links.size(); }
    store::Store& store(std::size_t server) { return *m_links[server]; }

private:
    async::Task<bool> getToKnow(wire::Connection& connection);

    Context m_context;
    std::vector<std::unique_ptr<wire::Connection>> m_links;
    std::vector<store::ServerInfo> m_infos;
    store::Problem m_problem;
};

} // namespace lockscope::cli
