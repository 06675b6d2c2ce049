#pragma once

#include "core/kernel/async/task.h"
#include "core/service/connection_tester.h"
#include "core/wire/connection/cluster_store.h"
#include "core/wire/connection/connection.h"
#include "core/wire/loop_clock.h"
#include "core/wire/loop_executor.h"
#include "core/wire/worker_thread.h"

#include <memory>

namespace lockscope::wire {

/// The part of RedisConnectionTester that runs on the worker thread.
class TesterWorker final : public QObject {
    Q_OBJECT
public:
    TesterWorker();
    ~TesterWorker() override;

    void test(quint64 generation, const store::Endpoint& endpoint);

Q_SIGNALS:
    void tested(quint64 generation, const lockscope::service::TestResult& result);

private:
    async::Task<void> run();
    async::Task<void> askQuestions(service::TestResult& result);
    async::Task<void> tryCommand(store::Command command, service::TestResult& result);
    store::Store& store();
    void finish(const service::TestResult& result);

    LoopExecutor m_executor;
    LoopClock m_clock;
    quint64 m_generation = 0;
    std::unique_ptr<Connection> m_connection; // one of the two
    std::shared_ptr<ClusterStore> m_cluster;
    async::BackgroundTask m_questions;
};

/// Tries connections from a thread of its own.
class RedisConnectionTester final : public service::ConnectionTester {
    Q_OBJECT
public:
    explicit RedisConnectionTester(QObject* parent = nullptr);
    ~RedisConnectionTester() override;

    void test(const store::Endpoint& endpoint) override;

private:
    quint64 m_generation = 0;
    WorkerThread<TesterWorker> m_worker;
};

} // namespace lockscope::wire
