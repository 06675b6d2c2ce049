#pragma once

#include <QElapsedTimer>
#include <QTest>

#include <functional>
#include <stdexcept>
#include <string>

// What fixtures of several servers have in common.
namespace lockscope::testing {

/// Runs the event loop meanwhile: somebody may be watching. Throws std::runtime_error with what is
/// wrong, and with the state that is seen instead, when it takes too long. A server that changes
/// its role cuts off whoever asks it: who cannot ask does not know, and asks again.
inline void waitForGroup(
    const char* wrong, const std::function<bool()>& isDone,
    const std::function<std::string()>& state = [] { return std::string(); })
{
    constexpr int kPatienceMs = 60'000;
    std::string trouble;
    const auto isCertainlyDone = [&] {
        try {
            return isDone();
        } catch (const std::runtime_error& error) {
            trouble = error.what();
            return false;
        }
    };
    if (!QTest::qWaitFor(isCertainlyDone, kPatienceMs)) {
        throw std::runtime_error(std::string(wrong) + ' ' + state() + ' ' + trouble);
    }
}

inline void letTimePass(int milliseconds)
{
    QElapsedTimer timer;
    timer.start();
    waitForGroup("the clock stands still", [&] { return timer.hasExpired(milliseconds); });
}

} // namespace lockscope::testing
