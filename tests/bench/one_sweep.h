#pragma once

#include "core/kernel/inspect/watch/budget_pace.h"
#include "core/kernel/inspect/watch/lock_book.h"
#include "core/kernel/inspect/watch/sweep.h"
#include "core/kernel/store/metered_store.h"

#include <QCoreApplication>
#include <QProcess>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

// One look at all keys, ours and the floor that it is measured against.
namespace lockscope::bench {

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

inline async::Task<Measured> sweepOnce(async::Executor& executor, store::Store& server,
                                       Clock& clock, store::Budget budget = {})
{
    store::MeteredStore store(executor, server);
    inspect::LockBook book(1);
    BookSink sink(book, clock);
    inspect::ServerWallClock wallClock;
    wallClock.assume(clock.wallNow(), clock.now());
    inspect::KeyReader reader(store, clock, wallClock);
    const inspect::NameRules names;
    inspect::BudgetPace pace(store, clock, budget);
    inspect::Sweep sweep(executor, store, clock, reader, names, sink, &pace);
    const Instant begin = clock.now();
    const inspect::SweepEnd end = co_await sweep.run(inspect::SweepOptions());
    const Duration spent = clock.now() - begin;
    if (end.problem.kind != store::Problem::Kind::None) {
        std::fprintf(stderr, "the sweep failed: %s\n", store::explain(end.problem).c_str());
        std::exit(1);
    }
    Measured measured;
    measured.lockCount = book.rowCount();
    measured.seconds = std::chrono::duration<double>(spent).count();
    co_return measured;
}

inline QString floorProgram()
{
    return QCoreApplication::applicationDirPath() + QStringLiteral("/scan_floor");
}

/// What scan_floor takes: the path of a socket, or host:port.
inline QString floorAddress(const store::Endpoint& endpoint)
{
    return QString::fromStdString(endpoint.transport == store::Endpoint::Transport::UnixSocket
                                      ? endpoint.socketPath
                                      : store::hostPortText({endpoint.host, endpoint.port}));
}

/// What the program printed.
inline Measured floorResult(QProcess& floor)
{
    Measured measured;
    const QByteArray output = floor.readAllStandardOutput();
    if (std::sscanf(output.constData(), "%zu %lf", &measured.lockCount, &measured.seconds) != 2) {
        std::fprintf(stderr, "the floor failed: %s\n", floor.readAllStandardError().constData());
        std::exit(1);
    }
    return measured;
}

} // namespace lockscope::bench
