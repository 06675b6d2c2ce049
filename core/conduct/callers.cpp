#include "core/conduct/callers.h"

#include <utility>

namespace lockscope::conduct {

Callers::Callers(const Workload& workload)
    : m_workload(&workload),
      m_all(static_cast<std::size_t>(workload.partyCount()))
{}

void Callers::begin(int process, int thread, Word word, int lock, bool isRead)
{
    Caller& caller = at(process, thread);
    ++caller.runningCalls;
    caller.word = word;
    caller.lock = lock;
    caller.isRead = isRead;
}

const Callers::Caller& Callers::answered(int process, int thread, Answer answer)
{
    Caller& caller = at(process, thread);
    --caller.runningCalls;
    caller.answer = std::move(answer);
    return caller;
}

bool Callers::isAnswerDue(int process, int thread) const
{
    return thread < threadCount() && at(process, thread).runningCalls > 0;
}

bool Callers::isBusy(int process) const
{
    return isAnswerDue(process, busyThread(process));
}

int Callers::busyThread(int process) const
{
    int thread = 0;
    while (thread + 1 < threadCount() && !isAnswerDue(process, thread)) {
        ++thread;
    }
    return thread;
}

std::string Callers::nameOf(int thread)
{
    return 't' + std::to_string(thread);
}

int Callers::threadNamed(std::string_view name) const
{
    for (int thread = 1; thread < threadCount(); ++thread) {
        if (name == nameOf(thread)) {
            return thread;
        }
    }
    return 0;
}

void Callers::forgetCallsOf(int process)
{
    for (int thread = 0; thread < threadCount(); ++thread) {
        at(process, thread).runningCalls = 0;
    }
}

} // namespace lockscope::conduct
