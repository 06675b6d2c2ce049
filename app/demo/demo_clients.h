#pragma once

#include "async/gate.h"
#include "async/task.h"
#include "connection.h"
#include "loop_clock.h"
#include "loop_executor.h"

#include <QObject>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace lockscope::app {

/// The inhabitants of the demo: each is a coroutine with a connection of its own, which behaves
/// like a program that uses one of the known kinds of lock, well or badly. Lives on one thread.
class DemoClients final : public QObject {
    Q_OBJECT
public:
    explicit DemoClients(store::Endpoint endpoint);
    ~DemoClients() override;

    void start();

private:
    struct Client {
        std::string name;
        std::unique_ptr<wire::Connection> connection;
        async::Gate stateGate; // the connection changed its state
        async::Gate newsGate;  // a message came on a channel it listens to
    };

    Client& addClient(std::string name);
    async::Task<void> comeOnline(Client& client);
    async::Task<void> pause(Duration low, Duration high);
    async::Task<store::Outcome> run(Client& client, std::string_view script,
                                    std::vector<Bytes> keys, std::vector<Bytes> arguments);

    async::Task<void> forgetExpiry(Client& client);
    async::Task<void> leaveStampBehind(Client& client);
    async::Task<void> workWithToken(Client& client, Bytes key, Duration lease);
    async::Task<void> beatHeart(Client& client, Bytes key);
    async::Task<void> reenter(Client& client, Bytes key);
    async::Task<void> leakHolds(Client& client, Bytes key);
    async::Task<void> contendLikeRedisson(Client& client, Bytes key);
    async::Task<void> holdLikeRedisson(Client& client, Bytes key, Bytes owner);
    async::Task<void> listen(Client& client, Bytes channel);
    async::Task<void> readAndWrite(Client& client, Bytes key);
    async::Task<void> readThenWrite(Client& client, Bytes name);

    Bytes freshHex(std::size_t digitCount);
    Bytes freshUuid();

    store::Endpoint m_endpoint;
    wire::LoopExecutor m_executor;
    wire::LoopClock m_clock;
    Rng m_rng;
    std::vector<std::unique_ptr<Client>> m_clients;
    async::TaskScope m_tasks;
};

} // namespace lockscope::app
