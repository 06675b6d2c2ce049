#include "app/demo/demo_world.h"

namespace lockscope::app {

DemoWorld::DemoWorld(QObject* parent)
    : QObject(parent),
      m_server(wire::PrivateServer::Listen::LoopbackPort)
{
    connect(&m_server, &wire::PrivateServer::failed, this, &DemoWorld::failed);
    connect(&m_server, &wire::PrivateServer::ready, this, [this] {
        m_clients = std::make_unique<wire::WorkerThread<DemoClients>>(
            QStringLiteral("demo clients"), m_server.endpoint());
        m_clients->post([](DemoClients& clients) { clients.start(); });
        Q_EMIT ready(m_server.endpoint());
    });
}

DemoWorld::~DemoWorld() = default;

void DemoWorld::start()
{
    m_server.start();
}

} // namespace lockscope::app
