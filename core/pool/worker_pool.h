#pragma once

#include "core/kernel/sim/lua_engine.h"

#include <QObject>

#include <atomic>
#include <functional>
#include <memory>
#include <thread>
#include <vector>

namespace lockscope::pool {

/// Some threads that go through a list of jobs, each with an engine of its own. Jobs are begun in
/// the order of the list; nothing is said about the order of their ends.
class WorkerPool final : public QObject {
    Q_OBJECT
public:
    using Job = std::function<void(sim::LuaEngine& lua)>;

    explicit WorkerPool(QObject* parent = nullptr) : QObject(parent) {}
    /// Jobs that are being done are waited for.
    ~WorkerPool() override;

    /// Nothing is being done any more when this is called.
    void start(std::vector<Job> jobs, int threadCount);
    /// No other job is begun; those that were have to end by themselves.
    void dismiss() { m_isDismissed.store(true, std::memory_order_relaxed); }
    bool isDismissed() const { return m_isDismissed.load(std::memory_order_relaxed); }

    std::size_t doneCount() const { return m_doneCount.load(std::memory_order_relaxed); }

    static int coreCount();

Q_SIGNALS:
    /// The threads are gone: what the jobs have written may be read.
    void finished();

private:
    void work();
    void join();

    std::vector<Job> m_jobs;
    std::atomic<std::size_t> m_next{0};
    std::atomic<std::size_t> m_doneCount{0};
    std::atomic<int> m_atWork{0};
    std::atomic<bool> m_isDismissed{false};
    std::vector<std::thread> m_threads;
};

} // namespace lockscope::pool
