#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace lockscope::conduct {

/// Reads lines from a pipe without blocking, in bounded memory: a line without end is cut, and one
/// call takes only so much.
class LineReader {
public:
    /// A longer line comes as soon as it is longer, cut there and with "…" at its end. The rest of
    /// it is dropped.
    static constexpr std::size_t kLineMax = 65'536;

    /// Whole lines that have come since the last call, without their ends, in UTF-8.
    std::vector<std::string> takeFrom(int file);

    /// The other end is closed and everything was read.
    bool isClosed() const { return m_isClosed; }
    /// A line was cut so far.
    bool hasCutALine() const { return m_hasCut; }

private:
    void append(std::string_view bytes, std::vector<std::string>& lines);
    void addPart(std::string_view part, std::vector<std::string>& lines);
    void finish(std::vector<std::string>& lines);

    std::string m_line;        // the beginning of the line that has not ended yet
    bool m_isDropping = false; // the rest of a line that was cut
    bool m_hasCut = false;
    bool m_isClosed = false;
};

/// The line as a message quotes it: printable, and no longer than a message may be.
std::string shownLine(std::string_view line);

} // namespace lockscope::conduct
