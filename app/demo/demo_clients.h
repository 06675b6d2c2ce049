#pragma once

#include "core/kernel/async/task.h"
#include "core/kernel/base/rng.h"
#include "core/kernel/store/endpoint.h"
#include "core/kernel/trace/event_log.h"
#include "core/wire/loop_clock.h"
#include "core/wire/loop_executor.h"

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

} // namespace lockscope::app
