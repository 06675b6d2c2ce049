#pragma once

#include "core/kernel/conduct/adapter_line.h"
#include "core/kernel/conduct/workload.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace lockscope::conduct {

/// The callers of one run: the threads of its processes, with the calls that they have not answered
/// yet. Between two runs it is empty.
class Callers {
public:
    struct Caller {
        int runningCalls = 0;
        Word word = Word::Reset; // of the latest call, as the two that follow
        int lock = 0;
        bool isRead = false;
        Answer answer; // the latest one
    };

    Callers() = default;
    /// All of them idle. `workload` outlives this.
    explicit Callers(const Workload& workload);

    Caller& at(int process, int thread) { return m_all[indexOf(process, thread)]; }
    const Caller& at(int process, int thread) const { return m_all[indexOf(process, thread)]; }

    void begin(int process, int thread, Word word, int lock, bool isRead);
    /// To one of its calls; an answer has to be due.
    const Caller& answered(int process, int thread, Answer answer);

    /// The thread has not answered all of its calls.
    bool isAnswerDue(int process, int thread) const;
    /// A thread of the process has not answered.
    bool isBusy(int process) const;
    /// The first thread of the process that has not answered; the last thread if all have.
    int busyThread(int process) const;

    /// How the adapter is told which thread is meant: "t0".
    static std::string nameOf(int thread);
    /// The thread of this name; 0 for any other name, because an adapter with one caller may name
    /// it as it likes.
    int threadNamed(std::string_view name) const;

    /// The process will answer nothing more.
    void forgetCallsOf(int process);

private:
    std::size_t indexOf(int process, int thread) const
    {
        return static_cast<std::size_t>(m_workload->partyOf(process, thread));
    }
    int threadCount() const { return m_workload != nullptr ? m_workload->threadCount : 0; }

    const Workload* m_workload = nullptr;
    std::vector<Caller> m_all; // by party
};

} // namespace lockscope::conduct
