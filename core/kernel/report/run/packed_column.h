#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

// Many numbers in one text. A number is folded so that small ones of either sign are short
// (0, -1, 1, -2 become 0, 1, 2, 3), cut into groups of seven bits, the lowest first, each in a byte
// whose top bit says that another one follows; the bytes are written in base64.
namespace lockscope::report {

class ColumnWriter {
public:
    void add(std::int64_t number);

    /// Everything that was added.
    std::string text() const;

private:
    std::string m_bytes;
};

/// Reads a column back, number by number.
class ColumnReader {
public:
    /// nullopt: this is not base64.
    static std::optional<ColumnReader> of(std::string_view text);

    /// nullopt: there is none, or it is cut off or too large.
    std::optional<std::int64_t> next();
    bool isAtEnd() const { return m_place == m_bytes.size(); }
    /// No number takes less than a byte.
    std::size_t countMax() const { return m_bytes.size(); }

private:
    explicit ColumnReader(std::string bytes) : m_bytes(std::move(bytes)) {}

    std::string m_bytes;
    std::size_t m_place = 0;
};

} // namespace lockscope::report
