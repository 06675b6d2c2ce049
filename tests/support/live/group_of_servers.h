#pragma once

#include <QElapsedTimer>
#include <QTest>

#include <functional>
#include <stdexcept>
#include <string>

// What fixtures of several servers have in common.
namespace lockscope::testing {

/// Runs the event loop meanwhile: somebody may be watching. Throws std::runtime_error with what is
/// wrong, and with the state that is seen instead, when it takes too long.
inline void waitForGroup(
    const char* wrong, const std::function<bool()>& isDone,
    const std::function<std::string()>& state = [] { return std::string(); })
{
    constexpr int kPatienceMs = 60'000;
    if (!QTest::qWaitFor(isDone, kPatienceMs)) {
        throw std::runtime_error(std::string(wrong) + ' ' + state());
    }
}

inline void letTimePass(int milliseconds)
{
    QElapsedTimer timer;
    timer.start();
    waitForGroup("the clock stands still", [&] { return timer.hasExpired(milliseconds); });
}

} // namespace lockscope::testing
