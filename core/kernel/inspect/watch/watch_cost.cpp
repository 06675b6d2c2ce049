#include "core/kernel/inspect/watch/watch_cost.h"

#include <algorithm>

namespace lockscope::inspect {

namespace {

// Seconds of one core, measured with Redis 7.0 as docs/benchmarks.md says.
constexpr double kRequest = 5e-6;   // to be woken, to read, to write
constexpr double kCommand = 0.7e-6; // to be parsed and looked up
constexpr double kByte = 1e-9;
constexpr double kMessage = 2e-6;
constexpr double kTrackedWrite = 0.13e-6;
constexpr double kPrefix = 0.028e-6;
constexpr double kPattern = 0.07e-6;

/// What comparing prefixes may take of a core.
constexpr double kShareForPrefixes = 0.003;
constexpr double kPrefixesLeast = 4;
constexpr double kPrefixesMost = 64;

} // namespace

double coreShareOf(const WatchWork& work)
{
    const double tracking = work.isTracking
                                ? kTrackedWrite + kPrefix * static_cast<double>(work.prefixCount)
                                : 0;
    const double events = kPattern * static_cast<double>(work.patternCount);
    return kRequest * work.requestsPerSecond + kCommand * work.commandsPerSecond
           + work.executionPerSecond + kByte * work.bytesPerSecond
           + kMessage * work.messagesPerSecond + (tracking + events) * work.writesPerSecond;
}

std::size_t prefixesWorthTheirCost(double writesPerSecond)
{
    const double perWrite = kShareForPrefixes / std::max(writesPerSecond, 1.0);
    const double count = (perWrite - kTrackedWrite) / kPrefix;
    return static_cast<std::size_t>(std::clamp(count, kPrefixesLeast, kPrefixesMost));
}

} // namespace lockscope::inspect
