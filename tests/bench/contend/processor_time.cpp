#include "tests/bench/contend/processor_time.h"

#include <ctime>
#include <filesystem>
#include <fstream>

namespace lockscope::bench {

namespace {

std::string placeOf(qint64 threadId, const char* file)
{
    return "/proc/" + std::to_string(threadId) + '/' + file;
}

} // namespace

ProcessorTime operator-(const ProcessorTime& a, const ProcessorTime& b)
{
    return {a.worked - b.worked, a.waited - b.waited};
}

ProcessorTime processorTimeOf(qint64 threadId)
{
    // /proc/<process>/schedstat is that of its first thread, and a thread has such a folder too.
    std::ifstream file(placeOf(threadId, "schedstat"));
    long long worked = 0;
    long long waited = 0;
    file >> worked >> waited;
    return {std::chrono::nanoseconds(worked), std::chrono::nanoseconds(waited)};
}

std::chrono::nanoseconds workOfThisThread()
{
    timespec time{};
    ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
}

std::optional<qint64> threadCalled(const std::string& name)
{
    for (const auto& entry : std::filesystem::directory_iterator("/proc/self/task")) {
        std::ifstream file(entry.path() / "comm");
        std::string line;
        if (std::getline(file, line) && line == name) {
            return std::stoll(entry.path().filename().string());
        }
    }
    return std::nullopt;
}

bool isAsleep(qint64 processId)
{
    std::ifstream file(placeOf(processId, "stat"));
    std::string line;
    std::getline(file, line);
    // "<id> (<name>) <state> …", and the name may be anything.
    const std::size_t end = line.rfind(')');
    return end != std::string::npos && line.compare(end, 3, ") S") == 0;
}

} // namespace lockscope::bench
