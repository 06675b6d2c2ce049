#include "tests/bench/contend/calibration.h"

#include "core/kernel/async/when_all.h"
#include "core/kernel/async/yield.h"
#include "core/kernel/contention/prediction.h"
#include "core/kernel/protocol/catalogue.h"
#include "core/wire/connection/connection.h"
#include "core/wire/loop_clock.h"
#include "core/wire/loop_executor.h"
#include "core/wire/run/private_server.h"
#include "protocol_scripts.h"
#include "tests/bench/contend/live_run.h"
#include "tests/bench/contend/processor_time.h"

#include <QCoreApplication>
#include <QTimer>

#include <algorithm>
#include <array>
#include <functional>
#include <memory>
#include <numeric>
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
constexpr std::array<Duration, 4> kPauses{100us, 300us, 1ms, 3ms};
constexpr int kHops = 5000;
constexpr int kSleepers = 1000;
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

/// How long one connection waits for its answer while no other asks and the last answer has just
/// come, and how much of that sending takes.
struct RoundTrip {
    Work all{0};
    Work send{0};
};

/// The same after a pause in which nothing was done, and how late the pause ended.
struct Pause {
    Duration length{0};
    Work lateness{0};
    Work roundTrip{0};
    Work longRoundTrip{0}; // with the longest of the scripts
};

struct Delays {
    RoundTrip roundTrip;
    std::vector<Pause> pauses;
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

    /// Without what it takes to prepare a command, and how long waking up takes.
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
        m_delays.roundTrip = co_await roundTripAlone();
        for (const Duration length : kPauses) {
            m_delays.pauses.push_back(co_await roundTripsAfter(length));
        }
        m_costs.driver.step = co_await costOfSteps();
        m_costs.driver.sleep = co_await costOfSleeps();
        m_costs.driver.turn = co_await costOfTurns();
        QCoreApplication::quit();
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

    async::Task<RoundTrip> roundTripAlone()
    {
        std::vector<Work> all;
        std::vector<Work> send;
        for (int i = 0; i < kRoundTrips; ++i) {
            const auto begin = std::chrono::steady_clock::now();
            async::Pending<Outcome> answer = connection(0).submit(refusedSet(0));
            send.push_back(std::chrono::steady_clock::now() - begin);
            co_await std::move(answer);
            all.push_back(std::chrono::steady_clock::now() - begin);
        }
        co_return RoundTrip{medianOf(std::move(all)), medianOf(std::move(send))};
    }

    /// Short and long ones by turns, so that a slower minute of the machine counts for both.
    async::Task<Pause> roundTripsAfter(Duration length)
    {
        std::vector<Work> lateness;
        std::vector<Work> shortOnes;
        std::vector<Work> longOnes;
        for (int i = 0; i < kRoundTrips; ++i) {
            const bool isLong = i % 2 != 0;
            Command command = isLong ? refusedScripts().back().second(0) : refusedSet(0);
            const auto fellAsleep = std::chrono::steady_clock::now();
            co_await m_clock.wakeAt(m_clock.now() + length);
            const auto begin = std::chrono::steady_clock::now();
            lateness.push_back(begin - fellAsleep - length);
            co_await connection(0).submit(std::move(command));
            (isLong ? longOnes : shortOnes).push_back(std::chrono::steady_clock::now() - begin);
        }
        co_return Pause{length, medianOf(std::move(lateness)), medianOf(std::move(shortOnes)),
                        medianOf(std::move(longOnes))};
    }

    async::Task<Work> costOfSteps()
    {
        const Work begin = workOfThisThread();
        for (int i = 0; i < kHops; ++i) {
            co_await async::yield();
        }
        co_return (workOfThisThread() - begin) / kHops;
    }

    /// An answer that is there alone takes one round to read and another one to go on.
    async::Task<Work> costOfTurns()
    {
        const BatchCost alone = co_await costInBatches(refusedSet, 1);
        const Costs::Driver& driver = m_costs.driver;
        co_return std::max((alone.receive - driver.receive - driver.step) / 2, Work(0));
    }

    async::Task<int> sleepUntil(Instant when)
    {
        co_await m_clock.wakeAt(when);
        co_return 0;
    }

    /// Each of them takes two steps as well.
    async::Task<Work> costOfSleeps()
    {
        std::vector<async::Task<int>> sleepers;
        sleepers.reserve(kSleepers);
        const Instant when = m_clock.now() + 50ms;
        for (int i = 0; i < kSleepers; ++i) {
            sleepers.push_back(sleepUntil(when));
        }
        const Work begin = workOfThisThread();
        co_await async::whenAll(m_executor, std::move(sleepers));
        const Work each = (workOfThisThread() - begin) / kSleepers;
        co_return std::max(each - 2 * m_costs.driver.step, Work(0));
    }

    wire::PrivateServer& m_server;
    int m_askers; // connections that ask; the others listen
    wire::LoopExecutor m_executor;
    wire::LoopClock m_clock;
    std::vector<std::unique_ptr<Connection>> m_connections;
    Costs m_costs;
    Delays m_delays;
};

/// Many contenders that ask for one lock as fast as they can, and only the first one ever gets it:
/// nothing but the engine, which never sleeps.
workload::LiveRunOrder crowdOrder(int contenderCount)
{
    const protocol::LockProtocol* const found = protocol::findProtocol("set-nx-px-token");
    workload::LiveRunOrder order;
    order.protocol = {found, [](const protocol::LockProtocol*) {}};
    order.scenario.contenderCount = contenderCount;
    order.scenario.think = workload::Distribution::constant(Duration(0));
    order.scenario.hold = workload::Distribution::constant(10 * kCrowdRun);
    order.scenario.lease = 20 * kCrowdRun;
    order.scenario.retry.interval = 500us;
    order.scenario.retry.jitter = 1ms;
    order.scenario.duration = kCrowdRun;
    return order;
}

/// The driver's work for one command of the crowd, in the model.
Work modelledWork(const Costs& costs, const workload::LiveRunOrder& order)
{
    const auto prediction = contention::predict(*order.protocol, order.scenario, costs);
    const double busy = prediction.driverLoad * static_cast<double>(Work(kCrowdRun).count());
    return Work(static_cast<std::int64_t>(busy
                                          / static_cast<double>(prediction.statistics.commands)));
}

/// How many times as long the long script takes after a long sleep, beside a short command.
double coldFactorOf(const Costs& costs, const std::vector<Pause>& pauses)
{
    const Work longScript = costs.server.scripts.at(Bytes(refusedScripts().back().first.digest));
    std::vector<double> factors;
    for (const Pause& pause : pauses) {
        if (pause.length >= costs.coldAfter) {
            const std::chrono::duration<double> longer = pause.longRoundTrip - pause.roundTrip;
            factors.push_back(longer / (longScript - costs.server.plain));
        }
    }
    const double sum = std::accumulate(factors.begin(), factors.end(), 0.0);
    return std::max(sum / static_cast<double>(factors.size()), 1.0);
}

/// No thread works during the rest of a round trip; two sleepers have to be woken in it. The first
/// round of the driver's loop reads the answer, the second one goes on with the coroutine. After a
/// pause the server has slept for longer than the driver, and what comes before the answer is cold.
void addDelays(Costs& costs, const Delays& delays)
{
    const Costs::Server& server = costs.server;
    const Costs::Driver& driver = costs.driver;
    const Work twoRounds = 2 * driver.turn + driver.step;
    const Work begin = server.plain + driver.send;
    const Work end = driver.receive + twoRounds;
    const auto notBelowZero = [](Work work) { return std::max(work, Work(0)); };
    const Work wakeUp = notBelowZero(delays.roundTrip.all - begin - end) / 2;
    costs.rouse = notBelowZero(delays.roundTrip.send - driver.send);
    costs.coldFactor = coldFactorOf(costs, delays.pauses);
    costs.wakeUps.clear();
    for (const Pause& pause : delays.pauses) {
        const double factor = pause.length >= costs.coldAfter ? costs.coldFactor : 1;
        const auto cold = [factor](Work work) {
            return std::chrono::duration_cast<Work>(work * factor);
        };
        costs.wakeUps.push_back({pause.length,
                                 notBelowZero(pause.roundTrip - cold(begin) - end - wakeUp),
                                 notBelowZero(pause.lateness - cold(twoRounds))});
    }
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
    const workload::LiveRunOrder order = crowdOrder(askers);
    const auto crowd = runLive(order, server);
    if (!crowd || crowd->statistics.commands == 0) {
        return std::nullopt;
    }
    const auto commands = static_cast<std::int64_t>(crowd->statistics.commands);
    addDelays(costs, measurement.delays()); // of commands that a contender has no work with
    costs.driver.send += std::max(crowd->driver.worked / commands - modelledWork(costs, order),
                                  Work(0));
    return costs;
}

} // namespace lockscope::bench
