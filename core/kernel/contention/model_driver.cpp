#include "contention/model_driver.h"

#include <algorithm>
#include <utility>

namespace lockscope::contention {

namespace {

/// What the live loop does in a row before the others get their turn: see LoopExecutor and
/// SocketPoller.
constexpr Work kRunFor = std::chrono::microseconds(100);
constexpr std::size_t kReadsMax = 64;

} // namespace

ModelDriver::ModelDriver(Agenda& agenda, const Costs& costs) : m_agenda(agenda), m_costs(costs)
{}

void ModelDriver::post(async::Continuation& continuation)
{
    m_ready.post(continuation);
    if (!m_isAwake) {
        runFrom(m_agenda.now());
    }
}

void ModelDriver::runFrom(Moment when)
{
    m_isAwake = true;
    ++m_sleepNumber;
    m_agenda.add(when, [this] { goOn(); });
}

void ModelDriver::begin()
{
    m_isWorking = true;
    m_present = m_agenda.now();
}

void ModelDriver::end(void (ModelDriver::*next)())
{
    m_isWorking = false;
    m_busyTime += m_present - m_agenda.now();
    m_agenda.add(m_present, [this, next] { (this->*next)(); });
}

void ModelDriver::runReady()
{
    begin();
    spend(m_costs.driver.turn);
    const Moment enough = m_present + kRunFor;
    while (m_present < enough && !m_ready.isEmpty()) {
        spend(m_costs.driver.step);
        m_ready.runOne();
    }
    end(&ModelDriver::readArrived);
}

void ModelDriver::readArrived()
{
    begin();
    for (std::size_t count = std::min(m_arrived.size(), kReadsMax); count > 0 && !m_arrived.empty();
         --count) {
        Item item = std::move(m_arrived.front());
        m_arrived.pop_front();
        spend(m_costs.driver.receive);
        item.listener->hear(std::move(item.reply));
    }
    end(&ModelDriver::goOn);
}

void ModelDriver::goOn()
{
    if (!m_ready.isEmpty() || !m_arrived.empty()) {
        runReady();
    } else if (m_timerAt && *m_timerAt <= m_agenda.now()) {
        wakeSleepers();
    } else {
        fallAsleep();
    }
}

void ModelDriver::wakeSleepers()
{
    begin();
    spend(m_costs.driver.turn);
    const Instant present = now();
    while (!m_sleepers.empty() && m_sleepers.begin()->first <= present) {
        m_sleepers.begin()->second.complete(present);
        m_sleepers.erase(m_sleepers.begin());
    }
    armTimer();
    end(&ModelDriver::goOn);
}

void ModelDriver::fallAsleep()
{
    m_isAwake = false;
    m_slumber.fallAsleep(m_agenda.now());
    if (!m_timerAt) {
        return;
    }
    // The system is asked to wake the thread, in whole steps once more.
    const auto wake = [this, number = ++m_sleepNumber] {
        if (number == m_sleepNumber) {
            runFrom(m_slumber.wakeUpByTimer(m_agenda.now()));
        }
    };
    m_agenda.add(inWholeSteps(*m_timerAt), wake);
}

Moment ModelDriver::inWholeSteps(Moment when) const
{
    const Work wait = std::max(when - present(), Work(0));
    const Work step = m_costs.driver.timerStep;
    return present() + (step > Work(0) ? (wait + step - Work(1)) / step * step : wait);
}

async::Pending<Instant> ModelDriver::wakeAt(Instant when)
{
    async::Completer<Instant> completer;
    auto pending = completer.pending();
    m_sleepers.emplace(when, std::move(completer));
    armTimer();
    return pending;
}

/// One timer for all, and it begins anew whenever somebody else goes to sleep.
void ModelDriver::armTimer()
{
    while (!m_sleepers.empty() && m_sleepers.begin()->second.isAbandoned()) {
        m_sleepers.erase(m_sleepers.begin());
    }
    m_timerAt.reset();
    if (!m_sleepers.empty()) {
        m_timerAt = inWholeSteps(m_sleepers.begin()->first);
    }
}

void ModelDriver::deliver(ModelListener& listener, store::Reply reply)
{
    m_arrived.push_back({&listener, std::move(reply)});
    if (!m_isAwake) {
        runFrom(m_slumber.wakeUp(m_agenda.now()));
    }
}

void ModelDriver::forget(const ModelListener& listener)
{
    std::erase_if(m_arrived, [&listener](const Item& item) { return item.listener == &listener; });
}

} // namespace lockscope::contention
