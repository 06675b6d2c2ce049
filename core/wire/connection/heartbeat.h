#pragma once

#include "core/kernel/async/task.h"
#include "core/wire/connection/connection.h"

#include <QObject>
#include <QTimer>

#include <memory>
#include <vector>

namespace lockscope::wire {

/// Asks again and again, with one PING after the other, whether a server still answers on a
/// connection: an idle connection is as silent as one whose peer is gone.
///
/// When an answer stays away it also finds out whose fault that is, by another connection to the
/// same server. If the server answers there and still says nothing here, this connection is good
/// for nothing (half-open: a router in between has forgotten it) and is given up, so that it
/// reconnects. Otherwise it is the server that is silent, and is left in peace. Runs on one
/// thread.
class Heartbeat final : public QObject {
    Q_OBJECT
public:
    /// Everything handed over by reference outlives it. Beats from start() to stop().
    Heartbeat(Connection& connection, async::Executor& executor, Clock& clock, Rng rng,
              QObject* parent = nullptr);
    ~Heartbeat() override;

    void start();
    void stop();

    /// Kind None: the server answers. ReplyTimedOut: it is silent. Anything else: it answers that
    /// it cannot do anything for now; see isStateOfServer().
    const store::Problem& problem() const { return m_problem; }

Q_SIGNALS:
    /// problem() is another one.
    void changed();

private:
    async::Task<void> beat();
    Duration patience() const;
    void miss();
    void probe();
    void judge();
    void dropProbes();
    void setProblem(const store::Problem& problem);

    Connection& m_connection;
    async::Executor& m_executor;
    Clock& m_clock;
    Rng m_rng;
    QTimer m_missTimer;
    QTimer m_judgement;
    Instant m_askedAt{};
    Instant m_missedAt{}; // when the answer is overdue
    Duration m_roundTrip{0};
    store::Problem m_problem;
    std::vector<std::unique_ptr<Connection>> m_probes; // under way, the oldest first
    async::BackgroundTask m_beat;
};

} // namespace lockscope::wire
