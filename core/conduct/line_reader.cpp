#include "core/conduct/line_reader.h"

#include "core/kernel/base/bytes.h"

#include <unistd.h>

#include <array>

namespace lockscope::conduct {

namespace {

constexpr std::size_t kReadSize = 16'384;
/// A process that writes without a pause must not keep the reader from everything else.
constexpr int kReadsPerCall = 16;
constexpr std::size_t kShownMax = 200;

} // namespace

std::vector<std::string> LineReader::takeFrom(int file)
{
    std::array<char, kReadSize> room; // NOLINT(*-member-init): filled as far as it is used
    std::vector<std::string> lines;
    ssize_t count = -1;
    for (int reads = 0; file >= 0 && reads < kReadsPerCall; ++reads) {
        count = ::read(file, room.data(), room.size());
        if (count <= 0) {
            break;
        }
        append({room.data(), static_cast<std::size_t>(count)}, lines);
    }
    m_isClosed = count == 0;
    return lines;
}

void LineReader::append(std::string_view bytes, std::vector<std::string>& lines)
{
    while (!bytes.empty()) {
        const std::size_t end = bytes.find('\n');
        addPart(bytes.substr(0, end), lines);
        if (end == std::string_view::npos) {
            return;
        }
        if (!m_isDropping) {
            finish(lines);
        }
        m_isDropping = false;
        bytes.remove_prefix(end + 1);
    }
}

void LineReader::addPart(std::string_view part, std::vector<std::string>& lines)
{
    if (m_isDropping) {
        return;
    }
    const std::size_t room = kLineMax - m_line.size();
    m_line.append(part.substr(0, room));
    if (part.size() > room) {
        finish(lines);
        lines.back() += "…";
        m_isDropping = true;
        m_hasCut = true;
    }
}

void LineReader::finish(std::vector<std::string>& lines)
{
    lines.push_back(isUtf8(m_line) ? m_line : escaped(m_line)); // reports are UTF-8
    m_line.clear();
}

std::string shownLine(std::string_view line)
{
    return elidedEnd(escaped(line), kShownMax);
}

} // namespace lockscope::conduct
