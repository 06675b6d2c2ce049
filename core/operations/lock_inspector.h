#pragma once

#include "core/kernel/async/task.h"
#include "core/kernel/base/clock.h"
#include "core/operations/hold_guards.h"
#include "core/operations/lock_details.h"
#include "core/operations/master_links.h"
#include "core/operations/servers.h"

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace lockscope::operations {

/// What the servers of a lock said about it.
struct InspectedLock {
    using Failure = std::pair<std::uint16_t, store::Problem>; // by server

    std::vector<inspect::LockInspection> inspections;
    std::vector<Failure> failures;

    /// At least one key is there, whatever it is.
    bool exists() const;
    /// The servers that could not be asked.
    std::vector<std::uint16_t> unasked() const;
    /// The first reason why not everything was read on the servers that are not `dispensable`;
    /// nullopt: everything was.
    std::optional<Failure> obstacle(std::span<const std::uint16_t> dispensable = {}) const;
};

/// Reads single locks closely. Runs on the executor of the servers, which outlive it.
class LockInspector {
public:
    enum class Purpose : std::uint8_t {
        Look,
        /// Reads where a release would be sent: at the master, if the server is a replica. Writes
        /// to the keys are not noticed.
        Plan,
        /// As Plan. Where nothing in the value tells one hold from the next, writes to the keys are
        /// noticed from before this look on.
        Release,
    };

    LockInspector(Servers& servers, Clock& clock,
                  inspect::FormatTablePtr formats = inspect::builtinFormatTable())
        : m_servers(servers),
          m_masters(servers),
          m_clock(clock),
          m_formats(std::move(formats)),
          m_guards(m_masters, servers, clock)
    {}

    /// Reads the key on its server, or on all of them. Who names a key says that it is a lock: its
    /// name need not sound like one.
    async::Task<InspectedLock> inspectLock(inspect::LockId id, Purpose purpose);

    /// The same in one picture.
    async::Task<LockDetails> explain(inspect::LockId id, Purpose purpose);

    /// What the servers of the lock say of themselves, as of now or of a few seconds ago; of a
    /// cluster, the node that has its key. `unasked` are left out: they did not answer before.
    async::Task<std::vector<diagnosis::ServerFacts>> factsOfServers(
        inspect::LockId id, std::vector<std::uint16_t> unasked = {});

    /// The guards of the holds that were inspected for a release.
    HoldGuards& guards() { return m_guards; }

    /// The masters of those servers that are replicas.
    MasterLinks& masters() { return m_masters; }

    /// The servers are others now.
    void dropConnections()
    {
        m_guards.endAll();
        m_masters.clear();
    }

    /// What is recognised from now on.
    void setFormats(inspect::FormatTablePtr formats) { m_formats = std::move(formats); }
    const inspect::FormatTablePtr& formats() const { return m_formats; }

private:
    void place(LockDetails& details, std::uint16_t server);

    using Answer = HoldGuards::Answer;

    /// What a server said of itself, and when.
    struct KnownFacts {
        diagnosis::ServerFacts facts;
        Instant at{};
    };

    std::vector<std::uint16_t> serversOf(const inspect::LockId& id) const;
    async::Task<Answer> inspectOn(std::uint16_t server, Bytes name, Purpose purpose);

    Servers& m_servers;
    MasterLinks m_masters;
    Clock& m_clock;
    inspect::FormatTablePtr m_formats;
    HoldGuards m_guards;
    /// By server and node: a cluster has several, and another one may be the master by now.
    std::map<std::pair<std::uint16_t, std::string>, KnownFacts> m_facts;
};

} // namespace lockscope::operations
