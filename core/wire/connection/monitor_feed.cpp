#include "core/wire/connection/monitor_feed.h"

#include <utility>

namespace lockscope::wire {

using diagnosis::CaptureEnd;
using store::Problem;

MonitorFeed::MonitorFeed(const store::Endpoint& endpoint, async::Executor& executor, Clock& clock,
                         Rng rng)
    : m_clock(clock),
      m_connection(endpoint, executor, clock, rng, this)
{
    connect(&m_connection, &Connection::messageReceived, this, &MonitorFeed::takeLine);
    connect(&m_connection, &Connection::stateChanged, this, [this] {
        if (m_connection.state() != Connection::State::Online) {
            m_end.open();
        }
    });
}

async::Task<operations::CommandFeed::Result> MonitorFeed::listen(
    operations::FeedLimits limits, std::function<void(std::string_view)> take)
{
    m_take = std::move(take);
    m_byteMax = limits.bytes;
    m_byteCount = 0;
    m_connection.open();
    Problem problem = co_await m_connection.whenSettled();
    if (problem.kind == Problem::Kind::None) {
        m_connection.expectMonitorLines();
        store::Command command("MONITOR");
        const store::Outcome outcome = co_await m_connection.submit(std::move(command));
        problem = store::problemOf(outcome).value_or(Problem());
    }
    if (problem.kind != Problem::Kind::None) {
        m_connection.close();
        co_return problem;
    }
    const Instant begin = m_clock.now();
    const Instant deadline = begin + limits.span;
    CaptureEnd end;
    const auto isGoingOn = [&] {
        return m_connection.state() == Connection::State::Online && m_byteCount < m_byteMax
               && !m_isStopped && m_clock.now() < deadline;
    };
    while (isGoingOn()) {
        co_await m_end.passBefore(m_clock, deadline);
    }
    end.kind = m_byteCount >= m_byteMax ? CaptureEnd::Kind::BytesOver
               : m_connection.state() != Connection::State::Online
                   ? CaptureEnd::Kind::ConnectionLost
               : m_isStopped ? CaptureEnd::Kind::Stopped
                             : CaptureEnd::Kind::TimeOver;
    end.span = m_clock.now() - begin;
    end.byteCount = m_byteCount;
    m_connection.close();
    co_return end;
}

void MonitorFeed::stop()
{
    m_isStopped = true;
    m_end.open();
}

void MonitorFeed::takeLine(const store::Reply& line)
{
    const Bytes* const text = line.text();
    if (text == nullptr || m_byteCount >= m_byteMax) {
        return;
    }
    m_byteCount += text->size();
    m_take(*text);
    if (m_byteCount >= m_byteMax) {
        m_end.open();
    }
}

} // namespace lockscope::wire
