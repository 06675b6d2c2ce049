#pragma once

#include "core/kernel/async/executor.h"

#include <cassert>
#include <coroutine>
#include <functional>
#include <memory>
#include <optional>
#include <utility>

namespace lockscope::async {

template<class T>
class Completer;

namespace detail {

template<class T>
struct PendingState {
    std::optional<T> value;
    Continuation* waiter = nullptr; // the suspended awaiter, if any
    Executor* executor = nullptr;   // its executor
    bool isAbandoned = false;       // the Pending is gone: no task will look at the value
};

template<class T>
class PendingAwaiter final : public Continuation {
public:
    explicit PendingAwaiter(std::shared_ptr<PendingState<T>> state) : m_state(std::move(state)) {}
    ~PendingAwaiter() override
    {
        m_state->waiter = nullptr;
        m_state->isAbandoned = true;
    }

    bool await_ready() const { return m_state->value.has_value(); }
    template<class Promise>
    void await_suspend(std::coroutine_handle<Promise> handle)
    {
        assert(m_state->waiter == nullptr && "a Pending is awaited once");
        m_handle = handle;
        m_state->executor = &handle.promise().executor();
        m_state->waiter = this;
    }
    T await_resume() { return std::move(*m_state->value); }
    void run() override { m_handle.resume(); }

private:
    std::shared_ptr<PendingState<T>> m_state;
    std::coroutine_handle<> m_handle;
};

} // namespace detail

/// A value that arrives later: a reply, the end of a timer. Awaited once, on one executor.
/// Destroying it abandons the wait: the Completer can tell, and what it completes is thrown away.
template<class T>
class [[nodiscard]] Pending {
public:
    Pending(Pending&& other) noexcept = default;
    Pending& operator=(Pending&& other) noexcept
    {
        abandon();
        m_state = std::move(other.m_state);
        return *this;
    }
    ~Pending() { abandon(); }

    /// A value that is there already.
    static Pending ready(T value)
    {
        auto state = std::make_shared<detail::PendingState<T>>();
        state->value.emplace(std::move(value));
        return Pending(std::move(state));
    }

    bool isReady() const { return m_state->value.has_value(); }

    /// Instead of awaiting it, for a task that waits for something else as well: posts `waiter` as
    /// soon as the value is there, unless this is destroyed before.
    void wake(Continuation& waiter, Executor& executor) const
    {
        assert(m_state->waiter == nullptr && "a Pending has one waiter");
        if (isReady()) {
            executor.post(waiter);
            return;
        }
        m_state->executor = &executor;
        m_state->waiter = &waiter;
    }

    detail::PendingAwaiter<T> operator co_await() &&
    {
        return detail::PendingAwaiter<T>(std::move(m_state));
    }

private:
    friend class Completer<T>;
    explicit Pending(std::shared_ptr<detail::PendingState<T>> state) : m_state(std::move(state)) {}

    void abandon()
    {
        if (m_state) {
            m_state->isAbandoned = true;
        }
    }

    std::shared_ptr<detail::PendingState<T>> m_state;
};

/// The other end of a Pending. The first complete() counts, later ones are ignored, so a time-out
/// and a late reply may race harmlessly. A Completer that dies without completing leaves its waiter
/// waiting forever: an owner of completers completes them before it destroys them.
template<class T>
class Completer {
public:
    Completer() : m_state(std::make_shared<detail::PendingState<T>>()) {}

    /// Called once.
    Pending<T> pending() const { return Pending<T>(m_state); }

    bool isAbandoned() const { return m_state->isAbandoned; }
    bool isCompleted() const { return m_state->value.has_value(); }

    void complete(T value)
    {
        if (m_state->value.has_value() || m_state->isAbandoned) {
            return;
        }
        m_state->value.emplace(std::move(value));
        if (Continuation* const waiter = std::exchange(m_state->waiter, nullptr)) {
            m_state->executor->post(*waiter);
        }
    }

private:
    std::shared_ptr<detail::PendingState<T>> m_state;
};

} // namespace lockscope::async
