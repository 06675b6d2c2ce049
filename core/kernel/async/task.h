#pragma once

#include "core/kernel/async/executor.h"

#include <cassert>
#include <coroutine>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

namespace lockscope::async {

template<class T>
class Task;

namespace detail {

/// What every promise of a Task knows: where it runs, and what waits for it. As a Continuation it
/// stands for "resume the waiting task", so that a parent is resumed from the executor and never
/// from inside its child: the parent may destroy the child as the very next thing.
class PromiseBase : public Continuation {
public:
    struct FinalAwaiter {
        bool await_ready() noexcept { return false; }
        template<class Promise>
        void await_suspend(std::coroutine_handle<Promise> self) noexcept
        {
            PromiseBase& promise = self.promise();
            if (promise.m_parent) {
                promise.m_executor->post(promise);
            }
        }
        void await_resume() noexcept {}
    };

    std::suspend_always initial_suspend() noexcept { return {}; }
    FinalAwaiter final_suspend() noexcept { return {}; }
    void unhandled_exception() { m_exception = std::current_exception(); }

    Executor& executor() const
    {
        assert(m_executor && "a task is awaited or started before it runs");
        return *m_executor;
    }
    void setExecutor(Executor& executor) { m_executor = &executor; }
    void setParent(std::coroutine_handle<> parent) { m_parent = parent; }
    void rethrowIfFailed() const
    {
        if (m_exception) {
            std::rethrow_exception(m_exception);
        }
    }

    void run() override { std::exchange(m_parent, {}).resume(); }

private:
    Executor* m_executor = nullptr;
    std::coroutine_handle<> m_parent;
    std::exception_ptr m_exception;
};

template<class T>
class Promise : public PromiseBase {
public:
    Task<T> get_return_object();
    template<class U>
    void return_value(U&& value)
    {
        m_value.emplace(std::forward<U>(value));
    }
    T takeResult()
    {
        rethrowIfFailed();
        return std::move(*m_value);
    }

private:
    std::optional<T> m_value;
};

template<>
class Promise<void> : public PromiseBase {
public:
    Task<void> get_return_object();
    void return_void() {}
    void takeResult() { rethrowIfFailed(); }
};

} // namespace detail

/// A coroutine that computes a T. Lazy: nothing runs until it is awaited or handed to a
/// BackgroundTask. Owned: destroying it cancels it, its frame unwinds and whatever it waited for is
/// unregistered. Confined: it lives, suspends, resumes and dies on one executor, which it inherits
/// from who awaits it. Parameters of a coroutine are taken by value, or by reference to something
/// that outlives it.
template<class T>
class [[nodiscard]] Task {
public:
    using promise_type = detail::Promise<T>;
    using Handle = std::coroutine_handle<promise_type>;

    Task() = default;
    Task(Task&& other) noexcept : m_handle(std::exchange(other.m_handle, {})) {}
    Task& operator=(Task&& other) noexcept
    {
        if (this != &other) {
            destroy();
            m_handle = std::exchange(other.m_handle, {});
        }
        return *this;
    }
    ~Task() { destroy(); }

    bool isValid() const { return static_cast<bool>(m_handle); }

    /// Awaiting resumes the task at once and goes on without suspending when it finishes at once.
    /// That needs no tail call, so a million such awaits in a loop do not grow the stack in any
    /// build.
    class Awaiter {
    public:
        explicit Awaiter(Handle child) : m_child(child) {}
        bool await_ready() const { return false; }
        template<class ParentPromise>
        bool await_suspend(std::coroutine_handle<ParentPromise> parent)
        {
            m_child.promise().setExecutor(parent.promise().executor());
            m_child.resume();
            if (m_child.done()) {
                return false;
            }
            m_child.promise().setParent(parent);
            return true;
        }
        T await_resume() { return m_child.promise().takeResult(); }

    private:
        Handle m_child;
    };

    Awaiter operator co_await() &&
    {
        assert(m_handle);
        return Awaiter(m_handle);
    }

private:
    friend class detail::Promise<T>;
    explicit Task(Handle handle) : m_handle(handle) {}

    void destroy()
    {
        if (m_handle) {
            std::exchange(m_handle, {}).destroy();
        }
    }

    Handle m_handle;
};

namespace detail {

template<class T>
Task<T> Promise<T>::get_return_object()
{
    return Task<T>(std::coroutine_handle<Promise<T>>::from_promise(*this));
}

inline Task<void> Promise<void>::get_return_object()
{
    return Task<void>(std::coroutine_handle<Promise<void>>::from_promise(*this));
}

/// The outermost frame of a BackgroundTask: a coroutine that starts itself from the executor.
class Root {
public:
    struct promise_type final : Continuation {
        Executor* where = nullptr;
        Root get_return_object()
        {
            return Root(std::coroutine_handle<promise_type>::from_promise(*this));
        }
        std::suspend_always initial_suspend() noexcept { return {}; }
        std::suspend_always final_suspend() noexcept { return {}; }
        void return_void() {}
        void unhandled_exception() { std::terminate(); } // no caller is left to report it to
        Executor& executor() const { return *where; }
        void run() override { std::coroutine_handle<promise_type>::from_promise(*this).resume(); }
    };

    Root() = default;
    Root(Root&& other) noexcept : m_handle(std::exchange(other.m_handle, {})) {}
    Root& operator=(Root&& other) noexcept
    {
        std::swap(m_handle, other.m_handle);
        return *this;
    }
    ~Root()
    {
        if (m_handle) {
            m_handle.destroy();
        }
    }

    void start(Executor& executor)
    {
        m_handle.promise().where = &executor;
        executor.post(m_handle.promise());
    }
    bool isDone() const { return !m_handle || m_handle.done(); }

private:
    explicit Root(std::coroutine_handle<promise_type> handle) : m_handle(handle) {}
    std::coroutine_handle<promise_type> m_handle;
};

inline Root runToEnd(Task<void> task)
{
    co_await std::move(task);
}

} // namespace detail

/// Runs a task that no other task awaits: it is started from the executor soon after construction
/// and cancelled by the destructor. An exception that leaves the task ends the program. A
/// BackgroundTask must not be destroyed from inside its own task.
class BackgroundTask {
public:
    BackgroundTask() = default;
    BackgroundTask(Executor& executor, Task<void> task) : m_root(detail::runToEnd(std::move(task)))
    {
        m_root.start(executor);
    }

    bool isFinished() const { return m_root.isDone(); }

private:
    detail::Root m_root;
};

/// A set of background tasks with one lifetime. Finished ones are thrown away when the next one
/// starts.
class TaskScope {
public:
    explicit TaskScope(Executor& executor) : m_executor(executor) {}

    void start(Task<void> task)
    {
        std::erase_if(m_tasks, [](const BackgroundTask& t) { return t.isFinished(); });
        m_tasks.emplace_back(m_executor, std::move(task));
    }

    /// Cancels everything. Not to be called from inside one of the tasks.
    void cancelAll() { m_tasks.clear(); }

private:
    Executor& m_executor;
    std::vector<BackgroundTask> m_tasks;
};

} // namespace lockscope::async
