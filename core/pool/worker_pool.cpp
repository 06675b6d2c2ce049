#include "core/pool/worker_pool.h"

#include <algorithm>

namespace lockscope::pool {

WorkerPool::~WorkerPool()
{
    dismiss();
    join();
}

int WorkerPool::coreCount()
{
    return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

void WorkerPool::start(std::vector<Job> jobs, int threadCount)
{
    join();
    m_jobs = std::move(jobs);
    m_next = 0;
    m_doneCount = 0;
    m_isDismissed = false;
    const int most = static_cast<int>(std::min<std::size_t>(m_jobs.size(), 1024));
    const int count = std::clamp(threadCount, 1, std::max(1, most));
    m_atWork = count;
    for (int i = 0; i < count; ++i) {
        m_threads.emplace_back([this] { work(); });
    }
}

void WorkerPool::work()
{
    {
        sim::LuaEngine lua;
        for (std::size_t i = m_next++; i < m_jobs.size() && !isDismissed(); i = m_next++) {
            m_jobs[i](lua);
            ++m_doneCount;
        }
    }
    if (--m_atWork == 0) {
        QMetaObject::invokeMethod(
            this,
            [this] {
                join();
                Q_EMIT finished();
            },
            Qt::QueuedConnection);
    }
}

void WorkerPool::join()
{
    for (std::thread& thread : m_threads) {
        thread.join();
    }
    m_threads.clear();
}

} // namespace lockscope::pool
