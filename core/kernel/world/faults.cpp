#include "core/kernel/world/faults.h"

#include "core/kernel/world/faults/fault_groups.h"

#include <utility>

namespace lockscope::world {

using When = Occasion::Kind;

void FaultScene::serverChanged(int node) const
{
    servers.markFresh(node);
    ledger.nodeChanged(node, std::as_const(servers)[node].database().keys().entries(),
                       servers.clock(node), now);
    network.deliver(node);
}

Faults::Faults(const FaultScene& scene, RunRecord& record) : m_scene(scene), m_record(record)
{
    m_mayMore = isAnyLeft();
    if (!m_mayMore) {
        return;
    }
    // Most plans allow one kind. Asking the others at each step would be most of the work.
    std::size_t allowedCount = 0;
    for (const std::span<const FaultInfo> group : faultGroups()) {
        for (const FaultInfo& fault : group) {
            if (fault.offer != nullptr && scene.plan.faults.allows(fault.kind)) {
                m_allowed[allowedCount++] = &fault;
            }
        }
    }
}

bool Faults::isAnyLeft() const
{
    const FaultPlan& plan = m_scene.plan.faults;
    bool isLeft = false;
    for (std::size_t kind = 0; kind < m_done.size(); ++kind) {
        isLeft = isLeft || m_done[kind] < plan.faults[kind].countMax;
    }
    return isLeft && !m_hasEnded && m_count < plan.totalMax;
}

void Faults::offerAt(const Occasion& occasion, std::vector<Step>& steps) const
{
    for (const FaultInfo* const fault : m_allowed) {
        if (fault == nullptr) {
            break;
        }
        if (m_done[static_cast<std::size_t>(fault->kind)]
            < m_scene.plan.faults.of(fault->kind).countMax) {
            FaultOffers offers(fault->kind, occasion, steps);
            fault->offer(m_scene, offers);
        }
    }
}

void Faults::listBeginnings(std::vector<Step>& steps) const
{
    if (!m_mayMore) {
        return;
    }
    for (int client = 0; client < m_scene.clients.count(); ++client) {
        offerAt({When::ClientStarts, client}, steps);
    }
    for (int node = 0; node < m_scene.plan.nodeCount; ++node) {
        offerAt({When::ServerStarts, 0, node}, steps);
    }
}

void Faults::list(std::vector<Step>& steps) const
{
    if (!m_mayMore) {
        return;
    }
    const Clients& clients = m_scene.clients;
    for (int client = 0; client < clients.count(); ++client) {
        if (clients.isRunning(client) && !clients[client].isOver()) {
            if (clients.isFresh(client)) {
                offerAt({When::ClientActed, client}, steps);
            }
            listOfRequests(client, steps);
        }
    }
    for (int node = 0; node < m_scene.plan.nodeCount; ++node) {
        if (m_scene.servers.isFresh(node)) {
            listOfServer(node, steps);
        }
    }
}

void Faults::listOfRequests(int client, std::vector<Step>& steps) const
{
    for (int node = 0; node < m_scene.plan.nodeCount; ++node) {
        for (const LinkRole role : {LinkRole::Commands, LinkRole::Blocking}) {
            // Before its server could carry it out, losing it comes to the same as losing it then.
            if (!m_scene.network.canServe(client, {node, role})) {
                continue;
            }
            offerAt({When::RequestDue, client, node, role}, steps);
            offerAt({When::AnswerDue, client, node, role}, steps);
            if (role == LinkRole::Commands) {
                offerAt({When::RequestSent, client, node, role}, steps);
            }
        }
        if (m_scene.clients.isFresh(client) && m_scene.network.isListening(client, node)) {
            offerAt({When::ListenerActed, client, node, LinkRole::Channels}, steps);
        }
    }
}

void Faults::listOfServer(int node, std::vector<Step>& steps) const
{
    offerAt({When::ServerActed, 0, node}, steps);
    const Servers& servers = m_scene.servers;
    const std::int64_t nowMs = sim::toEpochMs(servers.timeOf(node));
    int index = 0;
    for (const sim::Entry& entry : servers[node].database().keys().entries()) {
        if (!entry.isExpiredAt(nowMs)) {
            offerAt({When::KeyOfFreshNode, 0, node, LinkRole::Commands, &entry, index++}, steps);
        }
    }
}

void Faults::carryOut(const Step& step)
{
    ++m_count;
    ++m_done[static_cast<std::size_t>(step.fault)];
    m_mayMore = isAnyLeft();
    m_scene.ledger.faultHappened();
    const FaultInfo& fault = infoOf(step.fault);
    // Told before it happens: a story names it before what it causes.
    m_record.tell([&](Observer& observer) {
        const bool hitsRequest = fault.hitsRequests && step.role != LinkRole::Channels;
        const LinkAddress address{step.node, step.role};
        observer.faultHappened(step, hitsRequest
                                         ? &m_scene.network.oldest(step.client, address).command
                                         : nullptr);
    });
    fault.carryOut(step, m_scene);
}

void Faults::addTo(ContentHash& hash) const
{
    hash.add(m_count);
    for (std::size_t kind = 0; m_count > 0 && kind < m_done.size(); ++kind) {
        hash.add(m_done[kind]);
    }
}

} // namespace lockscope::world
