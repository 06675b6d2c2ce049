// P1: list and decode 100,000 locks among 1,000,000 keys, against the floor (scan_floor) in the
// same run.

#include "core/kernel/inspect/watch/lock_book.h"
#include "core/kernel/inspect/watch/sweep.h"
#include "core/wire/connection/connection.h"
#include "core/wire/loop_clock.h"
#include "core/wire/loop_executor.h"
#include "core/wire/run/private_server.h"

#include <QCoreApplication>
#include <QProcess>

#include <algorithm>
#include <cstdio>
#include <map>
#include <string>
#include <vector>

using namespace lockscope;

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

async::Task<void> populate(store::Store& store)
{
    Command plainKeys("DEBUG", "POPULATE", kKeys, "data", 32);
    co_await store.submit(std::move(plainKeys));
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

class BookSink final : public inspect::SweepSink {
public:
    BookSink(inspect::LockBook& book, Clock& clock) : m_book(book), m_clock(clock) {}

    void sighted(std::vector<inspect::LockSnapshot> snapshots) override
    {
        const Instant now = m_clock.now();
        for (const inspect::LockSnapshot& snapshot : snapshots) {
            m_book.see(snapshot, now);
        }
    }
    void progressed(std::uint64_t, std::uint64_t) override {}

private:
    inspect::LockBook& m_book;
    Clock& m_clock;
};

struct Measured {
    std::size_t lockCount = 0;
    double seconds = 0;
};

async::Task<Measured> sweepOnce(async::Executor& executor, store::Store& store, Clock& clock)
{
    inspect::LockBook book(1);
    BookSink sink(book, clock);
    inspect::ServerWallClock wallClock;
    wallClock.assume(clock.wallNow(), clock.now());
    inspect::KeyReader reader(store, clock, wallClock);
    const inspect::NameRules names;
    inspect::Sweep sweep(executor, store, clock, reader, names, sink);
    const Instant begin = clock.now();
    const inspect::SweepEnd end = co_await sweep.run(inspect::SweepOptions());
    const Duration spent = clock.now() - begin;
    if (end.problem.kind != store::Problem::Kind::None) {
        std::fprintf(stderr, "bench_scan: %s\n", store::explain(end.problem).c_str());
        std::exit(1);
    }
    Measured measured;
    measured.lockCount = book.rowCount();
    measured.seconds = std::chrono::duration<double>(spent).count();
    co_return measured;
}

Measured runFloor(const store::Endpoint& endpoint)
{
    QProcess floor;
    floor.start(QCoreApplication::applicationDirPath() + QStringLiteral("/scan_floor"),
                {QString::fromStdString(endpoint.socketPath)});
    floor.waitForFinished(-1);
    Measured measured;
    const QByteArray output = floor.readAllStandardOutput();
    if (std::sscanf(output.constData(), "%zu %lf", &measured.lockCount, &measured.seconds) != 2) {
        std::fprintf(stderr, "bench_scan: the floor failed: %s\n",
                     floor.readAllStandardError().constData());
        std::exit(1);
    }
    return measured;
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
                          store::Endpoint endpoint)
{
    co_await populate(store);
    std::vector<double> floors;
    std::vector<double> ours;
    for (int round = 0; round < kRounds; ++round) {
        const Measured floor = runFloor(endpoint);
        Command reset("CONFIG", "RESETSTAT");
        co_await store.submit(std::move(reset));
        const Measured mine = co_await sweepOnce(executor, store, clock);
        std::printf("P1 round %d: floor %.3f s (%zu locks), ours %.3f s (%zu locks), ratio %.2f\n",
                    round + 1, floor.seconds, floor.lockCount, mine.seconds, mine.lockCount,
                    mine.seconds / floor.seconds);
        floors.push_back(floor.seconds);
        ours.push_back(mine.seconds);
    }
    std::sort(floors.begin(), floors.end());
    std::sort(ours.begin(), ours.end());
    std::printf("P1 median: floor %.3f s, ours %.3f s, ratio %.2f (goal <= 1.25)\n",
                floors[kRounds / 2], ours[kRounds / 2], ours[kRounds / 2] / floors[kRounds / 2]);
    co_await printServerTimes(store);
    QCoreApplication::quit();
}

} // namespace

int main(int argc, char** argv)
{
    QCoreApplication app(argc, argv);
    std::setvbuf(stdout, nullptr, _IOLBF, 0);
    wire::PrivateServer server;
    server.start({QStringLiteral("--enable-debug-command"), QStringLiteral("yes")});
    if (!server.waitUntilReady()) {
        std::fprintf(stderr, "bench_scan: redis-server did not start\n");
        return 1;
    }
    wire::LoopExecutor executor;
    wire::LoopClock clock;
    store::Endpoint endpoint = server.endpoint();
    endpoint.requestTimeout = std::chrono::minutes(2);
    wire::Connection connection(endpoint, executor, clock, Rng(1));
    async::BackgroundTask task;
    QObject::connect(&connection, &wire::Connection::stateChanged, &app, [&] {
        if (connection.state() == wire::Connection::State::Online) {
            task = async::BackgroundTask(executor, measure(executor, connection, clock, endpoint));
        }
    });
    connection.open();
    return app.exec();
}
