#include "core/conduct/client_process.h"

#include "core/wire/process_tree.h"
#include "core/wire/program_words.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <ctime>
#include <system_error>
#include <utility>

namespace lockscope::conduct {

namespace {

constexpr int kNotExecuted = 127;
constexpr int kLooksPerTry = 50; // a millisecond each
constexpr mode_t kOwnerOnly = 0600;

struct Pipe {
    int readEnd = -1;
    int writeEnd = -1;

    Pipe()
    {
        std::array<int, 2> ends{};
        if (::pipe2(ends.data(), O_CLOEXEC) != 0) {
            throw std::system_error(errno, std::generic_category(), "pipe");
        }
        readEnd = ends[0];
        writeEnd = ends[1];
    }
    ~Pipe()
    {
        for (const int end : {readEnd, writeEnd}) {
            if (end >= 0) {
                ::close(end);
            }
        }
    }
    Pipe(const Pipe&) = delete;
    Pipe& operator=(const Pipe&) = delete;

    int takeReadEnd() { return std::exchange(readEnd, -1); }
    int takeWriteEnd() { return std::exchange(writeEnd, -1); }
};

/// What both children between fork() and exec() are given. Nothing there allocates.
struct Birth {
    char* const* words;
    char* const* environment;
    int input, output, errors; // the ends of the client
    int link;                  // the guard's end
    int report;                // where the guard says the number of the process, or an error
};

[[noreturn]] void becomeClient(const Birth& birth, int failure)
{
    ::setpgid(0, 0);
    ::prctl(PR_SET_PDEATHSIG, SIGKILL); // should the guard be killed
    ::dup2(birth.input, STDIN_FILENO);
    ::dup2(birth.output, STDOUT_FILENO);
    ::dup2(birth.errors, STDERR_FILENO);
    sigset_t none;
    ::sigemptyset(&none);
    ::sigprocmask(SIG_SETMASK, &none, nullptr);
    ::signal(SIGPIPE, SIG_DFL);
    ::execvpe(birth.words[0], birth.words, birth.environment);
    const int error = errno;
    [[maybe_unused]] const ssize_t count = ::write(failure, &error, sizeof(error));
    ::_exit(kNotExecuted);
}

/// Waits until nobody holds the other end of the link any more, and ends whatever descends from
/// here.
[[noreturn]] void guard(const Birth& birth)
{
    ::prctl(PR_SET_NAME, "lockscope-guard");
    ::prctl(PR_SET_CHILD_SUBREAPER, 1);
    ::setpgid(0, 0); // Ctrl+C is not for it
    std::array<int, 2> failure{};
    std::array<int, 2> said{0, 0}; // process, error
    if (::pipe2(failure.data(), O_CLOEXEC) != 0) {
        ::_exit(kNotExecuted);
    }
    said[0] = ::fork();
    if (said[0] == 0) {
        becomeClient(birth, failure[1]);
    }
    ::close(failure[1]);
    [[maybe_unused]] ssize_t count = ::read(failure[0], &said[1], sizeof(int)); // 0: it runs
    count = ::write(birth.report, said.data(), sizeof(said));
    const int link = ::dup(birth.link);
    ::dup2(link, STDERR_FILENO + 1);
    ::close_range(STDERR_FILENO + 2, ~0U, 0);
    pollfd file{STDERR_FILENO + 1, POLLIN, 0};
    while ((file.revents & (POLLHUP | POLLERR)) == 0) {
        ::poll(&file, 1, -1);
    }
    wire::killDescendants(::getpid(), [] {
        while (::waitpid(-1, nullptr, WNOHANG) > 0) {}
    });
    ::_exit(0);
}

} // namespace

ClientProcess::ClientProcess(const Setting& setting)
{
    auto variables = setting.variables;
    variables.emplace_back("TMPDIR", m_folder.path());
    if (!setting.markVariable.empty()) {
        openMarks();
        variables.emplace_back(setting.markVariable, markPath());
    }
    std::vector<std::string> words = setting.words;
    std::vector<std::string> environment = wire::environmentWith(variables);
    const auto wordPointers = wire::pointersTo(words);
    const auto environmentPointers = wire::pointersTo(environment);
    Pipe input;
    Pipe output;
    Pipe errors;
    Pipe link;
    Pipe report;
    m_guard = ::fork();
    if (m_guard == 0) {
        ::close(link.writeEnd);
        guard({wordPointers.data(), environmentPointers.data(), input.readEnd, output.writeEnd,
               errors.writeEnd, link.readEnd, report.writeEnd});
    }
    ::close(report.takeWriteEnd());
    std::array<int, 2> said{0, ECHILD};
    const bool isHeard = ::read(report.readEnd, said.data(), sizeof(said)) == sizeof(said);
    m_process = said[0];
    m_probe = std::make_unique<RestProbe>(m_process);
    m_input = input.takeWriteEnd();
    m_link = link.takeWriteEnd();
    m_output.file = output.takeReadEnd();
    m_errors.file = errors.takeReadEnd();
    for (const int file : {m_input, m_output.file, m_errors.file}) {
        ::fcntl(file, F_SETFL, O_NONBLOCK);
    }
    if (!isHeard || said[1] != 0) {
        kill();
        throw std::system_error(said[1], std::generic_category(), setting.words.front());
    }
}

ClientProcess::~ClientProcess()
{
    kill();
    for (const int file : {m_input, m_output.file, m_errors.file, m_marks.file}) {
        if (file >= 0) {
            ::close(file);
        }
    }
}

/// Both ends are open here, so that nobody who opens it has to wait.
void ClientProcess::openMarks()
{
    if (::mkfifo(markPath().c_str(), kOwnerOnly) != 0) {
        throw std::system_error(errno, std::generic_category(), markPath());
    }
    m_marks.file = ::open(markPath().c_str(), O_RDWR | O_NONBLOCK | O_CLOEXEC);
}

void ClientProcess::say(std::string_view line) const
{
    std::string text(line);
    text += '\n';
    // A pipe has no MSG_NOSIGNAL; the program ignores SIGPIPE while it conducts.
    [[maybe_unused]] const ssize_t count = ::write(m_input, text.data(), text.size());
}

void ClientProcess::stop()
{
    m_isStopped = true;
    ::kill(-m_process, SIGSTOP);
    for (int looks = 1; !isGone() && !m_probe->isStandingStill(); ++looks) {
        ::poll(nullptr, 0, 1);
        if (looks % kLooksPerTry == 0) {
            // Who is in vfork() stands still only when its child is, which was stopped before.
            ::kill(-m_process, SIGCONT);
            ::poll(nullptr, 0, 1);
            ::kill(-m_process, SIGSTOP);
        }
    }
}

void ClientProcess::goOn()
{
    m_isStopped = false;
    ::kill(-m_process, SIGCONT);
}

Duration ClientProcess::workTime() const
{
    clockid_t clock{};
    timespec time{};
    if (::clock_getcpuclockid(m_process, &clock) != 0 || ::clock_gettime(clock, &time) != 0) {
        return Duration(0);
    }
    return std::chrono::duration_cast<Duration>(std::chrono::seconds(time.tv_sec)
                                                + std::chrono::nanoseconds(time.tv_nsec));
}

void ClientProcess::kill()
{
    if (m_isGone) {
        return;
    }
    if (m_process > 0) {
        ::kill(-m_process, SIGKILL);
    }
    if (m_link >= 0) {
        ::close(std::exchange(m_link, -1));
    }
    ::waitpid(m_guard, nullptr, 0);
    m_isGone = true;
}

bool ClientProcess::isGone()
{
    if (!m_isGone) {
        const auto entry = wire::processEntry(m_process);
        if (!entry || entry->isOver) {
            kill();
        }
    }
    return m_isGone;
}

} // namespace lockscope::conduct
