#include "core/wire/watch/holder_watcher.h"

#include <chrono>
#include <utility>

namespace lockscope::wire {

using namespace std::chrono_literals;

namespace {

constexpr Duration kHolderInterval = 10ms;
constexpr Duration kIntervalPerLock = 1ms;

} // namespace

HolderWatcher::HolderWatcher() : m_executor(this), m_clock(this), m_tasks(m_executor)
{}

HolderWatcher::~HolderWatcher() = default;

void HolderWatcher::start(const WatchOrder& order)
{
    Rng rng(order.seed);
    std::vector<store::Store*> stores;
    for (const store::Endpoint& endpoint : order.servers) {
        m_connections.push_back(std::make_unique<Connection>(endpoint, m_executor, m_clock,
                                                             rng.split()));
        m_connections.back()->open();
        stores.push_back(m_connections.back().get());
    }
    m_watch = std::make_unique<inspect::HolderWatch>(std::move(stores), m_clock, order.locks,
                                                     order.formats);
    m_tasks.start(watch(kHolderInterval + order.locks.size() * kIntervalPerLock));
}

async::Task<void> HolderWatcher::watch(Duration interval)
{
    while (true) {
        const Instant next = m_clock.now() + interval;
        if (const std::optional<inspect::Look> look = co_await m_watch->look()) {
            Q_EMIT looked(*look);
        }
        co_await m_clock.wakeAt(next);
    }
}

} // namespace lockscope::wire
