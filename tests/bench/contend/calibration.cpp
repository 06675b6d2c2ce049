#include "calibration.h"

#include "async/when_all.h"
#include "connection.h"
#include "contention/prediction.h"
#include "live_run.h"
#include "loop_clock.h"
#include "loop_executor.h"
#include "private_server.h"
#include "processor_time.h"
#include "protocol/catalogue.h"
#include "protocol_scripts.h"

#include <QCoreApplication>
#include <QTimer>

#include <algorithm>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace lockscope::bench {

using namespace std::chrono_literals;
using contention::Costs;
using contention::Work;
using store::Command;
using store::Outcome;
using wire::Connection;

namespace {

/// With fewer, what one command costs is lost in the noise.
constexpr int kConnectionsMin = 200;
constexpr int kSubscribers = 50;
constexpr int kBatches = 15;   // of which the middle one counts
constexpr int kQuestions = 20; // of each connection, one after the other
constexpr int kRoundTrips = 250;
constexpr Duration kPause = 1ms;
constexpr int kHops = 5000;
constexpr Duration kCrowdRun = 1s;

Work medianOf(std::vector<Work> values)
{
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

/// What one command costs of many that are there at the same time.
struct BatchCost {
    Work server{0};
    Work send{0};
    Work receive{0};
};

/// How long one connection waits for its answer while nobody else asks, and how late timers are.
struct Delays {
    Work roundTrip{0};
    Work afterPause{0};     // of an idle millisecond
    Work longAfterPause{0}; // with the longest of the scripts
    Work timer{0};
};

using Commands = std::function<Command(int connection)>;

Command refusedSet(int connection)
{
    return Command("SET", "held", "token-of-" + std::to_string(connection), "NX", "PX", 30'000);
}

/// The scripts of which there is one call per try; what they answer while the lock is held.
std::vector<std::pair<store::Script, Commands>> refusedScripts()
{
    namespace scripts = protocol::scripts;
    const auto deletion = [](int i) {
        return Command("EVALSHA", scripts::kDeleteIfEqual.digest, 1, "held",
                       "token-of-" + std::to_string(i));
    };
    const auto redisson = [](int i) {
        return Command("EVALSHA", scripts::kRedissonLock.digest, 1, "held-hash",
                       "another:" + std::to_string(i), 30'000);
    };
    const auto handoff = [](int i) {
        return Command("EVALSHA", scripts::kListHandoff.digest, 3, "held", "queue", "alive", "take",
                       "token-of-" + std::to_string(i), 30'000, 1'000, 6'000, "wake:");
    };
    return {{scripts::kDeleteIfEqual, deletion},
            {scripts::kRedissonLock, redisson},
            {scripts::kListHandoff, handoff}};
}

/// Asks one server on the event loop of this thread, which stands for the driver.
class Measurement {
public:
    Measurement(wire::PrivateServer& server, int askers) : m_server(server), m_askers(askers)
    {
        for (int i = 0; i < askers + kSubscribers; ++i) {
            m_connections.push_back(std::make_unique<Connection>(server.endpoint(), m_executor,
                                                                 m_clock, Rng(1)));
            m_connections.back()->open();
        }
    }

    /// Without what a step of a coroutine costs and how long waking up takes.
    Costs run()
    {
        const async::BackgroundTask task(m_executor, measure());
        QCoreApplication::exec();
        return m_costs;
    }

    /// Known after run().
    const Delays& delays() const { return m_delays; }

private:
    async::Task<void> measure()
    {
        co_await waitForConnections();
        co_await prepareKeys();
        const BatchCost batch = co_await costInBatches(refusedSet, m_askers);
        m_costs.driver.send = batch.send;
        m_costs.driver.receive = batch.receive;
        m_costs.server.plain = co_await serviceOf(refusedSet);
        for (const auto& [script, commands] : refusedScripts()) {
            const Work service = co_await serviceOf(commands);
            m_costs.server.scripts.emplace(script.digest, service);
        }
        // The shortest stands for those that were not measured.
        m_costs.server.script =
            m_costs.server.scripts.at(Bytes(protocol::scripts::kDeleteIfEqual.digest));
        co_await measureDeliveries();
        m_delays.roundTrip = co_await roundTripAlone(refusedSet, Duration(0));
        m_delays.afterPause = co_await roundTripAlone(refusedSet, kPause);
        m_delays.longAfterPause = co_await roundTripAlone(refusedScripts().back().second, kPause);
        m_delays.timer = co_await timerDelay();
        measureTurns();
    }

    Connection& connection(int index) { return *m_connections[static_cast<std::size_t>(index)]; }

    async::Task<void> waitForConnections()
    {
        const auto isOnline = [](const auto& connection) {
            return connection->state() == Connection::State::Online;
        };
        while (!std::ranges::all_of(m_connections, isOnline)) {
            co_await m_clock.wakeAt(m_clock.now() + 5ms);
        }
    }

    async::Task<void> prepareKeys()
    {
        Command hold("SET", "held", "token");
        co_await connection(0).submit(std::move(hold));
        Command holdHash("HSET", "held-hash", "owner", 1);
        co_await connection(0).submit(std::move(holdHash));
        for (const auto& [script, commands] : refusedScripts()) {
            Command load("SCRIPT", "LOAD", script.text);
            co_await connection(0).submit(std::move(load));
        }
    }

    /// The server stands still until all commands have been sent, and the driver until all answers
    /// are there.
    async::Task<BatchCost> batch(Commands commands, int count)
    {
        std::vector<async::Pending<Outcome>> answers;
        m_server.freeze();
        const ProcessorTime serverBefore = processorTimeOf(m_server.processId());
        const Work before = workOfThisThread();
        for (int i = 0; i < count; ++i) {
            answers.push_back(connection(i).submit(commands(i)));
        }
        const Work sent = workOfThisThread();
        m_server.thaw();
        while (!isAsleep(m_server.processId())) {}
        const ProcessorTime serverAfter = processorTimeOf(m_server.processId());
        const Work answered = workOfThisThread();
        for (async::Pending<Outcome>& answer : answers) {
            co_await std::move(answer);
        }
        BatchCost cost;
        cost.server = (serverAfter - serverBefore).worked / count;
        cost.send = (sent - before) / count;
        cost.receive = (workOfThisThread() - answered) / count;
        co_return cost;
    }

    async::Task<BatchCost> costInBatches(Commands commands, int count)
    {
        std::vector<Work> server;
        std::vector<Work> send;
        std::vector<Work> receive;
        for (int i = 0; i < kBatches; ++i) {
            const BatchCost cost = co_await batch(commands, count);
            server.push_back(cost.server);
            send.push_back(cost.send);
            receive.push_back(cost.receive);
        }
        BatchCost cost;
        cost.server = medianOf(std::move(server));
        cost.send = medianOf(std::move(send));
        cost.receive = medianOf(std::move(receive));
        co_return cost;
    }

    async::Task<int> keepAsking(Connection& connection, Command command)
    {
        for (int i = 0; i < kQuestions; ++i) {
            Command copy = command;
            co_await connection.submit(std::move(copy));
        }
        co_return kQuestions;
    }

    /// What the server spends on a command while it hardly ever sleeps.
    async::Task<Work> serviceOf(Commands commands)
    {
        std::vector<async::Task<int>> clients;
        clients.reserve(static_cast<std::size_t>(m_askers));
        for (int i = 0; i < m_askers; ++i) {
            clients.push_back(keepAsking(connection(i), commands(i)));
        }
        const ProcessorTime before = processorTimeOf(m_server.processId());
        co_await async::whenAll(m_executor, std::move(clients));
        while (!isAsleep(m_server.processId())) {}
        const ProcessorTime after = processorTimeOf(m_server.processId());
        co_return (after - before).worked / (m_askers * kQuestions);
    }

    async::Task<void> measureDeliveries()
    {
        for (int i = m_askers; i < m_askers + kSubscribers; ++i) {
            connection(i).expectMessages();
            Command listen("SUBSCRIBE", "unlocks");
            co_await connection(i).submit(std::move(listen));
        }
        const Commands toAll = [](int) { return Command("PUBLISH", "unlocks", "0"); };
        const Commands toNobody = [](int) { return Command("PUBLISH", "nothing", "0"); };
        // One at a time: what several of them say to one listener would leave in one piece.
        const BatchCost heard = co_await costInBatches(toAll, 1);
        const BatchCost unheard = co_await costInBatches(toNobody, 1);
        m_costs.server.delivery = std::max((heard.server - unheard.server) / kSubscribers, Work(0));
    }

    async::Task<Work> roundTripAlone(Commands commands, Duration pause)
    {
        std::vector<Work> elapsed;
        for (int i = 0; i < kRoundTrips; ++i) {
            if (pause > Duration(0)) {
                co_await m_clock.wakeAt(m_clock.now() + pause);
            }
            Command command = commands(0);
            const auto begin = std::chrono::steady_clock::now();
            co_await connection(0).submit(std::move(command));
            elapsed.push_back(std::chrono::steady_clock::now() - begin);
        }
        co_return medianOf(std::move(elapsed));
    }

    async::Task<Work> timerDelay()
    {
        std::vector<Work> delays;
        for (int i = 0; i < kRoundTrips; ++i) {
            const auto begin = std::chrono::steady_clock::now();
            co_await m_clock.wakeAt(m_clock.now() + kPause);
            delays.push_back(std::chrono::steady_clock::now() - begin - kPause);
        }
        co_return medianOf(std::move(delays));
    }

    /// A round of the event loop for each hop, because none waits for the one before it.
    void measureTurns() { hop(kHops, workOfThisThread()); }
    void hop(int left, Work begin)
    {
        if (left == 0) {
            m_costs.driver.turn = (workOfThisThread() - begin) / kHops;
            QCoreApplication::quit();
            return;
        }
        QMetaObject::invokeMethod(
            &m_executor, [this, left, begin] { hop(left - 1, begin); }, Qt::QueuedConnection);
    }

    wire::PrivateServer& m_server;
    int m_askers; // connections that ask; the others listen
    wire::LoopExecutor m_executor;
    wire::LoopClock m_clock;
    std::vector<std::unique_ptr<Connection>> m_connections;
    Costs m_costs;
    Delays m_delays;
};

/// Many contenders, and hardly ever two for one lock: nothing but the engine, and as fast as it
/// can.
service::LiveRunOrder crowdOrder(int contenderCount)
{
    const protocol::LockProtocol* const found = protocol::findProtocol("set-nx-px-token");
    service::LiveRunOrder order;
    order.protocol = {found, [](const protocol::LockProtocol*) {}};
    order.scenario.contenderCount = contenderCount;
    order.scenario.keyCount = 20'000;
    order.scenario.think = workload::Distribution::constant(1ms);
    order.scenario.hold = workload::Distribution::constant(1ms);
    order.scenario.duration = kCrowdRun;
    return order;
}

/// The driver's work for one acquisition in a model whose steps take so long.
Work modelledWork(Costs costs, Work step, const service::LiveRunOrder& order)
{
    costs.driver.step = step;
    const auto prediction = contention::predict(*order.protocol, order.scenario, costs);
    const double busy = prediction.driverLoad * static_cast<double>(Work(kCrowdRun).count());
    return Work(
        static_cast<std::int64_t>(busy / static_cast<double>(prediction.statistics.acquisitions)));
}

/// What the model lacks of the driver's work for one acquisition is spread over the steps of the
/// coroutines that it takes.
Work stepOf(const Costs& costs, Work measured, const service::LiveRunOrder& order)
{
    constexpr Work kTrial(1'000);
    const Work without = modelledWork(costs, Work(0), order);
    const Work added = modelledWork(costs, kTrial, order) - without;
    const Work missing = std::max(measured - without, Work(0));
    return added > Work(0) ? kTrial * missing.count() / added.count() : Work(0);
}

/// Nobody works during the rest of a round trip; two sleepers have to be woken in it. The first
/// round of the driver's loop reads the answer, the second one goes on with the coroutine. After a
/// pause the server has to be woken from a deep sleep, and the driver is not warm yet either when
/// it sends.
void addDelays(Costs& costs, const Delays& delays)
{
    const Costs::Server& server = costs.server;
    const Costs::Driver& driver = costs.driver;
    const Work twoRounds = 2 * (driver.turn + driver.step);
    const Work work = server.plain + driver.send + driver.receive + twoRounds;
    costs.wakeUp = std::max((delays.roundTrip - work) / 2, Work(0));
    const Work longScript = server.scripts.at(Bytes(refusedScripts().back().first.digest));
    const std::chrono::duration<double> longer = delays.longAfterPause - delays.afterPause;
    costs.coldFactor = std::max(longer / (longScript - server.plain), 1.0);
    const auto cold = [&costs](Work warm) {
        return std::chrono::duration_cast<Work>(warm * costs.coldFactor);
    };
    costs.deepWakeUp = std::max(delays.afterPause - cold(server.plain + driver.send)
                                    - driver.receive - twoRounds - costs.wakeUp,
                                costs.wakeUp);
    costs.timerDelay = std::max(delays.timer - cold(twoRounds), Work(0));
}

} // namespace

std::optional<Costs> calibrate(int contenderCount)
{
    const int askers = std::max(contenderCount, kConnectionsMin);
    wire::PrivateServer server;
    server.start();
    if (!server.waitUntilReady()) {
        return std::nullopt;
    }
    Measurement measurement(server, askers);
    Costs costs = measurement.run();
    const service::LiveRunOrder order = crowdOrder(askers);
    const auto crowd = runLive(order, server);
    if (!crowd || crowd->statistics.acquisitions == 0) {
        return std::nullopt;
    }
    const auto acquisitions = static_cast<std::int64_t>(crowd->statistics.acquisitions);
    costs.driver.step = stepOf(costs, crowd->driver.worked / acquisitions, order);
    addDelays(costs, measurement.delays());
    return costs;
}

} // namespace lockscope::bench
