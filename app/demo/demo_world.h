#pragma once

#include "app/demo/demo_clients.h"
#include "core/wire/run/private_server.h"
#include "core/wire/worker_thread.h"

#include <QObject>

#include <memory>

namespace lockscope::app {

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
