#pragma once

#include "core/kernel/async/task.h"
#include "core/kernel/base/clock.h"
#include "core/kernel/store/backoff.h"
#include "core/kernel/store/endpoint.h"
#include "core/kernel/store/sentinel.h"
#include "core/kernel/store/store.h"
#include "core/wire/connection/codec.h"
#include "core/wire/connection/read_only_gate.h"
#include "core/wire/connection/request_queue.h"
#include "core/wire/connection/transport.h"

#include <QObject>
#include <QTimer>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lockscope::wire {

class MasterFinder;

/// A client of one server: pipelines commands, pairs replies with requests, keeps deadlines,
/// introduces itself (AUTH, SELECT, CLIENT SETNAME) and reconnects forever. Takes no decisions
/// about locks. A password that was refused is not tried again: it will not become right by that,
/// and each attempt is a line in the server's log.
///
/// Where the endpoint names Sentinels, they are asked before each attempt, and a server that does
/// not say of itself that it is a master is not used. A cluster is several servers: see
/// ClusterStore.
///
/// Commands are accepted while Online; otherwise they complete at once as Unreachable. Runs on one
/// thread.
class Connection final : public QObject, public store::Store {
    Q_OBJECT
public:
    enum class State {
        Closed,     // not wanted
        Connecting, // the stream is being opened
        Greeting,   // the stream is open, the introduction is under way
        Online,
        Waiting, // for the next attempt, if there is to be one; problem() says why
    };

    /// What the connection did since the last takeTraffic().
    struct Traffic {
        std::uint64_t commandCount = 0;
        Duration slowestCall{0}; // upper bound of the time the server spent on one command
    };

    Connection(store::Endpoint endpoint, async::Executor& executor, Clock& clock, Rng rng,
               QObject* parent = nullptr);
    ~Connection() override;

    /// From the next stream on, what this connection reads does not count as used: the server's
    /// choice of what to evict (allkeys-lru, allkeys-lfu) stays as it would be without us.
    /// Redis 7.2 and later, where we may ask for it (CLIENT NO-TOUCH); others count it all the
    /// same.
    void leaveNoTrace() { m_leavesNoTrace = true; }

    /// From the next stream on, the Sentinels are asked again and again while Online. When they
    /// name another master the stream is given up, though the former one may still answer: it may
    /// be cut off from the others, and what is written there gets lost. Nothing without Sentinels.
    void followMaster() { m_followsMaster = true; }

    void open();
    void close();
    /// Ends a stream that is good for nothing any more, and reconnects.
    void giveUp(const store::Problem& problem);

    /// Ends with a problem when the attempt failed, or the connection is not wanted. With
    /// followMaster() it also asks the Sentinels whether the master is still the same, and ends
    /// with a problem if none of them can be asked.
    async::Task<store::Problem> whenSettled() override;

    State state() const { return m_state; }
    const store::Problem& problem() const { return m_problem; }
    int attempt() const { return m_backoff.attempt(); }
    /// While Waiting; Instant::max(): never, until open() is called.
    Instant nextAttempt() const { return m_nextAttempt; }
    /// When the last bytes came.
    Instant lastReceived() const { return m_lastReceived; }
    const store::Endpoint& endpoint() const { return m_endpoint; }
    /// The one server that this leads to: with Sentinels, the master that they named last.
    store::Endpoint place() const;
    /// How long the server took to answer the introduction of this stream.
    Duration roundTrip() const { return m_roundTrip; }
    /// With Sentinels, the address of the master while Online, "10.0.0.5:6379"; otherwise empty.
    std::string node() const;
    /// For commands that come from now on. The stream stays.
    void setReadOnly(bool isReadOnly);
    /// Read-only, and the server does not say which commands read, since that may not be asked:
    /// our own list of commands counts alone.
    bool isHeldToOwnList() const { return m_endpoint.isReadOnly && m_areFlagsRefused; }
    /// From now on replies that look like pub/sub messages are handed out as messages, even while
    /// requests wait for their answers. Ends with the stream.
    void expectMessages() { m_expectsMessages = true; }
    /// The same for what MONITOR tells.
    void expectMonitorLines() { m_expectsMonitorLines = true; }
    Traffic takeTraffic() { return std::exchange(m_traffic, {}); }

    async::Pending<store::Outcome> submit(store::Command command) override;
    async::Pending<std::vector<store::Outcome>> submitAll(
        std::vector<store::Command> commands) override;
    std::uint64_t session() const override { return m_session; }

Q_SIGNALS:
    void stateChanged();
    /// Whether the server says which commands read is known: see isHeldToOwnList().
    void gateSettled();
    /// A message of a subscription, or a line of MONITOR; see expectMessages().
    void messageReceived(const lockscope::store::Reply& message);

private:
    void setState(State state);
    /// Why nothing can be sent now; kind None while Online.
    store::Problem obstacle() const;
    void connectNow();
    async::Task<void> greet();
    async::Task<store::Problem> introduce();
    struct Line;
    std::vector<Line> introduction() const;
    async::Task<void> connectToMaster();
    std::optional<store::Problem> problemWithRole(const store::Outcome& information);
    async::Task<store::Problem> confirmMaster();
    async::Task<void> keepConfirmingMaster();
    /// Ends the stream at once, and tries again later.
    void abandon(const store::Problem& problem);
    async::Pending<store::Outcome> transmit(const store::Command& command);
    bool isRefusedHere(const store::Command& command) const;
    void askForFlags();
    async::Task<void> takeFlags();
    void receive(std::string_view bytes);
    void dispatch(store::Reply reply);
    /// The server sends more than we take.
    void refuseMore(const std::string& limit);
    void streamEnded(const store::Problem& problem);
    void waitAndRetry(const store::Problem& problem);
    void planNextAttempt(const store::Problem& problem);
    Instant endOfPatience() const;
    void checkDeadlines();
    void armDeadline();

    store::Endpoint m_endpoint;
    async::Executor& m_executor;
    Clock& m_clock;
    Transport m_transport;
    ReplyReader m_reader;
    RequestQueue m_queue;
    store::Backoff m_backoff;
    QTimer m_retryTimer;
    QTimer m_deadlineTimer;
    State m_state = State::Closed;
    std::uint64_t m_session = 0;
    store::Problem m_problem;
    Instant m_nextAttempt{};
    Instant m_onlineSince{};
    Instant m_lastReceived{};
    Duration m_roundTrip{0};
    std::string m_firstBytes; // of this stream, until the first reply: tells what answers if it is
                              // not Redis
    bool m_hasReplied = false;
    bool m_expectsMessages = false;
    bool m_expectsMonitorLines = false;
    bool m_leavesNoTrace = false;
    Traffic m_traffic;
    std::vector<async::Completer<bool>> m_waiters; // for the next change of state
    std::unique_ptr<MasterFinder> m_finder;        // where the endpoint names Sentinels
    bool m_followsMaster = false;
    std::optional<store::MasterLocation> m_master; // that this stream leads to
    async::BackgroundTask m_search;
    async::BackgroundTask m_greeting;
    async::BackgroundTask m_following;
    ReadOnlyGate m_gate;
    bool m_areFlagsRefused = false;
    async::BackgroundTask m_flagsQuestion;
};

} // namespace lockscope::wire
