#include "core/kernel/contention/prediction.h"

#include "core/kernel/async/task.h"
#include "core/kernel/base/kernel_text.h"
#include "core/kernel/contention/model_client.h"
#include "core/kernel/protocol/contender.h"
#include "core/kernel/sim/lua_engine.h"
#include "core/kernel/trace/event_log.h"
#include "core/kernel/workload/contender_life.h"
#include "core/kernel/workload/process.h"
#include "core/kernel/workload/shared_page.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

namespace lockscope::contention {

namespace {

/// As the live run does it: see ContentionWorker.
constexpr Duration kRestartAfter = std::chrono::milliseconds(50);
constexpr Duration kFinishPatience = std::chrono::seconds(2);
constexpr std::uint64_t kStepsBetweenQuestions = 256; // some milliseconds

/// One pretended client program.
struct ClientSlot {
    std::unique_ptr<ModelClient> client;
    std::unique_ptr<workload::Process> process;
    std::unique_ptr<protocol::ClientMemory> memory;
    std::unique_ptr<protocol::Contender> contender;
    std::unique_ptr<workload::ContenderLife> life;
    async::BackgroundTask supervisor;
    trace::ContenderId id = 0;
    Rng rng{0};
    std::uint64_t incarnation = 0;
};

class ModelRun {
public:
    ModelRun(const protocol::LockProtocol& protocol, const workload::Scenario& scenario,
             const Costs& costs, int serverCount, const std::function<bool()>& goOn);

    void run();
    Prediction result() const;
    bool wasStopped() const { return m_isStopped; }

private:
    /// Asks now and then, as asking may take a lock.
    bool goesOn();
    void addClients(ModelThread& thread, int count, Rng rng);
    void incarnate(ClientSlot& slot);
    async::Task<void> supervise(ClientSlot& slot);
    trace::RunStatistics statistics() const;

    const protocol::LockProtocol& m_protocol;
    const workload::Scenario& m_scenario;
    const Costs& m_costs;
    const std::function<bool()>& m_goOn;
    std::uint64_t m_questionCount = 0;
    bool m_isStopped = false;
    EventQueue m_eventQueue;
    sim::LuaEngine m_lua{sim::LuaEngine::Answers::Computed}; // tokens are new in every round
    ModelClient::Servers m_servers;
    std::vector<std::unique_ptr<ModelThread>> m_threads;
    workload::SharedPage m_page;
    trace::EventLog m_log{std::numeric_limits<std::size_t>::max()};
    std::vector<std::unique_ptr<ClientSlot>> m_slots;
    std::size_t m_busySlotCount = 0;
    bool m_isFinishing = false;
};

ModelRun::ModelRun(const protocol::LockProtocol& protocol, const workload::Scenario& scenario,
                   const Costs& costs, int serverCount, const std::function<bool()>& goOn)
    : m_protocol(protocol),
      m_scenario(scenario),
      m_costs(costs),
      m_goOn(goOn),
      m_page(scenario.keyCount, scenario.permits)
{
    for (int i = 0; i < serverCount; ++i) {
        m_servers.push_back(std::make_unique<ModelServer>(m_eventQueue, m_costs, m_lua));
    }
    const int threadCount = std::clamp(m_costs.driver.threadCount, 1, scenario.contenderCount);
    Rng rng(scenario.seed);
    for (int i = 0; i < threadCount; ++i) {
        m_threads.push_back(std::make_unique<ModelThread>(m_eventQueue, m_costs, m_servers));
        const int left = scenario.contenderCount - static_cast<int>(m_slots.size());
        addClients(*m_threads.back(), left / (threadCount - i), rng.split());
    }
}

bool ModelRun::goesOn()
{
    m_isStopped = m_isStopped || (++m_questionCount % kStepsBetweenQuestions == 0 && !m_goOn());
    return !m_isStopped;
}

void ModelRun::addClients(ModelThread& thread, int count, Rng rng)
{
    for (int i = 0; i < count && goesOn(); ++i) {
        auto slot = std::make_unique<ClientSlot>();
        slot->id = static_cast<trace::ContenderId>(m_slots.size());
        slot->rng = rng.split();
        slot->client = std::make_unique<ModelClient>(thread, m_servers);
        slot->process = std::make_unique<workload::Process>(thread.driver, slot->client->clock());
        incarnate(*slot);
        m_slots.push_back(std::move(slot));
    }
}

void ModelRun::incarnate(ClientSlot& slot)
{
    slot.life.reset();
    slot.contender.reset();
    slot.memory = m_protocol.makeMemory();
    protocol::ClientEnvironment environment{slot.client->nodes(), slot.process->executor(),
                                            slot.client->clock(), m_log};
    const protocol::Identity identity{protocol::randomUuid(slot.rng), ++slot.incarnation};
    slot.contender = std::make_unique<protocol::Contender>(std::move(environment), identity,
                                                           slot.id, slot.rng.split(), *slot.memory);
    const workload::ContenderLife::Setting setting{m_protocol, m_scenario, m_page, *slot.process};
    slot.life = std::make_unique<workload::ContenderLife>(setting, *slot.contender);
}

async::Task<void> ModelRun::supervise(ClientSlot& slot)
{
    while (true) {
        const workload::LifeEnd end = co_await slot.life->run();
        if (end == workload::LifeEnd::Finished || m_isFinishing) {
            break;
        }
        slot.client->crash();
        co_await slot.client->wakeAt(slot.client->now() + kRestartAfter);
        if (m_isFinishing) {
            break;
        }
        incarnate(slot);
    }
    --m_busySlotCount;
}

void ModelRun::run()
{
    m_busySlotCount = m_slots.size();
    for (const auto& slot : m_slots) {
        slot->supervisor = async::BackgroundTask(slot->process->executor(), supervise(*slot));
    }
    const Moment end(m_scenario.duration);
    // A draw may be over earlier.
    while (m_busySlotCount > 0 && goesOn() && m_eventQueue.runNext(end)) {}
    m_isFinishing = true;
    for (const auto& slot : m_slots) {
        if (!goesOn()) {
            return;
        }
        slot->life->finish();
    }
    while (m_busySlotCount > 0 && goesOn() && m_eventQueue.runNext(end + kFinishPatience)) {}
}

trace::RunStatistics ModelRun::statistics() const
{
    // Threads are ahead of each other by fractions of a millisecond.
    std::vector<trace::Event> events(m_log.events().begin(), m_log.events().end());
    std::ranges::stable_sort(events, {}, &trace::Event::at);
    trace::StatisticsCollector collector(m_scenario.contenderCount, m_scenario.permits);
    for (const trace::Event& event : events) {
        collector.see(event);
    }
    for (const auto& slot : m_slots) {
        collector.addCommands(slot->client->commandCount());
    }
    collector.setElapsed(m_scenario.duration);
    return collector.statistics();
}

Prediction ModelRun::result() const
{
    const std::chrono::duration<double> elapsed = m_eventQueue.now().time_since_epoch();
    const auto loadOf = [elapsed](Work busy) {
        return elapsed.count() > 0 ? std::chrono::duration<double>(busy) / elapsed : 0.0;
    };
    Prediction prediction;
    prediction.statistics = statistics();
    for (const auto& server : m_servers) {
        prediction.serverLoad = std::max(prediction.serverLoad, loadOf(server->busyTime()));
    }
    for (const auto& thread : m_threads) {
        prediction.driverLoad = std::max(prediction.driverLoad, loadOf(thread->driver.busyTime()));
    }
    return prediction;
}

} // namespace

Prediction predict(const protocol::LockProtocol& protocol, const workload::Scenario& scenario,
                   const Costs& costs, int serverCount, const std::function<bool()>& goOn)
{
    ModelRun run(protocol, scenario, costs, serverCount, goOn);
    run.run();
    return run.wasStopped() ? Prediction() : run.result();
}

std::string predictionCaveat()
{
    return KernelText::tr("Predicted with the costs of a small virtual machine, server and clients "
                          "on it. Nothing was run, and no promise was tested.");
}

} // namespace lockscope::contention
