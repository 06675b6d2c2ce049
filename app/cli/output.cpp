#include "cli/output.h"

#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace lockscope::cli {

namespace {

/// 0, or the error that kept some of it from being written. SIGPIPE is ignored in this program.
int writeAll(int file, std::string_view text)
{
    while (!text.empty()) {
        const ssize_t count = ::write(file, text.data(), text.size());
        if (count < 0 && errno != EINTR) {
            return errno;
        }
        text.remove_prefix(count < 0 ? 0 : static_cast<std::size_t>(count));
    }
    return 0;
}

} // namespace

Output::Output(int results, int diagnostics)
    : m_results(results),
      m_diagnostics(diagnostics),
      m_hasTerminal(::isatty(diagnostics) == 1)
{}

void Output::print(std::string_view text)
{
    clearProgress();
    if (m_error == 0) {
        m_error = writeAll(m_results, text);
    }
}

void Output::complain(std::string_view sentence)
{
    note("lockscope-cli: " + std::string(sentence));
}

void Output::note(std::string_view sentence)
{
    clearProgress();
    writeAll(m_diagnostics, std::string(sentence) + '\n'); // nobody is left to be told if it fails
}

void Output::progress(std::string_view sentence)
{
    if (m_hasTerminal) {
        writeAll(m_diagnostics, "\r\x1b[K" + std::string(sentence));
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

bool Output::isClosedByReader() const
{
    return m_error == EPIPE;
}

std::string Output::brokenReason() const
{
    return std::strerror(m_error);
}

} // namespace lockscope::cli
