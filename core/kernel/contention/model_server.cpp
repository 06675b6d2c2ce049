#include "core/kernel/contention/model_server.h"

#include <algorithm>
#include <utility>

namespace lockscope::contention {

using sim::Delivery;
using sim::SessionId;

namespace {

/// What the server's clock shows when the run begins: any time will do.
constexpr sim::ServerTime kServerBegin{std::chrono::seconds(1'700'000'000)};

} // namespace

ModelServer::ModelServer(EventQueue& eventQueue, const Costs& costs, sim::LuaEngine& lua)
    : m_eventQueue(eventQueue),
      m_costs(costs),
      m_server(lua)
{}

SessionId ModelServer::connect(ModelPeer& peer)
{
    const SessionId session = m_server.connect();
    m_peers[session] = &peer;
    return session;
}

void ModelServer::disconnect(SessionId session)
{
    m_peers.erase(session);
    m_server.disconnect(session);
}

void ModelServer::send(SessionId session, store::Command command, Moment when)
{
    ++m_underWayCount;
    m_eventQueue.add(when + half(),
                     [this, arrival = Arrival{session, std::move(command)}] { arrive(arrival); });
}

sim::ServerTime ModelServer::serverTimeIn(Work span) const
{
    return kServerBegin
           + std::chrono::floor<Duration>(m_eventQueue.now().time_since_epoch() + span);
}

void ModelServer::arrive(Arrival arrival)
{
    --m_underWayCount;
    m_queue.push_back(std::move(arrival));
    if (!std::exchange(m_isAwake, true)) {
        m_eventQueue.add(m_idle.wakeUp(m_eventQueue.now()), [this] { workRound(); });
    }
}

/// No client sees the server before its round is over, so all of it is carried out at once.
void ModelServer::workRound()
{
    Work work{0};
    std::vector<Delivery> said;
    for (std::size_t count = m_queue.size(); count > 0; --count) {
        const Arrival arrival = std::move(m_queue.front());
        m_queue.pop_front();
        work += m_idle.timeFor(carryOut(arrival, work, said), m_eventQueue.now() + work);
    }
    m_busyTime += work;
    m_eventQueue.add(m_eventQueue.now() + work, [this, said = std::move(said)] { endRound(said); });
}

Work ModelServer::carryOut(const Arrival& arrival, Work before, std::vector<Delivery>& said)
{
    if (!m_peers.contains(arrival.session)) {
        return Work(0);
    }
    if (m_server.isWaiting(arrival.session)) {
        m_heldBack.push_back(arrival);
        return Work(0);
    }
    ++m_commandCount;
    if (auto answer = m_server.run(arrival.session, arrival.command, serverTimeIn(before))) {
        said.push_back({arrival.session, std::move(*answer)});
    }
    return serviceOf(arrival.command, m_costs.server) + takeDeliveries(said);
}

Work ModelServer::takeDeliveries(std::vector<Delivery>& said)
{
    std::vector<Delivery> more = m_server.takeDeliveries();
    const Work work = m_costs.server.delivery * static_cast<std::int64_t>(more.size());
    said.insert(said.end(), std::make_move_iterator(more.begin()),
                std::make_move_iterator(more.end()));
    return work;
}

void ModelServer::endRound(std::vector<Delivery> said)
{
    if (!said.empty()) {
        m_eventQueue.add(m_eventQueue.now() + half(),
                         [this, said = std::move(said)] { tellPeers(said); });
    }
    bringBack();
    armTimeout();
    if (m_queue.empty()) {
        m_isAwake = false;
        m_idle.fallAsleep(m_eventQueue.now());
    } else {
        workRound();
    }
}

void ModelServer::tellPeers(const std::vector<Delivery>& said)
{
    for (const Delivery& one : said) {
        const auto peer = m_peers.find(one.session);
        if (peer != m_peers.end()) {
            peer->second->arrived(one.reply);
        }
    }
}

void ModelServer::bringBack()
{
    const auto mayGo = [this](const Arrival& arrival) {
        return !m_peers.contains(arrival.session) || !m_server.isWaiting(arrival.session);
    };
    const auto free = std::stable_partition(m_heldBack.begin(), m_heldBack.end(),
                                            std::not_fn(mayGo));
    m_queue.insert(m_queue.end(), std::make_move_iterator(free),
                   std::make_move_iterator(m_heldBack.end()));
    m_heldBack.erase(free, m_heldBack.end());
}

void ModelServer::armTimeout()
{
    const auto next = m_server.nextTimeout();
    if (!next) {
        return;
    }
    const Moment at = std::max(Moment(*next - kServerBegin), m_eventQueue.now());
    if (!m_timeoutAt || at < *m_timeoutAt) {
        m_timeoutAt = at;
        m_eventQueue.add(at, [this] { endWaits(); });
    }
}

void ModelServer::endWaits()
{
    m_timeoutAt.reset();
    m_server.endWaits(serverTimeIn(Work(0)));
    std::vector<Delivery> said;
    const Work work = takeDeliveries(said);
    m_busyTime += work;
    if (!said.empty()) {
        m_eventQueue.add(m_eventQueue.now() + work + half(),
                         [this, said = std::move(said)] { tellPeers(said); });
    }
    armTimeout();
}

} // namespace lockscope::contention
