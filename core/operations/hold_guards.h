#pragma once

#include "core/kernel/async/task.h"
#include "core/kernel/async/turns.h"
#include "core/kernel/base/clock.h"
#include "core/kernel/inspect/lock_inspection.h"
#include "core/operations/master_links.h"
#include "core/operations/servers.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <variant>
#include <vector>

namespace lockscope::operations {

/// So many connections guard holds that look like the next. More holds share them.
inline constexpr std::size_t kGuardConnectionsMax = 24;

/// The connections that notice writes (WATCH) to the keys of holds that look like the next. Any
/// number of holds is guarded, each without a gap from the look at it until its plan is carried
/// out.
///
/// A plan is carried out on a connection that watches its keys alone, because the transaction ends
/// every WATCH of the connection. Until then a connection may watch the keys of several holds:
/// where all connections are taken, the two with the fewest holds are replaced by one. Holds are
/// handed from one connection to another by watching their keys on the new one, and then asking the
/// old one, by a transaction that does nothing, whether it has noticed a write until then. If it
/// has, the guards of all of its holds are void, because it does not say which key was written.
class HoldGuards {
public:
    using Answer = std::variant<inspect::LockInspection, store::Problem>;

    /// All outlive this.
    HoldGuards(MasterLinks& masters, Servers& servers, Clock& clock)
        : m_masters(masters),
          m_servers(servers),
          m_clock(clock)
    {}

    /// inspect::inspectToRelease() on a connection of its own, which from then on guards the keys
    /// if that is needed for a plan. `master` as in WritePlace: where the plan will be sent.
    async::Task<Answer> inspect(std::uint16_t server, std::string master, Bytes name,
                                inspect::FormatTablePtr formats);

    /// The connection on which a plan with a guard is carried out.
    struct Handed {
        std::shared_ptr<store::Store> store; // null: it must not be carried out
        inspect::KeyGuard guard;             // of that store
        std::string reason; // why there is no store; empty: the connection was lost, or was used
    };
    /// Hands the guard over to the caller: it is good for one attempt.
    async::Task<Handed> take(inspect::KeyGuard guard);

    /// No plan with this guard will be carried out any more.
    void end(inspect::KeyGuard guard);
    void endAll();

    std::size_t connectionCount() const { return m_connections.size(); }

private:
    /// The keys of one lock, and the connection's session when it was told to watch them.
    struct Hold {
        std::uint64_t link = 0;
        std::vector<Bytes> keys;
        std::uint64_t session = 0;
    };
    struct Connection {
        std::uint16_t server = 0;
        std::string master; // as in WritePlace
        std::shared_ptr<store::Store> store;
        std::vector<Hold> holds;
    };

    async::Task<void> makeRoom();
    async::Task<bool> unite(Connection one, Connection other);
    async::Task<Handed> split(std::uint64_t link);
    async::Task<Connection> watchAgain(std::uint16_t server, std::string master,
                                       std::vector<Hold> holds);
    static async::Task<bool> watchAll(store::Store& store, std::span<Hold> holds);
    static async::Task<bool> isUntouched(const Connection& connection);
    Connection* connectionOf(std::uint64_t link);
    Connection extract(std::uint64_t link);
    void voidGuards(const std::vector<Hold>& holds);

    MasterLinks& m_masters;
    Servers& m_servers;
    Clock& m_clock;
    async::Turns m_turns;
    std::vector<Connection> m_connections;
    std::set<std::uint64_t> m_voided; // links of holds that may have been written to
    std::uint64_t m_lastLink = 0;
};

} // namespace lockscope::operations
