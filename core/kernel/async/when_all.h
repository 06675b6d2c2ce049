#pragma once

#include "core/kernel/async/pending.h"
#include "core/kernel/async/task.h"

#include <optional>
#include <utility>
#include <vector>

namespace lockscope::async {

namespace detail {

template<class T>
Task<void> storeResult(Task<T> task, std::optional<T>& slot, std::size_t& unfinishedCount,
                       Completer<bool> allDone)
{
    slot.emplace(co_await std::move(task));
    if (--unfinishedCount == 0) {
        allDone.complete(true);
    }
}

} // namespace detail

/// Runs the tasks side by side and gives their results in the order of the tasks. Dropping the
/// returned task drops all of them. The tasks must not throw: the caller could not tell which did.
template<class T>
Task<std::vector<T>> whenAll(Executor& executor, std::vector<Task<T>> tasks)
{
    std::vector<std::optional<T>> slots(tasks.size());
    std::size_t unfinishedCount = tasks.size();
    Completer<bool> allDone;
    if (tasks.empty()) {
        allDone.complete(true);
    }
    std::vector<BackgroundTask> running;
    running.reserve(tasks.size());
    for (std::size_t i = 0; i < tasks.size(); ++i) {
        running.emplace_back(executor, detail::storeResult<T>(std::move(tasks[i]), slots[i],
                                                              unfinishedCount, allDone));
    }
    co_await allDone.pending();
    std::vector<T> results;
    results.reserve(slots.size());
    for (std::optional<T>& slot : slots) {
        results.push_back(std::move(*slot));
    }
    co_return results;
}

} // namespace lockscope::async
