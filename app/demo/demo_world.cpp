#include "app/demo/demo_world.h"

#include "core/kernel/protocol/attempts.h"
#include "core/kernel/protocol/catalogue.h"
#include "core/kernel/protocol/hold.h"
#include "core/kernel/workload/distribution.h"
#include "core/wire/connection/redis_channels.h"
#include "core/wire/watch/lock_client.h"

#include <string>
#include <string_view>
#include <utility>

namespace lockscope::app {

using namespace std::chrono_literals;
using protocol::Hold;
using protocol::LockRequest;
using protocol::Mode;
using workload::Distribution;

namespace {

constexpr std::uint64_t kSeed = 2024; // the same demo every time
constexpr Duration kForever = std::chrono::days(365);

/// How a hold ends.
enum class Ending {
    Released,
    NeverReleased,
    Crash, // after the first command of the acquisition
};

/// Who a client is, and how it spends its time.
struct ClientProfile {
    std::string_view client;
    std::string_view protocol; // id
    std::string_view key;
    Distribution hold = Distribution::constant(0s);  // after each time that it took the lock
    Distribution pause = Distribution::constant(0s); // after each time that it gave the lock back
    int depth = 1;                                   // how often it takes the lock that it holds
    Duration lease{0};                               // 0: the protocol's own
    Ending ending = Ending::Released;
};

/// Of a lock with modes, readers and writers take turns.
const std::vector<ClientProfile>& clientProfiles()
{
    const auto between = &Distribution::uniform;
    static const std::vector<ClientProfile> kProfiles{
        {.client = "nightly-sync",
         .protocol = "setnx-then-expire", // it dies in between: the classic stuck lock
         .key = "job:nightly-sync:lock",
         .ending = Ending::Crash},
        {.client = "legacy-import",
         .protocol = "setnx-getset", // its stamp says that it is over, and no client takes it over
         .key = "lock.legacy-import",
         .lease = 5s,
         .ending = Ending::Crash},
        {"invoices-1", "set-nx-px-token", "lock:invoices:2026-11", between(7s, 15s),
         between(1s, 2s)},
        {"invoices-2", "set-nx-px-token", "lock:invoices:2026-11", between(7s, 15s),
         between(1s, 2s)},
        {.client = "mailer",
         .protocol = "set-nx-px-token",
         .key = "mutex:newsletter",
         .hold = between(3s, 6s),
         .pause = between(1s, 2s),
         .lease = 12s},
        {"scheduler-1", "lua-token-heartbeat", "leader:scheduler",
         Distribution::constant(kForever)},
        {"stock-7", "reentrant-hash", "inventory:sku-88:lock", between(1s, 3s), between(1s, 3s), 3},
        {.client = "orders-3",
         .protocol = "redisson-lock", // a thread pool that leaks holds: the count only grows
         .key = "order:4711:lock",
         .pause = between(2s, 4s),
         .ending = Ending::NeverReleased},
        {"billing-1", "redisson-lock", "billing:run:lock", between(12s, 25s), between(2s, 5s)},
        {"billing-2", "redisson-lock", "billing:run:lock", between(12s, 25s), between(2s, 5s)},
        {"billing-3", "redisson-lock", "billing:run:lock", between(12s, 25s), between(2s, 5s)},
        {"billing-4", "redisson-lock", "billing:run:lock", between(12s, 25s), between(2s, 5s)},
        {"catalog", "rw-hash-stamps", "catalog:rwlock", between(3s, 6s), between(1s, 2s)},
        {"reports", "rw-two-keys", "report:daily:lock", between(5s, 9s), between(1s, 2s)},
    };
    return kProfiles;
}

/// A server, as a program sees it that dies when its first command has been answered.
class OneCommandStore final : public store::Store {
public:
    explicit OneCommandStore(wire::Connection& connection) : m_connection(connection) {}

    async::Pending<store::Outcome> submit(store::Command command) override
    {
        dieUnlessFirst();
        return m_connection.submit(std::move(command));
    }
    async::Pending<std::vector<store::Outcome>> submitAll(
        std::vector<store::Command> commands) override
    {
        dieUnlessFirst();
        return m_connection.submitAll(std::move(commands));
    }

private:
    void dieUnlessFirst()
    {
        if (std::exchange(m_hasSpoken, true)) {
            m_connection.close();
        }
    }

    wire::Connection& m_connection;
    bool m_hasSpoken = false;
};

} // namespace

struct DemoClients::Client {
    Client(DemoClients& demo, const ClientProfile& itsProfile)
        : profile(itsProfile),
          protocol(*protocol::findProtocol(profile.protocol)),
          channels(demo.m_endpoint, demo.m_executor, demo.m_clock, demo.m_rng.split()),
          link({demo.m_endpoint}, {&channels}, demo.m_executor, demo.m_clock, demo.m_rng.split()),
          oneCommandStore(connection()),
          memory(protocol.makeMemory()),
          contender({nodes(), demo.m_executor, demo.m_clock, demo.m_log},
                    {protocol::randomUuid(demo.m_rng), demo.m_clients.size() + 1}, 0,
                    demo.m_rng.split(), *memory)
    {}

    wire::Connection& connection() const { return *link.connections().front(); }
    bool isToCrash() const { return profile.ending == Ending::Crash; }
    std::vector<store::Node> nodes()
    {
        const store::Node node = link.nodes().front();
        store::Store& commands = isToCrash() ? oneCommandStore : node.commands;
        return {{commands, node.blocking, node.channels}};
    }
    async::Task<void> sleep(const Distribution& span)
    {
        return contender.sleepUntil(contender.now() + span.draw(contender.rng()));
    }

    const ClientProfile& profile;
    const protocol::LockProtocol& protocol;
    wire::RedisChannels channels;
    wire::LockClient link;
    OneCommandStore oneCommandStore;
    std::unique_ptr<protocol::ClientMemory> memory;
    protocol::Contender contender;
    Mode mode = Mode::Exclusive;
};

DemoClients::DemoClients(store::Endpoint endpoint)
    : m_endpoint(std::move(endpoint)),
      m_executor(this),
      m_clock(this),
      m_rng(kSeed),
      m_tasks(m_executor)
{}

DemoClients::~DemoClients()
{
    m_tasks.cancelAll();
    m_clients.clear();
}

void DemoClients::start()
{
    for (const ClientProfile& profile : clientProfiles()) {
        m_clients.push_back(std::make_unique<Client>(*this, profile));
        m_tasks.start(live(*m_clients.back()));
    }
}

async::Task<void> DemoClients::live(Client& client)
{
    client.link.open();
    co_await client.link.whenSettled();
    // Where the owner in Redis names the client program, one can see which connection is its.
    store::Command introduce("CLIENT", "SETNAME",
                             Bytes(client.profile.client) + ':'
                                 + client.contender.identity().client);
    co_await client.connection().submit(std::move(introduce));
    do {
        if (client.protocol.info().hasModes) {
            client.mode = client.mode == Mode::Read ? Mode::Write : Mode::Read;
        }
        co_await hold(client);
    } while (!client.isToCrash());
}

async::Task<void> DemoClients::hold(Client& client)
{
    const protocol::ProtocolInfo& info = client.protocol.info();
    LockRequest request = LockRequest::withDefaults(info, Bytes(client.profile.key));
    request.mode = client.mode;
    request.lease = client.profile.lease > Duration(0) ? client.profile.lease : request.lease;
    request.waitLimit = client.isToCrash() ? Duration(0) : kForever;
    std::vector<std::unique_ptr<Hold>> holds;
    for (int depth = 0; depth < client.profile.depth; ++depth) {
        auto outcome = co_await protocol::acquire(client.protocol, client.contender, request);
        if (auto* const grant = protocol::grantOf(outcome)) {
            holds.push_back(std::make_unique<Hold>(client.protocol, client.contender,
                                                   std::move(*grant), info.defaults.renewal));
            const Duration span = client.profile.hold.draw(client.contender.rng());
            co_await holds.front()->waitUntil(client.contender.now() + span);
        }
    }
    if (client.profile.ending == Ending::NeverReleased) {
        holds.clear();
    }
    do {
        if (!holds.empty()) {
            co_await holds.back()->release();
            holds.pop_back();
        }
        co_await client.sleep(client.profile.pause);
    } while (!holds.empty());
}

DemoWorld::DemoWorld(QObject* parent) : QObject(parent)
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
