#include "cli/command_process.h"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <string_view>

namespace lockscope::cli {

namespace {

/// What a command finds at its defaults, although this program ignores it or handles it.
constexpr std::array kDefaultSignals{SIGPIPE, SIGTTOU};

std::vector<char*> pointersTo(std::vector<std::string>& words)
{
    std::vector<char*> pointers;
    pointers.reserve(words.size() + 1);
    for (std::string& word : words) {
        pointers.push_back(word.data());
    }
    pointers.push_back(nullptr);
    return pointers;
}

/// The environment of this process, with some variables set anew.
std::vector<std::string> environmentWith(const CommandProcess::Variables& variables)
{
    std::vector<std::string> all;
    for (const auto& [name, value] : variables) {
        std::string& entry = all.emplace_back(name);
        entry.append("=").append(value);
    }
    for (char** entry = environ; *entry != nullptr; ++entry) {
        const std::string_view text(*entry);
        bool isReplaced = false;
        for (const auto& [name, value] : variables) {
            isReplaced = isReplaced
                         || (text.starts_with(name) && text.substr(name.size()).starts_with('='));
        }
        if (!isReplaced) {
            all.emplace_back(text);
        }
    }
    return all;
}

int shellCodeOf(int status)
{
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
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

} // namespace

CommandProcess::CommandProcess()
{
    ::signal(SIGTTOU, SIG_IGN); // or giving the terminal away and taking it back would stop us
    // Whoever the command leaves behind becomes a child of ours: then we learn of its end.
    ::prctl(PR_SET_CHILD_SUBREAPER, 1);
}

CommandProcess::~CommandProcess()
{
    if (m_terminal >= 0) {
        takeTerminalBack();
        ::close(m_terminal);
    }
}

int CommandProcess::start(const std::vector<std::string>& words, const Variables& variables)
{
    std::vector<std::string> ownWords = words;
    std::vector<std::string> environment = environmentWith(variables);
    const std::vector<char*> wordPointers = pointersTo(ownWords);
    const std::vector<char*> environmentPointers = pointersTo(environment);
    if (::isatty(STDIN_FILENO) == 1 && ::tcgetpgrp(STDIN_FILENO) == ::getpgrp()) {
        m_terminal = ::fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3);
    }
    std::array<int, 2> report{};
    if (::pipe2(report.data(), O_CLOEXEC) != 0) {
        return errno;
    }
    const pid_t parent = ::getpid();
    const pid_t child = ::fork();
    if (child == 0) {
        becomeCommand(wordPointers.data(), environmentPointers.data(), parent, report[1]);
    }
    const int forkError = child < 0 ? errno : 0;
    ::close(report[1]);
    const int error = forkError != 0 ? forkError : reportOf(report[0]);
    ::close(report[0]);
    m_process = child;
    if (error != 0) {
        takeTerminalBack();
        ::waitpid(child, nullptr, 0); // nothing to wait for when there was no fork
        m_process = 0;
    }
    return error;
}

/// In the child, between fork() and exec(): only what is safe there.
void CommandProcess::becomeCommand(char* const* words, char* const* environment, pid_t parent,
                                   int reportFile) const
{
    ::setpgid(0, 0);
    if (m_terminal >= 0) {
        ::tcsetpgrp(m_terminal, ::getpid());
    }
    ::prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (::getppid() != parent) {
        ::_exit(127); // it died just now
    }
    for (const int signalNumber : kDefaultSignals) {
        ::signal(signalNumber, SIG_DFL);
    }
    sigset_t none;
    ::sigemptyset(&none);
    ::sigprocmask(SIG_SETMASK, &none, nullptr);
    ::execvpe(words[0], words, environment);
    const int error = errno;
    [[maybe_unused]] const ssize_t count = ::write(reportFile, &error, sizeof(error));
    ::_exit(127);
}

void CommandProcess::signalGroup(int signalNumber) const
{
    if (isStarted() && !m_isGroupGone) {
        ::kill(-m_process, signalNumber);
        ::kill(-m_process, SIGCONT);
    }
}

void CommandProcess::signalCommand(int signalNumber)
{
    if (isStarted() && !m_exitCode) {
        ::kill(m_process, signalNumber);
    }
}

void CommandProcess::reap()
{
    if (!isStarted()) {
        return;
    }
    while (true) {
        int status = 0;
        const pid_t ended = ::waitpid(-1, &status, WNOHANG | WUNTRACED);
        if (ended <= 0) {
            break;
        }
        if (ended != m_process) {
            continue;
        }
        if (WIFSTOPPED(status)) {
            stopWithCommand();
        } else {
            m_exitCode = shellCodeOf(status);
            takeTerminalBack();
        }
    }
    // All that remains of the group are descendants, which are children of ours by now.
    m_isGroupGone = m_exitCode && ::kill(-m_process, 0) != 0 && errno == ESRCH;
}

void CommandProcess::giveTerminal() const
{
    if (m_terminal >= 0 && ::tcgetpgrp(m_terminal) == ::getpgrp()) {
        ::tcsetpgrp(m_terminal, m_process);
    }
}

void CommandProcess::takeTerminalBack() const
{
    if (m_terminal >= 0 && ::tcgetpgrp(m_terminal) == m_process) {
        ::tcsetpgrp(m_terminal, ::getpgrp());
    }
}

/// Ctrl+Z stops the command; the shell of the user waits for us to stop, too. The lock is not
/// renewed meanwhile: if that takes longer than the lease, it is lost afterwards.
void CommandProcess::stopWithCommand() const
{
    if (m_terminal < 0 || ::tcgetpgrp(m_terminal) != m_process) {
        return; // somebody stopped the command alone
    }
    takeTerminalBack();
    ::raise(SIGSTOP);
    giveTerminal();
    ::kill(-m_process, SIGCONT);
}

} // namespace lockscope::cli
