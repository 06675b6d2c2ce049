#include "core/conduct/server/reply_frame.h"

#include <charconv>
#include <stdexcept>
#include <string>

namespace lockscope::conduct {

using store::Reply;

namespace {

constexpr std::string_view kLineEnd = "\r\n";
constexpr int kDepthMax = 64;

/// Thrown where more bytes are needed.
struct Incomplete {};

class FrameReader {
public:
    FrameReader(std::string_view bytes, std::size_t sizeMax) : m_bytes(bytes), m_sizeMax(sizeMax) {}

    Reply read(int depth = 0)
    {
        if (depth > kDepthMax) {
            throw std::runtime_error("a reply in too many parts");
        }
        const std::string_view line = takeLine();
        if (line.empty()) {
            throw std::runtime_error("a reply without a type");
        }
        const std::string_view rest = line.substr(1);
        switch (line.front()) {
        case '+': return Reply::ofStatus(std::string(rest));
        case '-': return Reply::ofError(std::string(rest));
        case ':': return Reply::ofInteger(numberIn(rest));
        case '#': return Reply::ofInteger(rest == "t" ? 1 : 0);
        case ',':
        case '(': return Reply::ofBulk(Bytes(rest));
        case '_': return Reply();
        case '!': return Reply::ofError(takeString(rest));
        case '$':
        case '=': return numberIn(rest) < 0 ? Reply() : Reply::ofBulk(takeString(rest));
        case '*':
        case '~':
        case '>': return numberIn(rest) < 0 ? Reply() : takeItems(rest, 1, depth);
        case '%': return takeItems(rest, 2, depth);
        case '|': takeItems(rest, 2, depth); return read(depth + 1); // attributes
        default: throw std::runtime_error("a reply of an unknown type");
        }
    }

    std::size_t size() const { return m_at; }

private:
    std::string_view takeLine()
    {
        const std::size_t end = m_bytes.find(kLineEnd, m_at);
        if (end == std::string_view::npos) {
            throw Incomplete();
        }
        const std::string_view line = m_bytes.substr(m_at, end - m_at);
        m_at = end + kLineEnd.size();
        return line;
    }

    static std::int64_t numberIn(std::string_view digits)
    {
        std::int64_t number = 0;
        const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(),
                                                  number);
        if (error != std::errc() || end != digits.data() + digits.size()) {
            throw std::runtime_error("a reply with a number that is none");
        }
        return number;
    }

    /// A number of bytes, or of parts, each of which takes at least a byte.
    std::size_t countIn(std::string_view digits, const char* complaint) const
    {
        const std::int64_t number = numberIn(digits);
        if (number < 0 || static_cast<std::uint64_t>(number) > m_sizeMax) {
            throw FrameTooLong(complaint);
        }
        return static_cast<std::size_t>(number);
    }

    Bytes takeString(std::string_view size)
    {
        const std::size_t count = countIn(size, "invalid bulk length");
        if (m_bytes.size() - m_at < count + kLineEnd.size()) {
            throw Incomplete();
        }
        Bytes text(m_bytes.substr(m_at, count));
        m_at += count + kLineEnd.size();
        return text;
    }

    Reply takeItems(std::string_view size, std::size_t partsPerItem, int depth)
    {
        const std::size_t count = countIn(size, "invalid multibulk length") * partsPerItem;
        Reply::Array items;
        for (std::size_t i = 0; i < count; ++i) {
            items.push_back(read(depth + 1));
        }
        return Reply::ofArray(std::move(items));
    }

    std::string_view m_bytes;
    std::size_t m_sizeMax;
    std::size_t m_at = 0;
};

} // namespace

std::optional<ReplyFrame> firstFrameIn(std::string_view bytes, std::size_t sizeMax)
{
    FrameReader reader(bytes, sizeMax);
    try {
        ReplyFrame frame;
        frame.reply = reader.read();
        frame.size = reader.size();
        frame.isPush = bytes.front() == '>';
        return frame;
    } catch (const Incomplete&) {
        if (bytes.size() > sizeMax) {
            throw FrameTooLong("invalid multibulk length");
        }
        return std::nullopt;
    }
}

} // namespace lockscope::conduct
