#pragma once

#include "core/kernel/async/executor.h"

#include <coroutine>

namespace lockscope::async {

/// `co_await yield()` lets everything else that is ready have its turn first. For long computations
/// between which replies should still be answered.
class Yield final : public Continuation {
public:
    bool await_ready() const { return false; }
    template<class Promise>
    void await_suspend(std::coroutine_handle<Promise> handle)
    {
        m_handle = handle;
        handle.promise().executor().post(*this);
    }
    void await_resume() const {}
    void run() override { m_handle.resume(); }

private:
    std::coroutine_handle<> m_handle;
};

inline Yield yield()
{
    return {};
}

} // namespace lockscope::async
