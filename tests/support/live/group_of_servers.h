#pragma once

#include <QHostAddress>
#include <QTcpServer>
#include <QTest>

#include <cstdint>
#include <functional>
#include <stdexcept>
#include <string>

// What fixtures of several servers have in common.
namespace lockscope::testing {

/// Free a moment ago.
inline std::uint16_t freeLoopbackPort()
{
    QTcpServer probe;
    probe.listen(QHostAddress::LocalHost, 0);
    return probe.serverPort();
}

/// Runs the event loop meanwhile: somebody may be watching. Throws std::runtime_error with what is
/// wrong when it takes too long.
inline void waitForGroup(const char* wrong, const std::function<bool()>& isDone)
{
    constexpr int kPatienceMs = 60'000;
    if (!QTest::qWaitFor(isDone, kPatienceMs)) {
        throw std::runtime_error(wrong);
    }
}

} // namespace lockscope::testing
