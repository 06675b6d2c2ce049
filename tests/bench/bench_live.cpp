// P2: from a change in Redis to the row in the model, at 5,000 changes a second, and from the true
// end of a lease to the row that says so. `bench_live cluster`: the same of a cluster of three
// masters.

#include "core/wire/connection/server_connections.h"
#include "core/wire/loop_clock.h"
#include "core/wire/loop_executor.h"
#include "core/wire/watch/redis_monitor.h"
#include "core/wire/worker_thread.h"
#include "tests/bench/bench_servers.h"
#include "ui/models/locks/lock_table_model.h"

#include <QCoreApplication>

#include <algorithm>
#include <cstdio>
#include <string>
#include <unordered_map>
#include <vector>

using namespace lockscope;
using namespace std::chrono_literals;

namespace {

constexpr int kKeys = 1000;
constexpr int kChangesPerSecond = 5000;
constexpr Duration kWriteFor = 10s;
constexpr int kWritesPerBurst = 10;
constexpr int kExpiring = 2000;
constexpr Duration kLeaseMin = 500ms;
constexpr Duration kLeaseMax = 3s;

struct Write {
    std::string key;
    std::string token;
    Instant at{};
};

/// Writes at a steady pace from a thread of its own, and remembers when it wrote what.
class Writer final : public QObject {
    Q_OBJECT
public:
    explicit Writer(store::Endpoint endpoint)
        : m_executor(this),
          m_clock(this),
          m_servers(m_executor, m_clock, Rng(7)),
          m_endpoint(std::move(endpoint))
    {}

    void start()
    {
        m_servers.setEndpoints({m_endpoint});
        m_task = async::BackgroundTask(m_executor, write(m_servers.store(0)));
    }

    std::vector<Write> changes;  // read after finished()
    std::vector<Write> expiring; // `at` is the true end of the lease

Q_SIGNALS:
    void changesWritten();
    void finished();

private:
    async::Task<void> write(store::Store& store)
    {
        co_await store.whenSettled();
        const Instant begin = m_clock.now();
        int written = 0;
        while (m_clock.now() - begin < kWriteFor) {
            std::vector<store::Command> burst;
            for (int i = 0; i < kWritesPerBurst; ++i, ++written) {
                const std::string key = "lock:live:" + std::to_string(m_rng.below(kKeys));
                const std::string token = freshToken(written);
                burst.emplace_back("SET", key, token, "PX", 3'600'000);
                changes.push_back({key, token, m_clock.now()});
            }
            co_await store.submitAll(std::move(burst));
            co_await m_clock.wakeAt(begin + Duration(1s) * written / kChangesPerSecond);
        }
        Q_EMIT changesWritten();
        for (int i = 0; i < kExpiring; ++i) {
            const std::string key = "lock:expiring:" + std::to_string(i);
            const Duration lease = m_rng.between(kLeaseMin, kLeaseMax);
            store::Command take("SET", key, freshToken(i), "PX", toMs(lease));
            const Instant sentAt = m_clock.now();
            co_await store.submit(std::move(take));
            // The server started counting somewhere in between; the earlier end is the stricter
            // measure.
            expiring.push_back({key, {}, sentAt + std::chrono::milliseconds(toMs(lease))});
        }
        co_await m_clock.wakeAt(m_clock.now() + kLeaseMax + 1s);
        Q_EMIT finished();
    }

    std::string freshToken(int number)
    {
        char token[40];
        std::snprintf(token, sizeof(token), "%016llx%016llx",
                      static_cast<unsigned long long>(m_rng.next()),
                      static_cast<unsigned long long>(m_rng.next()
                                                      ^ static_cast<unsigned>(number)));
        return token;
    }

    wire::LoopExecutor m_executor;
    wire::LoopClock m_clock;
    wire::ServerConnections m_servers;
    store::Endpoint m_endpoint;
    Rng m_rng{11};
    async::BackgroundTask m_task;
};

/// When the model showed what.
struct Shown {
    std::unordered_map<std::string, std::vector<std::pair<std::string, Instant>>> tokens; // by key,
                                                                                          // in
                                                                                          // order
    std::unordered_map<std::string, Instant> expired;
};

double percentileMs(std::vector<Duration>& values, double percent)
{
    std::sort(values.begin(), values.end());
    const auto index = static_cast<std::size_t>(static_cast<double>(values.size() - 1) * percent
                                                / 100.0);
    return std::chrono::duration<double, std::milli>(values[index]).count();
}

/// A write is shown when its token, or that of a later write to the same key, is shown.
void printChanges(const std::vector<Write>& writes, const Shown& shown)
{
    std::unordered_map<std::string, std::vector<const Write*>> byKey;
    for (const Write& write : writes) {
        byKey[write.key].push_back(&write);
    }
    std::vector<Duration> delays;
    std::size_t lost = 0;
    for (const auto& [key, keyWrites] : byKey) {
        const auto entry = shown.tokens.find(key);
        std::size_t next = 0;
        if (entry != shown.tokens.end()) {
            for (const auto& [token, at] : entry->second) {
                const auto isIt = [&token = token](const Write* w) { return w->token == token; };
                const auto found = std::find_if(keyWrites.begin(), keyWrites.end(), isIt);
                const auto end = static_cast<std::size_t>(found - keyWrites.begin()) + 1;
                for (; found != keyWrites.end() && next < end; ++next) {
                    delays.push_back(at - keyWrites[next]->at);
                }
            }
        }
        lost += keyWrites.size() - next;
    }
    std::printf(
        "P2 %zu changes at %d/s: %zu lost; p50 %.1f ms, p99 %.1f ms (goal <= 50), max %.1f ms\n",
        writes.size(), kChangesPerSecond, lost, percentileMs(delays, 50), percentileMs(delays, 99),
        percentileMs(delays, 100));
}

void printExpiries(const std::vector<Write>& ends, const Shown& shown)
{
    std::vector<Duration> delays;
    std::size_t lost = 0;
    for (const Write& end : ends) {
        const auto entry = shown.expired.find(end.key);
        if (entry == shown.expired.end()) {
            ++lost;
        } else {
            delays.push_back(entry->second - end.at);
        }
    }
    std::printf("P2 %zu expiries: %zu lost; p50 %.1f ms, p99 %.1f ms, max %.1f ms (goal <= 50)\n",
                ends.size(), lost, percentileMs(delays, 50), percentileMs(delays, 99),
                percentileMs(delays, 100));
}

} // namespace

int main(int argc, char** argv)
{
    QCoreApplication app(argc, argv);
    std::setvbuf(stdout, nullptr, _IOLBF, 0);
    const bench::BenchServers servers(argc, argv);
    std::printf("P2 of %s\n", servers.name());
    wire::RedisMonitor monitor;
    models::LockTableModel model([&monitor] { return monitor.now(); });
    wire::WorkerThread<Writer> writer(QStringLiteral("writer"), servers.endpoint());
    Shown shown;
    QObject::connect(&monitor, &service::LockMonitor::locksChanged, &app,
                     [&](const inspect::LockDelta& delta) {
                         model.apply(delta);
                         const Instant now = monitor.now();
                         for (const inspect::LockChange& change : delta.changes) {
                             const inspect::LockRecord& lock = *change.lock;
                             if (change.kind == inspect::ChangeKind::Expired) {
                                 shown.expired[lock.id.name] = now;
                             } else if (change.kind != inspect::ChangeKind::Released) {
                                 shown.tokens[lock.id.name].emplace_back(lock.holders.front().owner,
                                                                         now);
                             }
                         }
                     });
    QObject::connect(&monitor, &service::LockMonitor::sweepProgressed, &app,
                     [&, isStarted = false](const service::SweepProgress& progress) mutable {
                         if (progress.isDone && !isStarted) {
                             isStarted = true;
                             writer.post([](Writer& w) { w.start(); });
                         }
                     });
    QObject::connect(writer.object(), &Writer::finished, &app, [&] {
        printChanges(writer.object()->changes, shown);
        printExpiries(writer.object()->expiring, shown);
        QCoreApplication::quit();
    });
    monitor.open({servers.endpoint()}, {});
    return app.exec();
}

#include "bench_live.moc"
