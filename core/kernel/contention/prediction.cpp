#include "contention/prediction.h"

#include "async/task.h"
#include "contention/model_client.h"
#include "protocol/contender.h"
#include "sim/lua_engine.h"
#include "trace/event_log.h"
#include "workload/contender_life.h"
#include "workload/process.h"
#include "workload/shared_page.h"

#include <algorithm>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

namespace lockscope::contention {

namespace {

/// As the live run does it: see ContentionWorker.
constexpr Duration kRestartAfter = std::chrono::milliseconds(50);
constexpr Duration kFinishPatience = std::chrono::seconds(2);

/// One pretended client program.
struct Seat {
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
             const Costs& costs, int serverCount);

    void run();
    Prediction result() const;

private:
    void seatCrew(ModelThread& thread, int count, Rng rng);
    void incarnate(Seat& seat);
    async::Task<void> supervise(Seat& seat);
    trace::RunStatistics statistics() const;

    const protocol::LockProtocol& m_protocol;
    const workload::Scenario& m_scenario;
    const Costs& m_costs;
    Agenda m_agenda;
    sim::LuaEngine m_lua;
    ModelClient::Servers m_servers;
    std::vector<std::unique_ptr<ModelThread>> m_threads;
    workload::SharedPage m_page;
    trace::EventLog m_log{std::numeric_limits<std::size_t>::max()};
    std::vector<std::unique_ptr<Seat>> m_seats;
    std::size_t m_busySeatCount = 0;
    bool m_isFinishing = false;
};

ModelRun::ModelRun(const protocol::LockProtocol& protocol, const workload::Scenario& scenario,
                   const Costs& costs, int serverCount)
    : m_protocol(protocol),
      m_scenario(scenario),
      m_costs(costs),
      m_page(scenario.keyCount, scenario.permits)
{
    for (int i = 0; i < serverCount; ++i) {
        m_servers.push_back(std::make_unique<ModelServer>(m_agenda, m_costs, m_lua));
    }
    const int threadCount = std::clamp(m_costs.driver.threadCount, 1, scenario.contenderCount);
    Rng rng(scenario.seed);
    for (int i = 0; i < threadCount; ++i) {
        m_threads.push_back(std::make_unique<ModelThread>(m_agenda, m_costs, m_servers));
        const int left = scenario.contenderCount - static_cast<int>(m_seats.size());
        seatCrew(*m_threads.back(), left / (threadCount - i), rng.split());
    }
}

void ModelRun::seatCrew(ModelThread& thread, int count, Rng rng)
{
    for (int i = 0; i < count; ++i) {
        auto seat = std::make_unique<Seat>();
        seat->id = static_cast<trace::ContenderId>(m_seats.size());
        seat->rng = rng.split();
        seat->client = std::make_unique<ModelClient>(thread, m_servers);
        seat->process = std::make_unique<workload::Process>(thread.driver, seat->client->clock());
        incarnate(*seat);
        m_seats.push_back(std::move(seat));
    }
}

void ModelRun::incarnate(Seat& seat)
{
    seat.life.reset();
    seat.contender.reset();
    seat.memory = m_protocol.makeMemory();
    protocol::Surroundings surroundings{seat.client->nodes(), seat.process->executor(),
                                        seat.client->clock(), m_log};
    const protocol::Identity identity{protocol::randomUuid(seat.rng), ++seat.incarnation};
    seat.contender = std::make_unique<protocol::Contender>(std::move(surroundings), identity,
                                                           seat.id, seat.rng.split(), *seat.memory);
    const workload::ContenderLife::Setting setting{m_protocol, m_scenario, m_page, *seat.process};
    seat.life = std::make_unique<workload::ContenderLife>(setting, *seat.contender);
}

async::Task<void> ModelRun::supervise(Seat& seat)
{
    while (true) {
        const workload::LifeEnd end = co_await seat.life->run();
        if (end == workload::LifeEnd::Finished || m_isFinishing) {
            break;
        }
        seat.client->crash();
        co_await seat.client->wakeAt(seat.client->now() + kRestartAfter);
        if (m_isFinishing) {
            break;
        }
        incarnate(seat);
    }
    --m_busySeatCount;
}

void ModelRun::run()
{
    m_busySeatCount = m_seats.size();
    for (const auto& seat : m_seats) {
        seat->supervisor = async::BackgroundTask(seat->process->executor(), supervise(*seat));
    }
    const Moment end(m_scenario.duration);
    while (m_busySeatCount > 0 && m_agenda.runNext(end)) {} // a draw may be over earlier
    m_isFinishing = true;
    for (const auto& seat : m_seats) {
        seat->life->finish();
    }
    while (m_busySeatCount > 0 && m_agenda.runNext(end + kFinishPatience)) {}
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
    for (const auto& seat : m_seats) {
        collector.addCommands(seat->client->commandCount());
    }
    collector.setElapsed(m_scenario.duration);
    return collector.statistics();
}

Prediction ModelRun::result() const
{
    const std::chrono::duration<double> elapsed = m_agenda.now().time_since_epoch();
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
                   const Costs& costs, int serverCount)
{
    ModelRun run(protocol, scenario, costs, serverCount);
    run.run();
    return run.result();
}

} // namespace lockscope::contention
