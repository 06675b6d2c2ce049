#pragma once

#include "core/wire/connection/connection.h"
#include "core/wire/loop_clock.h"
#include "core/wire/loop_executor.h"

#include <QTest>

namespace lockscope::testing {

/// What comes of connecting: kind None when it is online, NotConnected when nothing came of it in
/// half a minute.
inline store::Problem attemptToConnect(const store::Endpoint& endpoint)
{
    using wire::Connection;
    constexpr int kPatienceMs = 30'000;
    wire::LoopExecutor executor;
    wire::LoopClock clock;
    Connection connection(endpoint, executor, clock, Rng(1));
    connection.open();
    const bool hasEnded = QTest::qWaitFor(
        [&] {
            return connection.state() == Connection::State::Online
                   || connection.state() == Connection::State::Waiting;
        },
        kPatienceMs);
    return hasEnded ? connection.problem()
                    : store::Problem{store::Problem::Kind::NotConnected, {}, {}, {}};
}

} // namespace lockscope::testing
