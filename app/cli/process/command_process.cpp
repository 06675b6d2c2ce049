#include "app/cli/process/command_process.h"

#include "app/cli/process/command_guard.h"
#include "app/cli/process/guard_link.h"
#include "core/wire/process_tree.h"
#include "core/wire/program_words.h"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <string_view>

namespace lockscope::cli {

namespace {

/// Of this program; no command has any business with them.
constexpr std::array<std::string_view, 3> kSecretVariables{"LOCKSCOPE_PASSWORD",
                                                           "LOCKSCOPE_KEY_PASSPHRASE",
                                                           "LOCKSCOPE_SENTINEL_PASSWORD"};
constexpr int kExitKilled = 128 + SIGKILL;

std::int64_t untilUs(std::optional<Instant> instant)
{
    return instant ? instant->time_since_epoch().count() : GuardOrder::kForEver;
}

void send(int link, GuardOrder::Kind kind, int number = 0,
          std::int64_t trustedUs = GuardOrder::kForEver)
{
    const GuardOrder order{kind, number, trustedUs};
    ::send(link, &order, sizeof(order), MSG_NOSIGNAL);
}

} // namespace

CommandProcess::CommandProcess(Duration killAfter, QObject* parent)
    : QObject(parent),
      m_killAfter(killAfter)
{
    ::signal(SIGTTOU, SIG_IGN); // or giving the terminal away and taking it back would stop us
    // What a killed guard leaves behind becomes a child of ours.
    ::prctl(PR_SET_CHILD_SUBREAPER, 1);
}

CommandProcess::~CommandProcess()
{
    m_news.reset();
    if (m_terminal >= 0) {
        takeTerminalBack();
        ::close(m_terminal);
    }
    if (m_link >= 0) {
        ::close(m_link);
        ::waitpid(m_guard, nullptr, 0); // whatever still goes on of the command is ended by then
    }
}

int CommandProcess::start(const std::vector<std::string>& words, const Variables& variables,
                          std::optional<Instant> trustedUntil)
{
    std::vector<std::string> ownWords = words;
    std::vector<std::string> environment = wire::environmentWith(variables, kSecretVariables);
    const std::vector<char*> wordPointers = wire::pointersTo(ownWords);
    const std::vector<char*> environmentPointers = wire::pointersTo(environment);
    if (::isatty(STDIN_FILENO) == 1 && ::tcgetpgrp(STDIN_FILENO) == ::getpgrp()) {
        m_terminal = ::fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3);
    }
    int error = startGuard(wordPointers.data(), environmentPointers.data(), trustedUntil);
    if (error == 0) {
        error = hearOfStart();
    }
    if (error != 0) {
        takeTerminalBack();
        return error;
    }
    m_news = std::make_unique<QSocketNotifier>(m_link, QSocketNotifier::Read);
    connect(m_news.get(), &QSocketNotifier::activated, this, &CommandProcess::takeNews);
    return 0;
}

int CommandProcess::startGuard(char* const* words, char* const* environment,
                               std::optional<Instant> trustedUntil)
{
    std::array<int, 2> ends{};
    if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends.data()) != 0) {
        return errno;
    }
    const GuardTask task{words,      environment, ends[1],
                         m_terminal, m_killAfter, untilUs(trustedUntil)};
    m_guard = ::fork();
    if (m_guard == 0) {
        guardCommand(task);
    }
    const int error = m_guard < 0 ? errno : 0;
    ::close(ends[1]);
    if (error != 0) {
        ::close(ends[0]);
        return error;
    }
    m_link = ends[0];
    return 0;
}

/// Waits for the first news.
int CommandProcess::hearOfStart()
{
    GuardMessage news;
    ssize_t count = 0;
    do {
        count = ::recv(m_link, &news, sizeof(news), 0);
    } while (count < 0 && errno == EINTR);
    if (count != sizeof(news)) {
        return ECHILD; // the guard was killed at once
    }
    if (news.kind == GuardMessage::Kind::CannotStart) {
        return news.number;
    }
    m_process = news.number;
    return 0;
}

void CommandProcess::takeNews()
{
    GuardMessage news;
    ssize_t count = 0;
    while ((count = ::recv(m_link, &news, sizeof(news), MSG_DONTWAIT)) == sizeof(news)) {
        const Others others{news.count, news.number};
        switch (news.kind) {
        case GuardMessage::Kind::Started:
        case GuardMessage::Kind::CannotStart: break;
        case GuardMessage::Kind::Stopped: stopWithCommand(); break;
        case GuardMessage::Kind::Ended:
            m_exitCode = news.number;
            takeTerminalBack();
            break;
        case GuardMessage::Kind::Waiting: Q_EMIT waiting(others); break;
        case GuardMessage::Kind::TrustEnded: Q_EMIT trustEnded(); break;
        case GuardMessage::Kind::Killing: Q_EMIT killed(); break;
        case GuardMessage::Kind::Over:
            m_exitCode = m_exitCode.value_or(kExitKilled);
            m_isOver = true;
            Q_EMIT over(others);
            break;
        }
    }
    if (count == 0) {
        replaceGuard();
    }
}

/// The guard was killed, and the system killed the command with it; what is left are children
/// of ours by now.
void CommandProcess::replaceGuard()
{
    m_news.reset();
    if (m_isOver) {
        return;
    }
    Q_EMIT killed();
    ::close(std::exchange(m_link, -1));
    ::waitpid(m_guard, nullptr, 0);
    wire::killDescendants(::getpid(), [] {
        while (::waitpid(-1, nullptr, WNOHANG) > 0) {}
    });
    takeTerminalBack();
    m_exitCode = m_exitCode.value_or(kExitKilled);
    m_isOver = true;
    Q_EMIT over({});
}

void CommandProcess::trustUntil(std::optional<Instant> instant) const
{
    if (isStarted() && !m_isOver) {
        send(m_link, GuardOrder::Kind::Trust, 0, untilUs(instant));
    }
}

void CommandProcess::signalGroup(int signalNumber) const
{
    if (isStarted() && !m_isOver) {
        send(m_link, GuardOrder::Kind::SignalGroup, signalNumber);
    }
}

void CommandProcess::signalCommand(int signalNumber) const
{
    if (isStarted() && !m_isOver) {
        send(m_link, GuardOrder::Kind::SignalCommand, signalNumber);
    }
}

void CommandProcess::end() const
{
    if (isStarted() && !m_isOver) {
        send(m_link, GuardOrder::Kind::End);
    }
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
        return; // the command alone was stopped
    }
    takeTerminalBack();
    ::raise(SIGSTOP);
    giveTerminal();
    signalGroup(SIGCONT);
}

} // namespace lockscope::cli
