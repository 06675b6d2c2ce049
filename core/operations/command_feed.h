#pragma once

#include "core/kernel/async/task.h"
#include "core/kernel/diagnosis/key_capture.h"
#include "core/kernel/store/problem.h"

#include <cstdint>
#include <functional>
#include <string_view>
#include <variant>

namespace lockscope::operations {

/// MONITOR costs a server up to a third of its throughput, and what is not read piles up in its
/// memory: it always ends by itself.
struct FeedLimits {
    Duration span = std::chrono::seconds(5);
    std::uint64_t bytes = 16'000'000;
};

/// The commands that a server carries out, of all clients, as MONITOR tells them. Runs on one
/// executor.
class CommandFeed {
public:
    virtual ~CommandFeed() = default;

    using Result = std::variant<diagnosis::CaptureEnd, store::Problem>;

    /// Hands out one line after the other until a limit is reached. A problem: it did not begin.
    virtual async::Task<Result> listen(FeedLimits limits,
                                       std::function<void(std::string_view)> take) = 0;

    /// Ends it now, whether it listens already or not.
    virtual void stop() = 0;
};

} // namespace lockscope::operations
