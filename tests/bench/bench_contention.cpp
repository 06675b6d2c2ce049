// The contention model beside live runs of the same scenarios: what it predicts from the costs of
// single commands, and what a private server and the contenders of the live runner really do.

#include "core/kernel/contention/prediction.h"
#include "core/kernel/protocol/catalogue.h"
#include "core/wire/run/private_server.h"
#include "tests/bench/contend/calibration.h"
#include "tests/bench/contend/live_run.h"

#include <QCoreApplication>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <string>
#include <utility>
#include <vector>

using namespace lockscope;
using namespace std::chrono_literals;
using protocol::Retry;
using trace::RunStatistics;

namespace {

constexpr Duration kRunFor = 3s;
constexpr int kRuns = 3; // of which the middle one counts
constexpr double kRatioGoal = 0.15;
constexpr double kFairnessGoal = 0.1;

struct Strategy {
    const char* name;
    const char* protocolId;
    Retry retry;
};

std::vector<Strategy> strategies()
{
    Retry fixed;
    fixed.interval = 10ms;
    Retry jittered; // 10 ms ± 50 %
    jittered.interval = 5ms;
    jittered.jitter = 10ms;
    Retry backoff;
    backoff.kind = Retry::Kind::Exponential;
    backoff.interval = 1ms;
    backoff.intervalMax = 64ms;
    return {{"poll 10 ms", "set-nx-px-token", fixed},
            {"poll 10 ms +- 50 %", "set-nx-px-token", jittered},
            {"backoff <= 64 ms", "set-nx-px-token", backoff},
            {"list-handoff", "list-handoff", {}},
            {"redisson-lock", "redisson-lock", {}}};
}

workload::LiveRunOrder orderFor(const Strategy& strategy, int contenderCount, std::uint64_t seed)
{
    const protocol::LockProtocol* const found = protocol::findProtocol(strategy.protocolId);
    workload::LiveRunOrder order;
    order.protocol = {found, [](const protocol::LockProtocol*) {}};
    order.scenario = workload::Scenario::withDefaults(found->info());
    order.scenario.contenderCount = contenderCount;
    order.scenario.think = workload::Distribution::exponential(20ms);
    order.scenario.hold = workload::Distribution::constant(1ms);
    order.scenario.retry = strategy.retry;
    order.scenario.duration = kRunFor;
    order.scenario.seed = seed;
    return order;
}

/// One strategy with so many contenders: predicted and measured.
struct Row {
    int contenderCount = 0;
    Strategy strategy;
    contention::Costs costs;                       // the last ones
    std::vector<contention::Prediction> predicted; // by their rates, and so are the runs
    std::vector<bench::LiveRun> live;

    const contention::Prediction& prediction() const { return predicted[predicted.size() / 2]; }
    const bench::LiveRun& measured() const { return live[live.size() / 2]; }
};

double ratioOf(double predicted, double measured)
{
    return measured > 0 ? predicted / measured : 0;
}

bool isNear(double ratio)
{
    return std::abs(ratio - 1) <= kRatioGoal;
}

double rateOf(const trace::RunStatistics& statistics)
{
    return statistics.acquisitionsPerSecond();
}

/// The costs are measured anew for each run: a machine that others use as well is faster now and
/// slower then.
std::optional<Row> measure(const Strategy& strategy, int contenderCount,
                           const wire::PrivateServer& server)
{
    Row row{contenderCount, strategy, {}, {}, {}};
    for (std::uint64_t seed = 1; seed <= kRuns; ++seed) {
        const auto costs = bench::calibrate(contenderCount);
        const workload::LiveRunOrder order = orderFor(strategy, contenderCount, seed);
        auto run = bench::runLive(order, server);
        if (!costs || !run) {
            return std::nullopt;
        }
        row.costs = *costs;
        row.live.push_back(std::move(*run));
        row.predicted.push_back(contention::predict(*order.protocol, order.scenario, *costs));
    }
    const auto byRate = [](const auto& one) { return rateOf(one.statistics); };
    std::ranges::sort(row.live, {}, byRate);
    std::ranges::sort(row.predicted, {}, byRate);
    return row;
}

/// Predicted stands before measured; a "!" says that they are further apart than the goal.
void printHead()
{
    std::printf("%4s  %-18s %15s %15s %-6s  %-18s  %-19s  %-9s  %-9s  %-9s  %s\n", "", "",
                "acquisitions/s", "measured", " ratio", "commands/acq ratio", "   Jain  difference",
                "  hold ms", "   server", "   driver", "waited");
}

std::string withSpread(const auto& runs)
{
    std::array<char, 40> text{};
    std::snprintf(text.data(), text.size(), "%.0f (%.0f-%.0f)",
                  rateOf(runs[runs.size() / 2].statistics), rateOf(runs.front().statistics),
                  rateOf(runs.back().statistics));
    return text.data();
}

/// How long the 1 ms is for which each contender holds the lock.
double medianHoldMs(const RunStatistics& statistics)
{
    return std::chrono::duration<double, std::milli>(statistics.hold.quantile(0.5)).count();
}

const char* verdict(bool isMet)
{
    return isMet ? "" : "!";
}

void print(const Row& row)
{
    const RunStatistics& predicted = row.prediction().statistics;
    const bench::LiveRun& live = row.measured();
    const RunStatistics& measured = live.statistics;
    const double rate = ratioOf(rateOf(predicted), rateOf(measured));
    const double commands = ratioOf(predicted.commandsPerAcquisition(),
                                    measured.commandsPerAcquisition());
    const double fairness = predicted.jainFairness() - measured.jainFairness();
    std::printf("%4d  %-18s %15s %15s %5.2f%-1s  %5.1f %5.1f %5.2f%-1s  %5.3f %5.3f %+6.3f%-1s  "
                "%4.2f %4.2f  %4.2f %4.2f  %4.2f %4.2f  %4.2f\n",
                row.contenderCount, row.strategy.name, withSpread(row.predicted).c_str(),
                withSpread(row.live).c_str(), rate, verdict(isNear(rate)),
                predicted.commandsPerAcquisition(), measured.commandsPerAcquisition(), commands,
                verdict(isNear(commands)), predicted.jainFairness(), measured.jainFairness(),
                fairness, verdict(std::abs(fairness) <= kFairnessGoal), medianHoldMs(predicted),
                medianHoldMs(measured), row.prediction().serverLoad, live.loadOf(live.server),
                row.prediction().driverLoad, live.loadOf(live.driver), live.waitedShare());
}

double inMicroseconds(contention::Work work)
{
    return std::chrono::duration<double, std::micro>(work).count();
}

/// In microseconds.
void print(const contention::Costs& costs)
{
    std::printf("      server: command %.1f, delivery %.1f, scripts",
                inMicroseconds(costs.server.plain), inMicroseconds(costs.server.delivery));
    for (const auto& [digest, work] : costs.server.scripts) {
        std::printf(" %.4s %.1f", digest.c_str(), inMicroseconds(work));
    }
    std::printf("\n      driver: round %.1f, send %.1f, rouse %.1f, receive %.1f, step %.2f, sleep "
                "%.2f; cold x %.1f; "
                "woken after",
                inMicroseconds(costs.driver.turn), inMicroseconds(costs.driver.send),
                inMicroseconds(costs.rouse), inMicroseconds(costs.driver.receive),
                inMicroseconds(costs.driver.step), inMicroseconds(costs.driver.sleep),
                costs.coldFactor);
    for (const contention::Costs::WakeUp& one : costs.wakeUps) {
        std::printf(" %.0f: message %.0f timer %.0f", inMicroseconds(one.asleepFor),
                    inMicroseconds(one.byMessage), inMicroseconds(one.byTimer));
    }
    std::printf("\n");
}

/// As the command line says, or those of docs/contention-model.md.
std::vector<int> contenderCounts()
{
    std::vector<int> counts;
    for (const QString& word : QCoreApplication::arguments().mid(1)) {
        counts.push_back(std::max(word.toInt(), 1));
    }
    return counts.empty() ? std::vector<int>{10, 100, 500} : counts;
}

/// Of all pairs of strategies: whether the one that is faster live is also said to be. Pairs that
/// are nearer to each other than the goal may stand either way.
void printRanking(const std::vector<Row>& rows)
{
    int pairCount = 0;
    int agreedCount = 0;
    for (auto a = rows.begin(); a != rows.end(); ++a) {
        for (auto b = a + 1; b != rows.end(); ++b) {
            const double measured = ratioOf(rateOf(a->measured().statistics),
                                            rateOf(b->measured().statistics));
            const double predicted = ratioOf(rateOf(a->prediction().statistics),
                                             rateOf(b->prediction().statistics));
            ++pairCount;
            agreedCount += isNear(measured) || (measured > 1) == (predicted > 1) ? 1 : 0;
        }
    }
    std::printf("      ranking by rate: %d of %d pairs as measured\n", agreedCount, pairCount);
}

bool printTable(int contenderCount)
{
    wire::PrivateServer server;
    server.start();
    if (!server.waitUntilReady()) {
        return false;
    }
    printHead();
    std::vector<Row> rows;
    for (const Strategy& strategy : strategies()) {
        auto row = measure(strategy, contenderCount, server);
        if (!row) {
            return false;
        }
        print(*row);
        print(row->costs);
        rows.push_back(std::move(*row));
    }
    printRanking(rows);
    return true;
}

} // namespace

int main(int argc, char** argv)
{
    const QCoreApplication application(argc, argv);
    std::setvbuf(stdout, nullptr, _IOLBF, 0);
    for (const int contenderCount : contenderCounts()) {
        if (!printTable(contenderCount)) {
            std::fprintf(stderr, "bench_contention: redis-server does not start\n");
            return 1;
        }
    }
    return 0;
}
