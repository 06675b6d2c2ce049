#pragma once

#include "core/kernel/async/pending.h"
#include "core/kernel/async/task.h"
#include "core/kernel/base/clock.h"

#include <optional>
#include <utility>

namespace lockscope::async {

namespace detail {

template<class T, class Source>
Task<void> passOn(Source source, Completer<std::optional<T>> first)
{
    first.complete(co_await std::move(source));
}

template<class T>
Task<void> giveUpAt(Clock& clock, Instant deadline, Completer<std::optional<T>> first)
{
    co_await clock.wakeAt(deadline);
    first.complete(std::nullopt);
}

template<class T, class Source>
Task<std::optional<T>> firstOf(Executor& executor, Clock& clock, Instant deadline, Source source)
{
    Completer<std::optional<T>> first;
    const BackgroundTask value(executor, passOn<T>(std::move(source), first));
    const BackgroundTask alarm(executor, giveUpAt<T>(clock, deadline, first));
    co_return co_await first.pending();
}

} // namespace detail

/// The value, or nullopt when it has not come by `deadline`. What is waited for is abandoned then.
template<class T>
Task<std::optional<T>> before(Executor& executor, Clock& clock, Instant deadline,
                              Pending<T> pending)
{
    if (pending.isReady()) {
        co_return co_await std::move(pending);
    }
    co_return co_await detail::firstOf<T>(executor, clock, deadline, std::move(pending));
}

/// The same for a task, which is cancelled at `deadline`.
template<class T>
Task<std::optional<T>> before(Executor& executor, Clock& clock, Instant deadline, Task<T> task)
{
    return detail::firstOf<T>(executor, clock, deadline, std::move(task));
}

} // namespace lockscope::async
