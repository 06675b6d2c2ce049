#include "core/conduct/server/sim_backend.h"

#include "core/kernel/store/reply_encoding.h"

#include <utility>

namespace lockscope::conduct {

using store::Command;
using store::Reply;

SimBackend::SimBackend(int replicaCount)
{
    for (int i = 0; i < replicaCount; ++i) {
        m_server.addReplica();
    }
}

Backend::SessionId SimBackend::connect(const std::string& address, sim::ServerTime now)
{
    return m_server.connect(address, now);
}

std::optional<Reply> SimBackend::run(SessionId session, const Command& command, sim::ServerTime now)
{
    auto answer = m_server.run(session, command, now);
    if (answer) {
        std::string& bytes = m_output.emplace_back(Output{session, {}}).bytes;
        store::appendEncoded(bytes, *answer, m_server.answerFormOf(session));
    }
    replicate();
    takeDeliveries();
    return answer;
}

void SimBackend::replicate()
{
    for (std::size_t i = 0; i < m_server.replication().replicaCount() && !m_replicated; ++i) {
        while (m_server.advanceReplica(i)) {}
    }
}

void SimBackend::takeDeliveries()
{
    for (const sim::Delivery& delivery : m_server.takeDeliveries()) {
        std::string& bytes = m_output.emplace_back(Output{delivery.session, {}}).bytes;
        store::appendEncoded(bytes, delivery.reply, m_server.formOf(delivery));
    }
}

std::vector<Backend::Output> SimBackend::takeOutput()
{
    return std::exchange(m_output, {});
}

void SimBackend::timePassed(sim::ServerTime now)
{
    m_server.removeExpired(now);
    m_server.endWaits(now);
    replicate();
    takeDeliveries();
}

std::vector<Backend::Key> SimBackend::keys(sim::ServerTime now) const
{
    const std::int64_t nowMs = sim::toEpochMs(now);
    std::vector<Key> found;
    for (const sim::Entry& entry : m_server.database().keys().entries()) {
        if (!entry.isExpiredAt(nowMs)) {
            const bool expires = entry.expiresAtMs != sim::Entry::kNever;
            found.push_back({entry.key, expires ? std::optional(entry.expiresAtMs) : std::nullopt});
        }
    }
    return found;
}

/// Its replicas hear of it as of any other write.
void SimBackend::forgetKeys()
{
    m_replicated.reset();
    if (m_server.replication().replicaCount() == 0) {
        m_server.database().keys().clear();
        return;
    }
    const SessionId session = m_server.connect();
    m_server.run(session, Command("FLUSHALL"), {});
    m_server.disconnect(session);
    replicate();
}

void SimBackend::forgetScripts()
{
    m_server.database().forgetScripts();
}

void SimBackend::stopReplication(sim::ServerTime /*now*/)
{
    m_replicated = m_server.database().keys();
}

/// Clients that WAIT for them are answered.
void SimBackend::resumeReplication()
{
    m_replicated.reset();
    replicate();
    takeDeliveries();
}

/// Without replicas that a client could ask after, what one would have is remembered here.
void SimBackend::failOver(sim::ServerTime /*now*/)
{
    if (!m_replicated) {
        return;
    }
    if (m_server.replication().replicaCount() > 0) {
        m_server.failOver(0);
    } else {
        m_server.database().keys() = *m_replicated;
        m_server.restart(true);
    }
    m_replicated.reset();
}

} // namespace lockscope::conduct
