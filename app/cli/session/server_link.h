#pragma once

#include "app/cli/context.h"
#include "core/kernel/async/task.h"
#include "core/kernel/inspect/lock_record.h"
#include "core/kernel/inspect/release_plan.h"
#include "core/kernel/inspect/watch/sweep_findings.h"
#include "core/kernel/store/problem.h"
#include "core/kernel/store/server_info.h"
#include "core/operations/lock_inspector.h"
#include "core/wire/connection/server_connections.h"

#include <cstdint>
#include <string>
#include <vector>

namespace lockscope::cli {

/// What people call each server, and what filters ask for: "10.0.0.5:6379", with the database where
/// some differ in nothing else.
std::vector<std::string> serverNames(const std::vector<store::Endpoint>& endpoints);

/// Of the server of a lock; all names, joined by ",", for a Redlock row.
std::string serverNameOf(const inspect::LockRecord& record, const std::vector<std::string>& names);

/// Where a lock is, as JSON and CSV have it: "server" never has the database in it.
struct JsonPlace {
    std::string server;
    int database = 0;
};
JsonPlace jsonPlaceOf(const inspect::LockRecord& record,
                      const std::vector<store::Endpoint>& endpoints);

/// The exit code of a command that a problem has ended.
int exitCodeOf(const store::Problem& problem);

/// The exit code of an attempt to release.
int exitCodeOf(const inspect::ReleaseReport& report);

/// The exit code of a command that saw all there is but these.
int exitCodeOf(const inspect::SweepFindings& findings);

/// Seeds nothing but the pauses between attempts to connect.
Rng reconnectRng(const Clock& clock);

/// One connection to each server of a call. One attempt each: what cannot be reached now is the
/// caller's news.
class ServerLinks {
public:
    explicit ServerLinks(const Context& context);

    /// Whether a command can do without some of the servers of a Redlock set.
    enum class Absence : std::uint8_t { Fatal, OfSome };

    /// True when every server can be used, or as many as are needed; the output says which ones
    /// cannot, and why. It also names servers that may not show everything: replicas, nodes of a
    /// cluster.
    async::Task<bool> open(Absence absence = Absence::Fatal);

    /// The servers that cannot be used: what they have is not known.
    const std::vector<std::uint16_t>& unreachable() const { return m_unreachable; }

    /// The exit code of a command that did all it could without them.
    int codeOfAbsence() const;

    /// Whether all tokens under one name are votes: the servers were opened as a Redlock set, and
    /// turned out to be one.
    bool isSet() const;

    /// Tells the output what reading every key does to the servers, where it does something.
    void warnOfDeepLook() const;

    /// Of the server that open() failed at.
    const store::Problem& problem() const { return m_problem; }

    /// Why what the servers tell is not all there is, as far as open() found out; kind None: it is.
    const store::Problem& gap() const { return m_gap; }

    /// What each server says of itself.
    const std::vector<store::ServerInfo>& infos() const { return m_infos; }

    std::size_t count() const { return m_servers.count(); }
    store::Store& store(std::size_t server) { return m_servers.store(server); }
    operations::Servers& servers() { return m_servers; }

private:
    async::Task<store::Problem> getToKnow(std::size_t server);
    void lookForGap(std::size_t server);
    void complain(std::size_t server, const std::string& sentence) const;

    Context m_context;
    wire::ServerConnections m_servers;
    std::vector<store::ServerInfo> m_infos;
    store::Problem m_problem;
    store::Problem m_gap;
    std::vector<std::uint16_t> m_unreachable;
};

/// Why not everything was read that is needed, also written to the output; kind None: it was. What
/// the servers have that links.unreachable() names is not needed.
store::Problem complainAbout(const operations::InspectedLock& inspected, const ServerLinks& links,
                             const Context& context);

} // namespace lockscope::cli
