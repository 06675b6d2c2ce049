// P1: list and decode 100,000 locks among 1,000,000 keys, against the floor (scan_floor) in the
// same run. `bench_scan cluster`: the same of a cluster of three masters.

#include "core/wire/connection/server_connections.h"
#include "core/wire/loop_clock.h"
#include "core/wire/loop_executor.h"
#include "tests/bench/bench_servers.h"
#include "tests/bench/one_sweep.h"
#include "tests/support/live/plain_client.h"

#include <QCoreApplication>
#include <QProcess>

#include <algorithm>
#include <cstdio>
#include <map>
#include <string>
#include <vector>

using namespace lockscope;
using bench::Measured;

namespace {

constexpr int kKeys = 900'000;
constexpr int kTokenLocks = 80'000;
constexpr int kHashLocks = 20'000;
constexpr int kRounds = 5;
constexpr std::size_t kCommandsPerBatch = 5000;

using store::Command;
using store::Outcome;

std::string hexToken(int i)
{
    char token[33];
    Rng rng(static_cast<std::uint64_t>(i));
    std::snprintf(token, sizeof(token), "%016llx%016llx",
                  static_cast<unsigned long long>(rng.next()),
                  static_cast<unsigned long long>(rng.next()));
    return token;
}

std::string redissonField(int i)
{
    char field[64];
    std::snprintf(field, sizeof(field), "5f0c%04x-1111-4111-8111-%012x:%d", i & 0xffff, i, i % 200);
    return field;
}

/// Keys that are no locks, and in a cluster lie where DEBUG POPULATE puts them.
void populatePlainKeys(const std::vector<store::Endpoint>& nodes)
{
    for (const store::Endpoint& node : nodes) {
        testing::PlainClient client(node);
        client("DEBUG", "POPULATE", kKeys / static_cast<int>(nodes.size()), "data", 32);
    }
}

async::Task<void> populateLocks(store::Store& store)
{
    std::vector<Command> batch;
    for (int i = 0; i < kTokenLocks + kHashLocks; ++i) {
        const std::string key = "lock:order:" + std::to_string(i);
        if (i < kTokenLocks) {
            batch.emplace_back("SET", key, hexToken(i), "PX", 3'600'000);
        } else {
            batch.emplace_back("HSET", key, redissonField(i), 1);
            batch.emplace_back("PEXPIRE", key, 3'600'000);
        }
        if (batch.size() >= kCommandsPerBatch) {
            std::vector<Command> full = std::exchange(batch, {});
            co_await store.submitAll(std::move(full));
        }
    }
    co_await store.submitAll(std::move(batch));
}

/// One server after the other, as a sweep of a cluster goes.
Measured runFloor(const std::vector<store::Endpoint>& nodes)
{
    Measured sum;
    for (const store::Endpoint& node : nodes) {
        QProcess floor;
        floor.start(bench::floorProgram(), {bench::floorAddress(node)});
        floor.waitForFinished(-1);
        const Measured one = bench::floorResult(floor);
        sum.lockCount += one.lockCount;
        sum.seconds += one.seconds;
    }
    return sum;
}

/// The server's own histogram of one command: the bucket (in microseconds, powers of two) that
/// holds p99.
std::int64_t p99Micros(const store::Reply& histogram)
{
    const store::Reply::Array& details = *histogram.array(); // calls n histogram_usec [bucket count
                                                             // …]
    const std::int64_t calls = *details[1].integer();
    const store::Reply::Array& buckets = *details[3].array();
    for (std::size_t i = 0; i + 1 < buckets.size(); i += 2) {
        if (*buckets[i + 1].integer() * 100 >= calls * 99) {
            return *buckets[i].integer();
        }
    }
    return -1;
}

async::Task<void> printServerTimes(store::Store& store)
{
    Command command("LATENCY", "HISTOGRAM");
    const Outcome outcome = co_await store.submit(std::move(command));
    const store::Reply::Array& commands = *replyOf(outcome)->array();
    for (std::size_t i = 0; i + 1 < commands.size(); i += 2) {
        std::printf("P1   server time of %-14s p99 <= %6lld us\n", commands[i].text()->c_str(),
                    static_cast<long long>(p99Micros(commands[i + 1])));
    }
}

async::Task<void> measure(async::Executor& executor, store::Store& store, Clock& clock,
                          const bench::BenchServers& servers)
{
    co_await store.whenSettled();
    populatePlainKeys(servers.nodes());
    co_await populateLocks(store);
    std::vector<double> floors;
    std::vector<double> ours;
    for (int round = 0; round < kRounds; ++round) {
        const Measured floor = runFloor(servers.nodes());
        Command reset("CONFIG", "RESETSTAT");
        co_await store.submit(std::move(reset));
        const Measured mine = co_await bench::sweepOnce(executor, store, clock);
        std::printf("P1 round %d: floor %.3f s (%zu locks), ours %.3f s (%zu locks), ratio %.2f\n",
                    round + 1, floor.seconds, floor.lockCount, mine.seconds, mine.lockCount,
                    mine.seconds / floor.seconds);
        floors.push_back(floor.seconds);
        ours.push_back(mine.seconds);
    }
    std::sort(floors.begin(), floors.end());
    std::sort(ours.begin(), ours.end());
    std::printf("P1 %s, median: floor %.3f s, ours %.3f s, ratio %.2f (goal <= 1.25)\n",
                servers.name(), floors[kRounds / 2], ours[kRounds / 2],
                ours[kRounds / 2] / floors[kRounds / 2]);
    if (!servers.isCluster()) {
        co_await printServerTimes(store);
    }
    QCoreApplication::quit();
}

} // namespace

int main(int argc, char** argv)
{
    QCoreApplication app(argc, argv);
    std::setvbuf(stdout, nullptr, _IOLBF, 0);
    const bench::BenchServers servers(argc, argv,
                                      {QStringLiteral("--enable-debug-command"),
                                       QStringLiteral("yes")});
    wire::LoopExecutor executor;
    wire::LoopClock clock;
    store::Endpoint endpoint = servers.endpoint();
    endpoint.requestTimeout = std::chrono::minutes(2);
    wire::ServerConnections connections(executor, clock, Rng(1));
    connections.setEndpoints({endpoint});
    const async::BackgroundTask task(executor,
                                     measure(executor, connections.store(0), clock, servers));
    return QCoreApplication::exec();
}
