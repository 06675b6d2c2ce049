#include "app/cli/process/command_guard.h"

#include "app/cli/process/guard_link.h"
#include "core/wire/loop_clock.h"
#include "core/wire/process_tree.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <optional>
#include <string_view>

namespace lockscope::cli {

namespace {

using namespace std::chrono_literals;
using wire::LoopClock;

/// What a command finds at its defaults, although this program ignores it or handles it.
constexpr std::array kDefaultSignals{SIGPIPE, SIGTTOU};
constexpr int kNotExecuted = 127;
constexpr std::size_t kRoom = 1024;
/// Descendants that are not our children end without a word: how often to look.
constexpr Duration kLookInterval = 200ms;
/// The news of a renewal may be that late before the guard acts on its own.
constexpr Duration kGrace = 250ms;

constexpr std::string_view kAloneText =
    "lockscope-cli: the program that held the lock has died, so the command is terminated\n";

int shellCodeOf(int status)
{
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

/// All files but the standard streams and these.
void closeAllBut(std::array<int, 2> kept)
{
    std::sort(kept.begin(), kept.end());
    unsigned first = STDERR_FILENO + 1;
    for (const int file : kept) {
        const auto number = static_cast<unsigned>(file);
        if (number > first) {
            ::close_range(first, number - 1, 0);
        }
        first = std::max(first, number + 1);
    }
    ::close_range(first, ~0U, 0);
}

/// In the process of the command: takes the place of the guard's program.
[[noreturn]] void becomeCommand(const GuardTask& task, pid_t guard, int reportFile)
{
    ::setpgid(0, 0);
    if (task.terminal >= 0) {
        ::tcsetpgrp(task.terminal, ::getpid());
    }
    ::prctl(PR_SET_PDEATHSIG, SIGKILL); // should the guard be killed
    if (::getppid() != guard) {
        ::_exit(kNotExecuted); // just now
    }
    for (const int signalNumber : kDefaultSignals) {
        ::signal(signalNumber, SIG_DFL);
    }
    sigset_t none;
    ::sigemptyset(&none);
    ::sigprocmask(SIG_SETMASK, &none, nullptr);
    ::execvpe(task.words[0], task.words, task.environment);
    const int error = errno;
    [[maybe_unused]] const ssize_t count = ::write(reportFile, &error, sizeof(error));
    ::_exit(kNotExecuted);
}

/// The error number that the child sent before it gave up; 0 when the pipe closed by itself, which
/// it does when the command takes over.
int reportOf(int file)
{
    int error = 0;
    ssize_t count = 0;
    do {
        count = ::read(file, &error, sizeof(error));
    } while (count < 0 && errno == EINTR);
    return count == sizeof(error) ? error : 0;
}

class Guard {
public:
    explicit Guard(const GuardTask& task) : m_task(task), m_session(::getsid(0))
    {
        trust(task.trustedUs);
        ::prctl(PR_SET_NAME, "lockscope-guard"); // killall lockscope-cli does not mean this one
        ::prctl(PR_SET_CHILD_SUBREAPER, 1);
        sigset_t all;
        ::sigfillset(&all);
        ::sigprocmask(SIG_SETMASK, &all, nullptr);
        sigset_t ends;
        ::sigemptyset(&ends);
        ::sigaddset(&ends, SIGCHLD);
        m_ends = ::signalfd(-1, &ends, SFD_NONBLOCK | SFD_CLOEXEC);
    }

    /// False when there is nothing to guard.
    bool start()
    {
        std::array<int, 2> report{};
        if (::pipe2(report.data(), O_CLOEXEC) != 0) {
            tell(GuardMessage::Kind::CannotStart, errno);
            return false;
        }
        const pid_t guard = ::getpid();
        m_command = ::fork();
        if (m_command == 0) {
            becomeCommand(m_task, guard, report[1]);
        }
        const int forkError = m_command < 0 ? errno : 0;
        ::close(report[1]);
        const int error = forkError != 0 ? forkError : reportOf(report[0]);
        ::close(report[0]);
        if (error != 0) {
            tell(GuardMessage::Kind::CannotStart, error);
        } else {
            tell(GuardMessage::Kind::Started, m_command);
        }
        return error == 0;
    }

    /// Those that the command inherited from our caller are for the command alone. Of the
    /// link the other end is among them: held open here, it would never be closed.
    void closeFiles() const { closeAllBut({m_task.link, m_ends}); }

    void watch()
    {
        while (!m_isOver) {
            waitForNews();
            reap();
            if (!m_isAlone) {
                takeOrders();
            }
            endInTime();
            judge();
        }
    }

    /// CommandProcess closes the link when it needs the guard no more.
    void waitForDismissal()
    {
        while (!m_isAlone) {
            pollfd link{m_task.link, POLLIN, 0};
            ::poll(&link, 1, -1);
            takeOrders();
        }
    }

private:
    void tell(GuardMessage::Kind kind, int number = 0, std::size_t count = 0) const
    {
        const GuardMessage news{kind, number, static_cast<std::int32_t>(count)};
        ::send(m_task.link, &news, sizeof(news), MSG_NOSIGNAL | MSG_DONTWAIT);
    }

    void trust(std::int64_t untilUs)
    {
        m_trustedUntil = untilUs == GuardOrder::kForEver
                             ? std::nullopt
                             : std::optional(Instant(Duration(untilUs)));
    }

    std::optional<Instant> deadline() const
    {
        if (m_isEnding) {
            return m_wasKilled ? std::nullopt : std::optional(m_killAt);
        }
        // What stands still does not go on.
        return m_trustedUntil && !m_isStopped ? std::optional(*m_trustedUntil + kGrace)
                                              : std::nullopt;
    }

    void waitForNews() const
    {
        std::array<pollfd, 2> files{{{m_ends, POLLIN, 0}, {m_task.link, POLLIN, 0}}};
        const bool looks = m_isEnding || m_exitCode;
        auto patience = looks ? std::optional<Duration>(kLookInterval) : std::nullopt;
        if (const auto next = deadline()) {
            const auto left = std::max<Duration>(*next - LoopClock::present(), 0s);
            patience = std::min(patience.value_or(left), left);
        }
        const int timeoutMs = patience
                                  ? static_cast<int>(std::chrono::ceil<std::chrono::milliseconds>(
                                                         std::min<Duration>(*patience, 1h))
                                                         .count())
                                  : -1;
        ::poll(files.data(), m_isAlone ? 1 : 2, timeoutMs);
        signalfd_siginfo info;
        while (::read(m_ends, &info, sizeof(info)) == sizeof(info)) {}
    }

    void reap()
    {
        while (true) {
            int status = 0;
            const pid_t process = ::waitpid(-1, &status, WNOHANG | WUNTRACED | WCONTINUED);
            if (process <= 0) {
                return;
            }
            if (process == m_command) {
                note(status);
            }
        }
    }

    void note(int status)
    {
        if (WIFCONTINUED(status)) {
            m_isStopped = false;
        } else if (WIFSTOPPED(status)) {
            m_isStopped = true;
            tell(GuardMessage::Kind::Stopped);
        } else {
            m_isStopped = false;
            m_exitCode = shellCodeOf(status);
            tell(GuardMessage::Kind::Ended, *m_exitCode);
        }
    }

    void takeOrders()
    {
        while (true) {
            GuardOrder order;
            const ssize_t count = ::recv(m_task.link, &order, sizeof(order), MSG_DONTWAIT);
            if (count == sizeof(order)) {
                obey(order);
            } else if (count == 0 || (errno != EAGAIN && errno != EINTR)) {
                m_isAlone = true;
                return;
            } else if (errno == EAGAIN) {
                return;
            }
        }
    }

    void obey(const GuardOrder& order)
    {
        switch (order.kind) {
        case GuardOrder::Kind::SignalGroup: signalGroup(order.number); return;
        case GuardOrder::Kind::SignalCommand:
            if (!m_exitCode) {
                ::kill(m_command, order.number);
            }
            return;
        case GuardOrder::Kind::Trust: trust(order.untilUs); return;
        case GuardOrder::Kind::End: beginEnd(m_task.killAfter); return;
        }
    }

    /// A stopped process goes on to receive it.
    void signalGroup(int signalNumber)
    {
        if (!m_exitCode) {
            ::kill(-m_command, signalNumber);
            ::kill(-m_command, SIGCONT);
            return;
        }
        // The number of the group may belong to another one by now.
        for (const wire::ProcessEntry& entry : descendants()) {
            if (entry.session == m_session) {
                signalOne(entry.process, signalNumber);
            }
        }
    }

    static void signalOne(pid_t process, int signalNumber)
    {
        ::kill(process, signalNumber);
        ::kill(process, SIGCONT);
    }

    std::span<const wire::ProcessEntry> descendants()
    {
        return wire::descendantsOf(::getpid(), m_room);
    }

    void beginEnd(Duration killAfter)
    {
        if (m_isEnding) {
            return;
        }
        m_isEnding = true;
        m_killAt = LoopClock::present() + killAfter;
        if (!m_exitCode) {
            signalGroup(SIGTERM);
        }
        for (const wire::ProcessEntry& entry : descendants()) {
            if (m_exitCode || entry.group != m_command) {
                signalOne(entry.process, SIGTERM);
            }
        }
    }

    void endInTime()
    {
        const Instant now = LoopClock::present();
        if (m_isAlone && !m_isEnding) {
            complainAboutBeingAlone();
            // The lock is not renewed any more: as long as it lasts, and no longer.
            const auto left = m_trustedUntil ? *m_trustedUntil - now : Duration::max();
            beginEnd(std::clamp<Duration>(left, 0s, m_task.killAfter));
        }
        const auto next = deadline();
        if (!next || now < *next) {
            return;
        }
        if (!m_isEnding) {
            tell(GuardMessage::Kind::TrustEnded);
            beginEnd(m_task.killAfter);
            return;
        }
        m_wasKilled = true;
        tell(GuardMessage::Kind::Killing);
        wire::killDescendants(::getpid(), [this] { reap(); });
    }

    static void complainAboutBeingAlone()
    {
        pollfd diagnostics{STDERR_FILENO, POLLOUT, 0};
        if (::poll(&diagnostics, 1, 0) == 1 && (diagnostics.revents & POLLOUT) != 0) {
            [[maybe_unused]] const ssize_t count = ::write(STDERR_FILENO, kAloneText.data(),
                                                           kAloneText.size());
        }
    }

    /// Is there anything left to wait for?
    void judge()
    {
        if (!m_exitCode && !m_wasKilled) {
            return;
        }
        const auto all = descendants();
        const auto isAttached = [this](const wire::ProcessEntry& entry) {
            return entry.session == m_session;
        };
        const auto first = std::find_if(all.begin(), all.end(), isAttached);
        const bool mayGoOn = !m_isEnding && first == all.end(); // what detached itself on purpose
        if (all.empty() || mayGoOn || m_wasKilled) {
            m_isOver = true;
            tell(GuardMessage::Kind::Over, all.empty() ? 0 : all.front().process, all.size());
        } else if (!m_isEnding && !m_saidThatItWaits) {
            m_saidThatItWaits = true;
            tell(GuardMessage::Kind::Waiting, first->process,
                 static_cast<std::size_t>(std::count_if(first, all.end(), isAttached)));
        }
    }

    const GuardTask& m_task;
    pid_t m_session;
    int m_ends = -1;
    pid_t m_command = 0;
    std::optional<Instant> m_trustedUntil;
    std::optional<int> m_exitCode; // of the command, once it has ended
    Instant m_killAt{};
    bool m_isStopped = false;
    bool m_isAlone = false; // the link is closed
    bool m_isEnding = false;
    bool m_wasKilled = false;
    bool m_saidThatItWaits = false;
    bool m_isOver = false;
    std::array<wire::ProcessEntry, kRoom> m_room;
};

} // namespace

void guardCommand(const GuardTask& task)
{
    Guard guard(task);
    const bool isStarted = guard.start();
    guard.closeFiles();
    if (isStarted) {
        guard.watch();
    }
    guard.waitForDismissal();
    ::_exit(0);
}

} // namespace lockscope::cli
