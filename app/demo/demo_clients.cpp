#include "demo/demo_clients.h"

#include "demo_scripts.h"

#include <algorithm>
#include <utility>

namespace lockscope::app {

using namespace std::chrono_literals;

using store::Command;
using store::Outcome;

namespace {

constexpr std::uint64_t kSeed = 2024; // the same demo every time
constexpr int kRedissonRivals = 4;

bool isNil(const Outcome& outcome)
{
    const store::Reply* const reply = replyOf(outcome);
    return reply != nullptr && reply->isNil();
}

bool isOk(const Outcome& outcome)
{
    const store::Reply* const reply = replyOf(outcome);
    return reply != nullptr && reply->text() != nullptr;
}

Bytes millis(Duration d)
{
    return std::to_string(toMs(d));
}

} // namespace

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
    m_tasks.start(forgetExpiry(addClient("nightly-sync")));
    m_tasks.start(leaveStampBehind(addClient("legacy-import")));
    m_tasks.start(workWithToken(addClient("invoices-1"), "lock:invoices:2026-11", 30s));
    m_tasks.start(workWithToken(addClient("invoices-2"), "lock:invoices:2026-11", 30s));
    m_tasks.start(workWithToken(addClient("mailer"), "mutex:newsletter", 12s));
    m_tasks.start(beatHeart(addClient("scheduler-1"), "leader:scheduler"));
    m_tasks.start(reenter(addClient("stock-7"), "inventory:sku-88:lock"));
    m_tasks.start(leakHolds(addClient("orders-3"), "order:4711:lock"));
    for (int i = 1; i <= kRedissonRivals; ++i) {
        m_tasks.start(contendLikeRedisson(addClient("billing-" + std::to_string(i)),
                                          "billing:run:lock"));
    }
    m_tasks.start(readAndWrite(addClient("catalog"), "catalog:rwlock"));
    m_tasks.start(readThenWrite(addClient("reports"), "report:daily:lock"));
}

DemoClients::Client& DemoClients::addClient(std::string name)
{
    auto client = std::make_unique<Client>();
    client->name = std::move(name);
    client->connection = std::make_unique<wire::Connection>(m_endpoint, m_executor, m_clock,
                                                            m_rng.split());
    connect(client->connection.get(), &wire::Connection::stateChanged, this,
            [state = client.get()] { state->stateGate.open(); });
    client->connection->open();
    m_clients.push_back(std::move(client));
    return *m_clients.back();
}

async::Task<void> DemoClients::comeOnline(Client& client)
{
    while (client.connection->state() != wire::Connection::State::Online) {
        co_await client.stateGate.pass();
    }
    Command introduce("CLIENT", "SETNAME", client.name);
    co_await client.connection->submit(std::move(introduce));
}

async::Task<void> DemoClients::pause(Duration low, Duration high)
{
    co_await m_clock.wakeAt(m_clock.now() + m_rng.between(low, high));
}

async::Task<Outcome> DemoClients::run(Client& client, std::string_view script,
                                      std::vector<Bytes> keys, std::vector<Bytes> arguments)
{
    Command command("EVAL", script, keys.size());
    std::move(keys.begin(), keys.end(), std::back_inserter(command.words));
    std::move(arguments.begin(), arguments.end(), std::back_inserter(command.words));
    co_return co_await client.connection->submit(std::move(command));
}

/// SETNX, and the process dies before EXPIRE: the classic stuck lock.
async::Task<void> DemoClients::forgetExpiry(Client& client)
{
    co_await comeOnline(client);
    Command take("SETNX", "job:nightly-sync:lock", "1");
    co_await client.connection->submit(std::move(take));
    client.connection->close();
}

/// The SETNX and GETSET lock whose owner died: its own stamp says that it is over, nobody has taken
/// it over.
async::Task<void> DemoClients::leaveStampBehind(Client& client)
{
    co_await comeOnline(client);
    const std::int64_t deadlineMs = toEpochMs(m_clock.wallNow()) + 6000;
    Command take("SETNX", "lock.legacy-import", deadlineMs);
    co_await client.connection->submit(std::move(take));
}

/// SET NX PX with a fresh token, compare-and-delete; the token names its client.
async::Task<void> DemoClients::workWithToken(Client& client, Bytes key, Duration lease)
{
    co_await comeOnline(client);
    while (true) {
        const Bytes token = client.name + ':' + freshUuid();
        Command take("SET", key, token, "NX", "PX", toMs(lease));
        const Outcome outcome = co_await client.connection->submit(std::move(take));
        if (!isOk(outcome)) {
            co_await pause(200ms, 600ms);
            continue;
        }
        co_await pause(lease / 4, lease / 2);
        std::vector<Bytes> keys(1, key);
        std::vector<Bytes> arguments(1, token);
        co_await run(client, scripts::kGiveTokenLock, std::move(keys), std::move(arguments));
        co_await pause(500ms, 2s);
    }
}

/// A leader that renews its 5 s lease every 3 s, for ever.
async::Task<void> DemoClients::beatHeart(Client& client, Bytes key)
{
    co_await comeOnline(client);
    const Bytes token = freshUuid();
    Command take("SET", key, token, "NX", "PX", toMs(5s));
    co_await client.connection->submit(std::move(take));
    while (true) {
        co_await pause(3s, 3s);
        std::vector<Bytes> keys(1, key);
        std::vector<Bytes> arguments(1, token);
        arguments.push_back(millis(5s));
        co_await run(client, scripts::kRenewTokenLock, std::move(keys), std::move(arguments));
    }
}

/// A well-behaved reentrant holder: goes three deep, comes back, starts again.
async::Task<void> DemoClients::reenter(Client& client, Bytes key)
{
    co_await comeOnline(client);
    const Bytes owner = client.name + "/thread-1";
    while (true) {
        for (int depth = 0; depth < 3; ++depth) {
            std::vector<Bytes> keys(1, key);
            std::vector<Bytes> arguments(1, owner);
            arguments.push_back(millis(40s));
            co_await run(client, scripts::kTakeHashLock, std::move(keys), std::move(arguments));
            co_await pause(1s, 3s);
        }
        for (int depth = 0; depth < 3; ++depth) {
            std::vector<Bytes> keys(1, key);
            keys.emplace_back("unused");
            std::vector<Bytes> arguments(1, owner);
            co_await run(client, scripts::kGiveHashLock, std::move(keys), std::move(arguments));
            co_await pause(1s, 3s);
        }
    }
}

/// A thread pool that takes and forgets to give back: the count only grows.
async::Task<void> DemoClients::leakHolds(Client& client, Bytes key)
{
    co_await comeOnline(client);
    const Bytes owner = freshUuid() + ":63";
    while (true) {
        std::vector<Bytes> keys(1, key);
        std::vector<Bytes> arguments(1, owner);
        arguments.push_back(millis(30s));
        co_await run(client, scripts::kTakeHashLock, std::move(keys), std::move(arguments));
        co_await pause(2500ms, 3500ms);
    }
}

/// Redisson's plain lock: watchdog of 30 s, waiters sleep on the unlock channel.
async::Task<void> DemoClients::contendLikeRedisson(Client& client, Bytes key)
{
    co_await comeOnline(client);
    const Bytes owner = freshUuid() + ":" + std::to_string(30 + m_rng.below(40));
    Client& ears = addClient(client.name + "-pubsub");
    m_tasks.start(listen(ears, "redisson_lock__channel:{" + key + "}"));
    while (true) {
        std::vector<Bytes> keys(1, key);
        std::vector<Bytes> arguments(1, owner);
        arguments.push_back(millis(30s));
        const Outcome outcome = co_await run(client, scripts::kTakeHashLock, std::move(keys),
                                             std::move(arguments));
        if (isNil(outcome)) {
            co_await holdLikeRedisson(client, key, owner);
            co_await pause(2s, 5s);
        } else {
            co_await ears.newsGate.passBefore(m_clock, m_clock.now() + 30s);
        }
    }
}

async::Task<void> DemoClients::holdLikeRedisson(Client& client, Bytes key, Bytes owner)
{
    const Instant end = m_clock.now() + m_rng.between(12s, 25s);
    while (m_clock.now() < end) {
        co_await pause(5s, 10s);
        std::vector<Bytes> keys(1, key);
        std::vector<Bytes> arguments(1, owner);
        arguments.push_back(millis(30s));
        co_await run(client, scripts::kRenewHashLock, std::move(keys), std::move(arguments));
    }
    std::vector<Bytes> keys(1, key);
    keys.push_back("redisson_lock__channel:{" + key + "}");
    std::vector<Bytes> arguments(1, owner);
    co_await run(client, scripts::kGiveHashLock, std::move(keys), std::move(arguments));
}

async::Task<void> DemoClients::listen(Client& client, Bytes channel)
{
    co_await comeOnline(client);
    connect(client.connection.get(), &wire::Connection::messageReceived, this,
            [listener = &client] { listener->newsGate.open(); });
    client.connection->expectMessages();
    Command subscribe("SUBSCRIBE", channel);
    co_await client.connection->submit(std::move(subscribe));
}

/// The read-write lock with client stamps in one hash.
async::Task<void> DemoClients::readAndWrite(Client& client, Bytes key)
{
    co_await comeOnline(client);
    while (true) {
        for (const char* const field : {"read", "write"}) {
            Command stamp("HSET", key, field, toEpochMs(m_clock.wallNow()));
            co_await client.connection->submit(std::move(stamp));
            Command expire("PEXPIRE", key, toMs(10s));
            co_await client.connection->submit(std::move(expire));
            co_await pause(3s, 6s);
            Command give("HDEL", key, field);
            co_await client.connection->submit(std::move(give));
            co_await pause(500ms, 1s);
        }
    }
}

/// The read-write lock with two keys: one flag for all readers, one for the writer.
async::Task<void> DemoClients::readThenWrite(Client& client, Bytes name)
{
    co_await comeOnline(client);
    while (true) {
        for (const char* const side : {":read", ":write"}) {
            const Bytes key = name + side;
            Command take("SET", key, "1", "EX", 20);
            co_await client.connection->submit(std::move(take));
            co_await pause(5s, 9s);
            Command give("DEL", key);
            co_await client.connection->submit(std::move(give));
            co_await pause(1s, 2s);
        }
    }
}

Bytes DemoClients::freshHex(std::size_t digitCount)
{
    static constexpr char kDigits[] = "0123456789abcdef";
    Bytes hex(digitCount, '0');
    std::generate(hex.begin(), hex.end(), [this] { return kDigits[m_rng.below(16)]; });
    return hex;
}

Bytes DemoClients::freshUuid()
{
    return freshHex(8) + '-' + freshHex(4) + "-4" + freshHex(3) + "-a" + freshHex(3) + '-'
           + freshHex(12);
}

} // namespace lockscope::app
