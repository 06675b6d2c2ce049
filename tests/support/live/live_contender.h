#pragma once

#include "core/kernel/protocol/contender.h"
#include "core/kernel/protocol/lock_protocol.h"
#include "core/kernel/trace/event_log.h"
#include "core/wire/connection/redis_channels.h"
#include "core/wire/loop_clock.h"
#include "core/wire/loop_executor.h"
#include "core/wire/watch/lock_client.h"
#include "tests/support/started_task.h"

#include <QTest>
#include <QTestEventLoop>

#include <memory>
#include <optional>
#include <stdexcept>
#include <vector>

namespace lockscope::testing {

/// One client program on real servers, driven by the test's event loop.
class LiveContender {
public:
    /// Connected to all servers that can be reached; throws std::runtime_error when none answers.
    /// Without an identity it gets one of its own.
    LiveContender(const std::vector<store::Endpoint>& servers,
                  const protocol::LockProtocol& protocol, std::uint64_t seed,
                  const std::optional<protocol::Identity>& identity = {});

    protocol::Contender& contender() { return *m_contender; }
    wire::LockClient& client() { return *m_client; }
    trace::EventLog& log() { return m_log; }
    Instant now() const { return m_clock.now(); }

    template<class T>
    StartedTask<T> start(async::Task<T> task)
    {
        return StartedTask<T>(m_executor, std::move(task));
    }

    /// The result of the task; the event loop runs until it is there. Throws std::runtime_error
    /// after half a minute. (Not by QTRY_…, which sleeps 10 ms between two looks at the loop: that
    /// is longer than some time-outs of Redlock.)
    template<class T>
    T run(async::Task<T> task)
    {
        std::optional<T> result;
        const async::BackgroundTask running(m_executor, finish(std::move(task), result));
        QTestEventLoop::instance().enterLoop(30);
        if (!result) {
            throw std::runtime_error("the task did not finish within half a minute");
        }
        return std::move(*result);
    }

private:
    template<class T>
    static async::Task<void> finish(async::Task<T> task, std::optional<T>& result)
    {
        result.emplace(co_await std::move(task));
        QTestEventLoop::instance().exitLoop();
    }

    wire::LoopExecutor m_executor;
    wire::LoopClock m_clock;
    trace::EventLog m_log;
    std::vector<std::unique_ptr<wire::RedisChannels>> m_channels;
    std::unique_ptr<wire::LockClient> m_client;
    std::unique_ptr<protocol::ClientMemory> m_memory;
    std::unique_ptr<protocol::Contender> m_contender;
};

} // namespace lockscope::testing
