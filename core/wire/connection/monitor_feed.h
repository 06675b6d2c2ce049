#pragma once

#include "core/kernel/async/gate.h"
#include "core/operations/command_feed.h"
#include "core/wire/connection/connection.h"

#include <QObject>

#include <cstdint>
#include <functional>
#include <string_view>

namespace lockscope::wire {

/// MONITOR, on a connection of its own, which is closed at the end. Runs on one thread.
class MonitorFeed final : public QObject, public operations::CommandFeed {
    Q_OBJECT
public:
    MonitorFeed(const store::Endpoint& endpoint, async::Executor& executor, Clock& clock, Rng rng);

    async::Task<Result> listen(operations::FeedLimits limits,
                               std::function<void(std::string_view)> take) override;
    void stop() override;

private:
    void takeLine(const store::Reply& line);

    Clock& m_clock;
    Connection m_connection;
    std::function<void(std::string_view)> m_take;
    std::uint64_t m_byteCount = 0;
    std::uint64_t m_byteMax = 0;
    bool m_isStopped = false;
    async::Gate m_end;
};

} // namespace lockscope::wire
