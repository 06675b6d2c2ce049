#pragma once

#include "core/kernel/async/task.h"

#include <memory>
#include <optional>
#include <utility>

namespace lockscope::testing {

/// A task that runs on its own until the test asks for its result. Dropping it cancels the task.
template<class T>
class StartedTask {
public:
    StartedTask(async::Executor& executor, async::Task<T> task)
        : m_result(std::make_unique<std::optional<T>>()),
          m_task(executor, keep(std::move(task), *m_result))
    {}

    bool isFinished() const { return m_result->has_value(); }

    /// Only of a finished task.
    const T& result() const { return m_result->value(); }

private:
    static async::Task<void> keep(async::Task<T> task, std::optional<T>& result)
    {
        result.emplace(co_await std::move(task));
    }

    std::unique_ptr<std::optional<T>> m_result;
    async::BackgroundTask m_task;
};

/// Makes a task of a Pending.
template<class T>
async::Task<T> resultOf(async::Pending<T> pending)
{
    co_return co_await std::move(pending);
}

} // namespace lockscope::testing
