#include "core/kernel/contention/model_driver.h"

#include <algorithm>
#include <utility>

namespace lockscope::contention {

namespace {

/// What the live loop does in a row before the others get their turn: see LoopExecutor and
/// SocketPoller.
constexpr Work kRunFor = std::chrono::microseconds(100);
constexpr std::size_t kReadsMax = 64;
/// See LoopClock.
constexpr Work kBetweenWakings = std::chrono::microseconds(200);

} // namespace

ModelDriver::ModelDriver(EventQueue& eventQueue, const Costs& costs)
    : m_eventQueue(eventQueue),
      m_costs(costs)
{}

void ModelDriver::post(async::Continuation& continuation)
{
    m_ready.post(continuation);
    if (!m_isAwake) {
        runFrom(m_eventQueue.now());
    }
}

void ModelDriver::runFrom(Moment when)
{
    m_isAwake = true;
    ++m_sleepNumber;
    m_eventQueue.add(when, [this] { goOn(); });
}

void ModelDriver::begin()
{
    m_isWorking = true;
    m_present = m_eventQueue.now();
}

void ModelDriver::end(void (ModelDriver::*next)())
{
    m_isWorking = false;
    m_busyTime += m_present - m_eventQueue.now();
    m_eventQueue.add(m_present, [this, next] { (this->*next)(); });
}

void ModelDriver::beginRound()
{
    begin();
    spend(m_costs.driver.turn);
    m_runUntil = m_present + kRunFor;
    end(&ModelDriver::runOne);
}

/// One at a time: whether the server sleeps meanwhile matters to the next one.
void ModelDriver::runOne()
{
    if (m_eventQueue.now() >= m_runUntil || m_ready.isEmpty()) {
        m_readsLeft = std::min(m_arrived.size(), kReadsMax);
        readOne();
        return;
    }
    begin();
    spend(m_costs.driver.step);
    m_ready.runOne();
    end(&ModelDriver::runOne);
}

void ModelDriver::readOne()
{
    if (m_readsLeft == 0 || m_arrived.empty()) {
        wakeSleepers();
        goOn();
        return;
    }
    begin();
    --m_readsLeft;
    const Item item = std::move(m_arrived.front());
    m_arrived.pop_front();
    spend(m_costs.driver.receive);
    item.listener->hear(item.reply);
    end(&ModelDriver::readOne);
}

void ModelDriver::wakeSleepers()
{
    const std::optional<Moment> timer = nextTimer();
    if (!timer || *timer > m_eventQueue.now()) {
        return;
    }
    m_notBefore = m_eventQueue.now() + kBetweenWakings;
    const Instant present = now();
    while (!m_sleepers.empty() && m_sleepers.begin()->first <= present) {
        m_sleepers.begin()->second.complete(present);
        m_sleepers.erase(m_sleepers.begin());
    }
}

void ModelDriver::goOn()
{
    const std::optional<Moment> timer = nextTimer();
    if (!m_ready.isEmpty() || !m_arrived.empty() || (timer && *timer <= m_eventQueue.now())) {
        beginRound();
    } else {
        fallAsleep(timer);
    }
}

void ModelDriver::fallAsleep(std::optional<Moment> timer)
{
    m_isAwake = false;
    m_idle.fallAsleep(m_eventQueue.now());
    if (!timer) {
        return;
    }
    const auto wake = [this, number = ++m_sleepNumber] {
        if (number == m_sleepNumber) {
            runFrom(m_idle.wakeUpByTimer(m_eventQueue.now()));
        }
    };
    m_eventQueue.add(*timer, wake);
}

std::optional<Moment> ModelDriver::nextTimer()
{
    while (!m_sleepers.empty() && m_sleepers.begin()->second.isAbandoned()) {
        m_sleepers.erase(m_sleepers.begin());
    }
    if (m_sleepers.empty()) {
        return std::nullopt;
    }
    return std::max(Moment(m_sleepers.begin()->first), m_notBefore);
}

async::Pending<Instant> ModelDriver::wakeAt(Instant when)
{
    spend(m_costs.driver.sleep);
    async::Completer<Instant> completer;
    auto pending = completer.pending();
    m_sleepers.emplace(when, std::move(completer));
    return pending;
}

void ModelDriver::send(ModelServer& server, sim::SessionId session,
                       std::span<store::Command> commands)
{
    spend(m_costs.driver.send);
    const bool isAsleep = server.isAsleep();
    for (store::Command& command : commands) {
        server.send(session, std::move(command), present());
    }
    if (isAsleep) {
        spend(m_costs.rouse); // while it wakes up
    }
}

void ModelDriver::deliver(ModelListener& listener, store::Reply reply)
{
    m_arrived.push_back({&listener, std::move(reply)});
    if (!m_isAwake) {
        runFrom(m_idle.wakeUp(m_eventQueue.now()));
    }
}

void ModelDriver::forget(const ModelListener& listener)
{
    std::erase_if(m_arrived, [&listener](const Item& item) { return item.listener == &listener; });
}

} // namespace lockscope::contention
