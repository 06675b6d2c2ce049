// P4: the simulated world on one core, checkers and event log on. Beside it, in the same run, the
// floor: a loop that gives the same commands and scripts to the same server, and nothing else.

#include "core/kernel/protocol/catalogue.h"
#include "core/kernel/search/cell.h"
#include "core/kernel/search/default_plans.h"
#include "protocol_scripts.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <string>
#include <string_view>
#include <vector>

using namespace lockscope;
using namespace std::chrono_literals;
using search::Bounds;
using search::Coverage;
using world::Act;
using world::FaultKind;
using world::World;
using world::WorldPlan;

namespace {

constexpr double kCommandsGoal = 5e6;
constexpr double kSchedulesGoal = 500e3;
constexpr double kStatesGoal = 300e3;
constexpr double kFirstFindingGoalMs = 100;
constexpr double kTimeRatioGoal = 10'000;
/// As of the matrix: what has no counterexample within that is not waited for.
constexpr Bounds kCellBounds{3000};

/// Of this thread alone, so that other programs count as little as possible.
double processorSeconds()
{
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) / 1e9;
}

void print(const char* what, double value, double goal, const char* unit)
{
    std::printf("  %-52s %12.0f %-14s goal %10.0f  %5.2f x\n", what, value, unit, goal,
                value / goal);
}

std::vector<Act> oneRound()
{
    return {Act::acquire(10s), Act::work(4s), Act::release()};
}

WorldPlan twoClients()
{
    WorldPlan plan;
    plan.clients.resize(2);
    for (world::ClientPlan& client : plan.clients) {
        client.acts = oneRound();
    }
    return plan;
}

/// Many rounds, so that making the world does not count.
WorldPlan longLife(int clientCount)
{
    WorldPlan plan;
    plan.retryPause = 100ms;
    plan.triesMax = 1'000'000;
    plan.horizon = 24h;
    plan.clients.resize(static_cast<std::size_t>(clientCount));
    for (world::ClientPlan& client : plan.clients) {
        for (int round = 0; round < 400; ++round) {
            for (const Act& act : {Act::acquire(10s), Act::work(20ms), Act::release()}) {
                client.acts.push_back(act);
            }
        }
    }
    return plan;
}

/// The first possible step, always.
void runThrough(World& world)
{
    while (true) {
        const auto steps = world.steps();
        if (steps.empty()) {
            return;
        }
        const world::Step step = steps.front();
        world.takeKnownStep(step);
    }
}

/// Lock and unlock pairs without clients, clocks or checkers.
double floorCommands(sim::LuaEngine& lua)
{
    sim::SimServer server(lua);
    const sim::SessionId session = server.connect();
    const sim::ServerTime now{std::chrono::hours(480'000)};
    const store::Script& script = protocol::scripts::kDeleteIfEqual;
    server.run(session, store::Command("SCRIPT", "LOAD", script.text), now);
    constexpr int kPairs = 200'000;
    const double begin = processorSeconds();
    for (int i = 0; i < kPairs; ++i) {
        const store::Command take("SET", "k", "04ffe819-9ea4-4afe-8c42-df3843ff73f1", "NX", "PX",
                                  10'000);
        server.run(session, take, now);
        const store::Command give("EVALSHA", script.digest, 1, "k",
                                  "04ffe819-9ea4-4afe-8c42-df3843ff73f1");
        server.run(session, give, now);
    }
    return 2 * kPairs / (processorSeconds() - begin);
}

void measureFloor(sim::LuaEngine& lua)
{
    std::printf("  %-52s %12.0f commands/s\n\n", "floor: a bare loop of the same commands",
                floorCommands(lua));
}

void measureCommands(sim::LuaEngine& lua)
{
    const protocol::LockProtocol& protocol = *protocol::findProtocol("set-nx-px-token");
    const WorldPlan plan = longLife(4);
    const double begin = processorSeconds();
    int commands = 0;
    for (int i = 0; i < 10; ++i) {
        World world(protocol, plan, lua);
        runThrough(world);
        commands += world.commandCount();
    }
    print("commands, four clients over many rounds", commands / (processorSeconds() - begin),
          kCommandsGoal, "commands/s");
}

void measureSchedules(sim::LuaEngine& lua)
{
    const protocol::LockProtocol& protocol = *protocol::findProtocol("set-nx-px-token");
    const WorldPlan plan = twoClients();
    constexpr int kRuns = 50'000;
    const double begin = processorSeconds();
    int commands = 0;
    for (int i = 0; i < kRuns; ++i) {
        World world(protocol, plan, lua);
        runThrough(world);
        commands += world.commandCount();
    }
    print("fresh worlds of two clients, each to its end", kRuns / (processorSeconds() - begin),
          kSchedulesGoal, "schedules/s");
    std::printf("    (of %d commands each)\n", commands / kRuns);
}

void measureStates(sim::LuaEngine& lua)
{
    Coverage coverage;
    const double begin = processorSeconds();
    for (const char* const id : {"set-nx-px-token", "setnx-getset", "bounded-watchdog"}) {
        const protocol::LockProtocol& protocol = *protocol::findProtocol(id);
        for (const FaultKind fault : {FaultKind::Pause, FaultKind::Partition, FaultKind::Crash}) {
            const auto plans = search::defaultPlans(protocol.info(), fault);
            coverage.add(searchPlans(protocol, plans, lua, Bounds{}).coverage);
        }
    }
    const double seconds = processorSeconds() - begin;
    print("different states in systematic search", static_cast<double>(coverage.states) / seconds,
          kStatesGoal, "states/s");
    std::printf("    (%llu states by %llu schedules and %llu commands)\n",
                static_cast<unsigned long long>(coverage.states),
                static_cast<unsigned long long>(coverage.schedules),
                static_cast<unsigned long long>(coverage.commands));
}

struct FirstFinding {
    double seconds = 0;
    std::string cell;
};

/// The time that the slowest cell with a violation takes to the first one.
FirstFinding slowestFirstFinding(sim::LuaEngine& lua)
{
    FirstFinding slowest;
    for (const protocol::LockProtocol* const protocol : protocol::builtinProtocols()) {
        for (int i = 0; i < static_cast<int>(FaultKind::FaultKindCount); ++i) {
            const auto fault = static_cast<FaultKind>(i);
            if (!search::isApplicable(fault, protocol->info())) {
                continue;
            }
            const auto plans = search::defaultPlans(protocol->info(), fault);
            const double begin = processorSeconds();
            const bool isFound = search::findSoon(*protocol, plans, lua, kCellBounds).has_value();
            const double seconds = processorSeconds() - begin;
            if (isFound && seconds > slowest.seconds) {
                slowest = {seconds, protocol->info().id + " under " + std::string(idOf(fault))};
            }
        }
    }
    return slowest;
}

void measureFirstFinding(sim::LuaEngine& lua)
{
    const FirstFinding slowest = slowestFirstFinding(lua);
    std::printf("  %-52s %12.1f %-14s goal %10.0f  %5.2f x\n",
                "first counterexample, the slowest cell that has one", slowest.seconds * 1000, "ms",
                kFirstFindingGoalMs, slowest.seconds * 1000 / kFirstFindingGoalMs);
    std::printf("    (%s)\n", slowest.cell.c_str());
}

void measureTime(sim::LuaEngine& lua)
{
    const protocol::LockProtocol& protocol = *protocol::findProtocol("set-nx-px-token");
    const WorldPlan plan = longLife(16);
    const double begin = processorSeconds();
    World world(protocol, plan, lua);
    runThrough(world);
    const double simulated = static_cast<double>(world.elapsed().count()) / 1e6;
    print("virtual time, sixteen clients that contend", simulated / (processorSeconds() - begin),
          kTimeRatioGoal, "x real time");
    std::printf("    (of %.0f commands a second)\n", world.commandCount() / simulated);
}

struct Part {
    std::string_view name;
    void (*measure)(sim::LuaEngine& lua);
};

constexpr Part kParts[] = {
    {"floor", measureFloor},   {"commands", measureCommands}, {"schedules", measureSchedules},
    {"states", measureStates}, {"time", measureTime},         {"first", measureFirstFinding},
};

} // namespace

/// Measures everything, or the parts that are named.
int main(int argc, char** argv)
{
    const std::vector<std::string_view> wanted(argv + 1, argv + argc);
    sim::LuaEngine lua;
    std::printf("P4: the simulated world, one core, by processor time\n\n");
    for (const Part& part : kParts) {
        if (wanted.empty() || std::ranges::find(wanted, part.name) != wanted.end()) {
            part.measure(lua);
        }
    }
    return 0;
}
