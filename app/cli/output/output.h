#pragma once

#include <string>
#include <string_view>

namespace lockscope::cli {

/// Where the program speaks: what was asked for to standard output, everything else to standard
/// error. Nothing is kept back: what was printed has left the process. Everything is made
/// printable() on its way, because names and files of other people are quoted in it.
class Output {
public:
    /// File descriptors, which stay open and belong to the caller.
    Output(int results, int diagnostics);

    /// While this file can be read (it tells of signals), nothing waits for a reader who does not
    /// read: what would have to is dropped. -1: everything waits, without limit.
    void setInterruption(int file) { m_interruption = file; }

    /// Goes to standard output: text, JSON, CSV.
    void print(std::string_view text);

    /// One line on standard error, behind the name of the program.
    void complain(std::string_view sentence);

    /// One line on standard error.
    void note(std::string_view sentence);

    /// A line on standard error that the next one overwrites; nothing when that is no terminal.
    void progress(std::string_view sentence);

    /// The results are not read any more (a closed pipe, a full disk): printing is in vain.
    bool isBroken() const { return m_error != 0; }
    /// The reader has seen enough, or a signal came while he did not read: that is no failure.
    bool isGivenUp() const;
    /// Why printing failed, as the system says it.
    std::string brokenReason() const;

private:
    void clearProgress();
    int writeAll(int file, std::string_view text) const;

    int m_results;
    int m_diagnostics;
    int m_interruption = -1;
    int m_error = 0;
    bool m_hasTerminal;
    bool m_hasProgress = false;
};

} // namespace lockscope::cli
