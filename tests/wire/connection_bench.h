#pragma once

#include "core/wire/connection/connection.h"
#include "core/wire/loop_clock.h"
#include "core/wire/loop_executor.h"
#include "tests/support/scripted_peer.h"
#include "tests/support/started_task.h"

#include <QSignalSpy>
#include <QTest>

#include <deque>
#include <memory>

// What the tests of connections begin with.
namespace lockscope::testing {

inline constexpr int kPatienceMs = 20'000;

/// A connection to a peer in the hands of the test.
struct Bench {
    ScriptedPeer peer;
    wire::LoopExecutor executor;
    wire::LoopClock clock;
    std::unique_ptr<wire::Connection> connection;

    void open(store::Endpoint endpoint = {})
    {
        endpoint.port = peer.port();
        connection = std::make_unique<wire::Connection>(endpoint, executor, clock, Rng(1));
        connection->open();
    }
    void openOnline(const store::Endpoint& endpoint = {})
    {
        peer.answerIntroduction();
        open(endpoint);
        QTRY_VERIFY_WITH_TIMEOUT(isOnline(), kPatienceMs);
        peer.answerWith({});
        peer.forgetHeard();
    }
    bool isOnline() const { return connection->state() == wire::Connection::State::Online; }
    bool isWaiting() const { return connection->state() == wire::Connection::State::Waiting; }
    store::Problem::Kind problemKind() const { return connection->problem().kind; }

    StartedTask<store::Problem> settle() { return {executor, connection->whenSettled()}; }
    StartedTask<store::Outcome> submit(store::Command command)
    {
        return {executor, resultOf(connection->submit(std::move(command)))};
    }
    StartedTask<std::vector<store::Outcome>> submitAll(std::vector<store::Command> commands)
    {
        return {executor, resultOf(connection->submitAll(std::move(commands)))};
    }
};

inline store::Endpoint impatient(Duration timeout)
{
    store::Endpoint endpoint;
    endpoint.requestTimeout = timeout;
    return endpoint;
}

inline QByteArray encoded(const store::Command& command)
{
    std::string bytes;
    wire::appendEncoded(bytes, command);
    return QByteArray::fromStdString(bytes);
}

inline store::Problem::Kind kindOf(const StartedTask<store::Outcome>& request)
{
    return problemOf(request.result()).value_or(store::Problem()).kind;
}

inline bool isUnknown(const StartedTask<store::Outcome>& request)
{
    return std::holds_alternative<store::Unknown>(request.result());
}

inline bool isUnreachable(const StartedTask<store::Outcome>& request)
{
    return std::holds_alternative<store::Unreachable>(request.result());
}

} // namespace lockscope::testing
