#include "tests/support/live/shifted_clock.h"

#include <QByteArray>
#include <QtGlobal>

#include <chrono>

namespace lockscope::testing {

namespace {

constexpr auto kPreload = "LD_PRELOAD";
constexpr auto kAhead = "LOCKSCOPE_CLOCK_AHEAD_MS";

} // namespace

ShiftedClock::ShiftedClock(Duration ahead)
{
    using std::chrono::milliseconds;
    qputenv(kAhead, QByteArray::number(static_cast<qint64>(
                        std::chrono::duration_cast<milliseconds>(ahead).count())));
    qputenv(kPreload, LOCKSCOPE_CLOCK_LIBRARY);
}

ShiftedClock::~ShiftedClock()
{
    qunsetenv(kPreload);
    qunsetenv(kAhead);
}

} // namespace lockscope::testing
