#pragma once

#include "core/kernel/async/task.h"
#include "core/kernel/base/rng.h"
#include "core/kernel/store/endpoint.h"
#include "core/kernel/trace/event_log.h"
#include "core/wire/loop_clock.h"
#include "core/wire/loop_executor.h"
#include "core/wire/run/private_server.h"
#include "core/wire/worker_thread.h"

#include <QObject>

#include <memory>
#include <vector>

namespace lockscope::app {

/// The inhabitants of the demo: each is a client program of its own that takes one lock over and
/// over by a protocol of the catalogue, well or badly. Runs on one thread.
class DemoClients final : public QObject {
public:
    explicit DemoClients(store::Endpoint endpoint);
    ~DemoClients() override;

    void start();

private:
    struct Client;

    static async::Task<void> live(Client& client);
    static async::Task<void> hold(Client& client);

    store::Endpoint m_endpoint;
    wire::LoopExecutor m_executor;
    wire::LoopClock m_clock;
    trace::EventLog m_log{0}; // not read
    Rng m_rng;
    std::vector<std::unique_ptr<Client>> m_clients;
    async::TaskScope m_tasks;
};

/// Something to look at: a private redis-server, and clients that contend for locks on it.
/// Everything ends with this object, the server also when the program crashes.
class DemoWorld final : public QObject {
    Q_OBJECT
public:
    explicit DemoWorld(QObject* parent = nullptr);
    ~DemoWorld() override;

    void start();

Q_SIGNALS:
    void ready(lockscope::store::Endpoint endpoint);
    void failed(const QString& reason);

private:
    wire::PrivateServer m_server;
    std::unique_ptr<wire::WorkerThread<DemoClients>> m_clients;
};

} // namespace lockscope::app
