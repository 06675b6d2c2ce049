#include "app/cli/output/output.h"

#include "core/kernel/base/printable.h"

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <cstring>

namespace lockscope::cli {

namespace {

/// What a pipe or a socket takes without waiting once it can be written at all.
constexpr std::size_t kPieceMax = PIPE_BUF;

/// False when `interruption` can be read and the file cannot be written.
bool waitForRoom(int file, int interruption)
{
    std::array<pollfd, 2> files{{{file, POLLOUT, 0}, {interruption, POLLIN, 0}}};
    while (::poll(files.data(), files.size(), -1) < 0 && errno == EINTR) {}
    return files[0].revents != 0 || files[1].revents == 0;
}

} // namespace

/// 0, or the error that kept some of it from being written. SIGPIPE is ignored in this program.
int Output::writeAll(int file, std::string_view text) const
{
    while (!text.empty()) {
        const bool mayBeInterrupted = m_interruption >= 0;
        if (mayBeInterrupted && !waitForRoom(file, m_interruption)) {
            return EINTR;
        }
        const std::size_t piece = mayBeInterrupted ? std::min(text.size(), kPieceMax) : text.size();
        const ssize_t count = ::write(file, text.data(), piece);
        if (count < 0 && errno != EINTR) {
            return errno;
        }
        text.remove_prefix(count < 0 ? 0 : static_cast<std::size_t>(count));
    }
    return 0;
}

Output::Output(int results, int diagnostics)
    : m_results(results),
      m_diagnostics(diagnostics),
      m_hasTerminal(::isatty(diagnostics) == 1)
{}

void Output::print(std::string_view text)
{
    clearProgress();
    if (m_error == 0) {
        m_error = writeAll(m_results, printable(text));
    }
}

void Output::complain(std::string_view sentence)
{
    note("lockscope-cli: " + std::string(sentence));
}

void Output::note(std::string_view sentence)
{
    clearProgress();
    writeAll(m_diagnostics, printable(sentence) + '\n'); // a failure here cannot be reported
}

void Output::progress(std::string_view sentence)
{
    if (m_hasTerminal) {
        writeAll(m_diagnostics, "\r\x1b[K" + printable(sentence));
        m_hasProgress = true;
    }
}

void Output::clearProgress()
{
    if (m_hasProgress) {
        writeAll(m_diagnostics, "\r\x1b[K");
        m_hasProgress = false;
    }
}

bool Output::isGivenUp() const
{
    return m_error == EPIPE || m_error == EINTR;
}

std::string Output::brokenReason() const
{
    return std::strerror(m_error);
}

} // namespace lockscope::cli
