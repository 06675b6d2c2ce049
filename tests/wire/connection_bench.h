#pragma once

#include "connection.h"
#include "loop_clock.h"
#include "loop_executor.h"
#include "support/scripted_peer.h"
#include "support/started_task.h"

#include <QSignalSpy>
#include <QTest>

#include <deque>
#include <memory>

// What the tests of connections begin with.
namespace lockscope::testing {

using namespace std::chrono_literals;
using store::Command;
using store::Endpoint;
using store::Outcome;
using store::Problem;
using store::Reply;
using wire::Connection;

inline constexpr int kPatienceMs = 20'000;

/// A connection to a peer in the hands of the test.
struct Bench {
    ScriptedPeer peer;
    wire::LoopExecutor executor;
    wire::LoopClock clock;
    std::unique_ptr<Connection> connection;

    void open(Endpoint endpoint = {})
    {
        endpoint.port = peer.port();
        connection = std::make_unique<Connection>(endpoint, executor, clock, Rng(1));
        connection->open();
    }
    void openOnline(const Endpoint& endpoint = {})
    {
        peer.answerIntroduction();
        open(endpoint);
        QTRY_VERIFY_WITH_TIMEOUT(isOnline(), kPatienceMs);
        peer.answerWith({});
        peer.forgetHeard();
    }
    bool isOnline() const { return connection->state() == Connection::State::Online; }
    bool isWaiting() const { return connection->state() == Connection::State::Waiting; }
    Problem::Kind problemKind() const { return connection->problem().kind; }

    StartedTask<Outcome> submit(Command command)
    {
        return {executor, resultOf(connection->submit(std::move(command)))};
    }
    StartedTask<std::vector<Outcome>> submitAll(std::vector<Command> commands)
    {
        return {executor, resultOf(connection->submitAll(std::move(commands)))};
    }
};

inline Endpoint impatient(Duration timeout)
{
    Endpoint endpoint;
    endpoint.requestTimeout = timeout;
    return endpoint;
}

inline QByteArray encoded(const Command& command)
{
    std::string bytes;
    wire::appendEncoded(bytes, command);
    return QByteArray::fromStdString(bytes);
}

inline Problem::Kind kindOf(const StartedTask<Outcome>& request)
{
    return problemOf(request.result()).value_or(Problem()).kind;
}

inline bool isUnknown(const StartedTask<Outcome>& request)
{
    return std::holds_alternative<store::Unknown>(request.result());
}

inline bool isUnreachable(const StartedTask<Outcome>& request)
{
    return std::holds_alternative<store::Unreachable>(request.result());
}

} // namespace lockscope::testing
