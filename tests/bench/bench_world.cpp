// P4: the simulated world on one core, checkers and event log on. Beside it, in the same run, the
// floor: a loop that gives the same commands and scripts to the same server, and nothing else.

#include "core/kernel/base/content_hash.h"
#include "core/kernel/contention/prediction.h"
#include "core/kernel/protocol/catalogue.h"
#include "core/kernel/search/cell.h"
#include "core/kernel/search/default_plans.h"
#include "core/kernel/search/rewindable_world.h"
#include "core/kernel/world/fault_info.h"
#include "protocol_scripts.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

using namespace lockscope;
using namespace std::chrono_literals;
using search::Bounds;
using search::Coverage;
using world::Act;
using world::FaultKind;
using world::WorldPlan;

namespace {

constexpr double kSchedulesGoal = 250e3;
constexpr double kStatesGoal = 500e3;
constexpr double kMatrixGoal = 3.5;
constexpr double kDeepMatrixGoal = 7;
constexpr double kFirstFindingGoalMs = 10;
constexpr double kPredictionGoal = 1;
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
template<class Stage>
void runThrough(Stage& world)
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
    std::printf("  %-52s %12.0f commands/s\n", "floor: a bare loop of the same commands",
                floorCommands(lua));
    sim::LuaEngine computing(sim::LuaEngine::Answers::Computed);
    std::printf("  %-52s %12.0f commands/s\n\n", "the same, asking Lua every time",
                floorCommands(computing));
}

/// Without a goal: callgrind counts what a command takes (count_instructions.py).
void measureCommands(sim::LuaEngine& lua)
{
    const protocol::LockProtocol& protocol = *protocol::findProtocol("set-nx-px-token");
    const WorldPlan plan = longLife(4);
    const std::unique_ptr<Arena> arena = Arena::take();
    search::RewindableWorld stage({protocol, plan, lua}, arena.get());
    const double begin = processorSeconds();
    int commands = 0;
    for (int i = 0; i < 10; ++i) {
        stage.putBackToBeginning();
        runThrough(stage);
        commands += stage.world().commandCount();
    }
    std::printf("  %-52s %12.0f commands/s\n", "commands, four clients over many rounds",
                commands / (processorSeconds() - begin));
    std::printf("    (%d commands)\n", commands);
}

/// As the first of a random search: each run begins in a world that is put back to its beginning.
void measureSchedules(sim::LuaEngine& lua)
{
    const protocol::LockProtocol& protocol = *protocol::findProtocol("set-nx-px-token");
    const WorldPlan plan = twoClients();
    constexpr int kRuns = 50'000;
    const std::unique_ptr<Arena> arena = Arena::take();
    search::RewindableWorld stage({protocol, plan, lua}, arena.get());
    const double begin = processorSeconds();
    int commands = 0;
    for (int i = 0; i < kRuns; ++i) {
        stage.putBackToBeginning();
        runThrough(stage);
        commands += stage.world().commandCount();
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

/// Whatever a search says, so that two ways to search can be seen to say the same.
void addTo(ContentHash& hash, const search::Exploration& exploration)
{
    for (const search::Finding& finding : exploration.findings) {
        hash.add(idOf(finding.violation.kind));
        hash.add(finding.length);
        for (const world::Step& step : finding.steps) {
            hash.add(toText(step));
        }
    }
    const Coverage& coverage = exploration.coverage;
    hash.add(coverage.schedules);
    hash.add(coverage.states);
    hash.add(coverage.commands);
    hash.add(coverage.longest);
    hash.add(coverage.isComplete);
    hash.add(coverage.virtualTime.count());
}

/// How the matrix is searched, and how long that may take.
struct MatrixSearch {
    std::uint64_t schedulesMax;
    double secondsGoal;
    std::optional<std::size_t> imageBytesMax{}; // as of the explorer
    const char* how = "";
};

/// Every default plan of every cell, one after the other.
void measureMatrixBy(const MatrixSearch& search, sim::LuaEngine& lua)
{
    Bounds bounds;
    bounds.schedulesMax = search.schedulesMax;
    Coverage coverage;
    ContentHash hash;
    int planCount = 0;
    int completeCount = 0;
    const double begin = processorSeconds();
    for (const protocol::LockProtocol* const protocol : protocol::builtinProtocols()) {
        for (const world::FaultInfo& fault : world::allFaults()) {
            for (const WorldPlan& plan : search::plansFor(protocol->info(), fault.kind)) {
                search::Explorer::Setting setting{*protocol, plan, lua, bounds};
                setting.imageBytesMax = search.imageBytesMax;
                const auto exploration = search::Explorer(setting).run();
                coverage.add(exploration.coverage);
                addTo(hash, exploration);
                ++planCount;
                completeCount += exploration.coverage.isComplete ? 1 : 0;
            }
        }
    }
    const double seconds = processorSeconds() - begin;
    const std::string what = "whole matrix, " + std::to_string(search.schedulesMax)
                             + " schedules a plan" + search.how;
    std::printf("  %-52s %12.2f %-14s goal %10.1f  %5.2f x\n", what.c_str(), seconds, "s",
                search.secondsGoal, seconds / search.secondsGoal);
    print("  different states in it", static_cast<double>(coverage.states) / seconds, kStatesGoal,
          "states/s");
    std::printf(
        "    (%llu states by %llu schedules; %d of %d plans to their end; digest %016llx)\n",
        static_cast<unsigned long long>(coverage.states),
        static_cast<unsigned long long>(coverage.schedules), completeCount, planCount,
        static_cast<unsigned long long>(hash.value()));
}

void measureMatrix(sim::LuaEngine& lua)
{
    measureMatrixBy({3000, kMatrixGoal}, lua);
}

/// With the same results (the digest), by repeating the beginning of each run and asking Lua.
void measureReplayedMatrix(sim::LuaEngine&)
{
    sim::LuaEngine computing(sim::LuaEngine::Answers::Computed);
    measureMatrixBy({3000, kMatrixGoal, 0, ", replayed"}, computing);
}

void measureDeepMatrix(sim::LuaEngine& lua)
{
    measureMatrixBy({30'000, kDeepMatrixGoal}, lua);
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

void measurePrediction(sim::LuaEngine&)
{
    const protocol::LockProtocol& protocol = *protocol::findProtocol("redisson-lock");
    workload::Scenario scenario = workload::Scenario::withDefaults(protocol.info());
    scenario.contenderCount = 500;
    scenario.duration = 3s;
    const double begin = processorSeconds();
    const contention::Prediction prediction = contention::predict(protocol, scenario, {});
    const double seconds = processorSeconds() - begin;
    std::printf("  %-52s %12.2f %-14s goal %10.0f  %5.2f x\n",
                "prediction of 500 waiters of Redisson for 3 s", seconds, "s", kPredictionGoal,
                seconds / kPredictionGoal);
    std::printf("    (%llu acquisitions)\n",
                static_cast<unsigned long long>(prediction.statistics.acquisitions));
}

struct Part {
    std::string_view name;
    void (*measure)(sim::LuaEngine& lua);
    bool isAlwaysMeasured = true; // false: only when it is named
};

constexpr Part kParts[] = {
    {"floor", measureFloor},
    {"commands", measureCommands},
    {"schedules", measureSchedules},
    {"states", measureStates},
    {"matrix", measureMatrix},
    {"deep", measureDeepMatrix},
    {"predict", measurePrediction},
    {"first", measureFirstFinding},
    {"replayed", measureReplayedMatrix, false},
};

} // namespace

/// Measures everything, or the parts that are named.
int main(int argc, char** argv)
{
    const std::vector<std::string_view> wanted(argv + 1, argv + argc);
    sim::LuaEngine lua;
    std::printf("P4: the simulated world, one core, by processor time\n\n");
    for (const Part& part : kParts) {
        if (wanted.empty() ? part.isAlwaysMeasured
                           : std::ranges::find(wanted, part.name) != wanted.end()) {
            part.measure(lua);
        }
    }
    return 0;
}
