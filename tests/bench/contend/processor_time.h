#pragma once

#include <QtGlobal>

#include <chrono>
#include <optional>
#include <string>

namespace lockscope::bench {

/// What a thread has had of the processors, as Linux accounts for it.
struct ProcessorTime {
    std::chrono::nanoseconds worked{0};
    std::chrono::nanoseconds waited{0}; // ready to work, but others were on the processors
};

ProcessorTime operator-(const ProcessorTime& a, const ProcessorTime& b);

/// Of the first thread of a process, or of any thread of this one. Of a thread that works just now
/// up to some milliseconds ago.
ProcessorTime processorTimeOf(qint64 threadId);

/// How long this thread has worked, up to now.
std::chrono::nanoseconds workOfThisThread();

/// A thread of this process by its name; nullopt when there is none.
std::optional<qint64> threadCalled(const std::string& name);

/// Whether the first thread of the process waits for something to do.
bool isAsleep(qint64 processId);

} // namespace lockscope::bench
