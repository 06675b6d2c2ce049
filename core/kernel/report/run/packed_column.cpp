#include "core/kernel/report/run/packed_column.h"

#include <algorithm>
#include <array>

namespace lockscope::report {

namespace {

constexpr std::string_view kLetters =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr std::uint8_t kNoLetter = 0xFF;
constexpr unsigned kGroupBits = 7;
constexpr unsigned kNumberBits = 64;

constexpr std::array<std::uint8_t, 256> makeValues()
{
    std::array<std::uint8_t, 256> values{};
    values.fill(kNoLetter);
    for (std::size_t i = 0; i < kLetters.size(); ++i) {
        values[static_cast<std::uint8_t>(kLetters[i])] = static_cast<std::uint8_t>(i);
    }
    return values;
}

constexpr std::array<std::uint8_t, 256> kValues = makeValues();

std::string inBase64(std::string_view bytes)
{
    std::string text;
    text.reserve((bytes.size() + 2) / 3 * 4);
    for (std::size_t i = 0; i < bytes.size(); i += 3) {
        const std::size_t count = std::min<std::size_t>(bytes.size() - i, 3);
        std::uint32_t bits = 0;
        for (std::size_t k = 0; k < 3; ++k) {
            bits = bits << 8 | (k < count ? static_cast<std::uint8_t>(bytes[i + k]) : 0U);
        }
        for (std::size_t k = 0; k < 4; ++k) {
            text += k <= count ? kLetters[bits >> (18 - 6 * k) & 0x3F] : '=';
        }
    }
    return text;
}

/// Strict: four letters make three bytes, and only the last four may end with =.
std::optional<std::string> fromBase64(std::string_view text)
{
    if (text.size() % 4 != 0) {
        return std::nullopt;
    }
    const std::size_t padding = text.ends_with("==") ? 2 : text.ends_with('=') ? 1 : 0;
    std::string bytes;
    bytes.reserve(text.size() / 4 * 3);
    std::uint32_t bits = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const bool isPadding = i >= text.size() - padding;
        const std::uint8_t value = isPadding ? 0 : kValues[static_cast<std::uint8_t>(text[i])];
        if (value == kNoLetter) {
            return std::nullopt;
        }
        bits = bits << 6 | value;
        if (i % 4 == 3) {
            for (const unsigned shift : {16U, 8U, 0U}) {
                bytes += static_cast<char>(bits >> shift & 0xFF);
            }
            bits = 0;
        }
    }
    for (std::size_t i = 0; i < padding; ++i) {
        bytes.pop_back();
    }
    return bytes;
}

} // namespace

void ColumnWriter::add(std::int64_t number)
{
    const auto sign = static_cast<std::uint64_t>(number >> (kNumberBits - 1));
    std::uint64_t folded = static_cast<std::uint64_t>(number) << 1 ^ sign;
    for (; folded >> kGroupBits != 0; folded >>= kGroupBits) {
        m_bytes += static_cast<char>((folded & 0x7F) | 0x80);
    }
    m_bytes += static_cast<char>(folded);
}

std::string ColumnWriter::text() const
{
    return inBase64(m_bytes);
}

std::optional<ColumnReader> ColumnReader::of(std::string_view text)
{
    std::optional<std::string> bytes = fromBase64(text);
    return bytes ? std::optional(ColumnReader(std::move(*bytes))) : std::nullopt;
}

std::optional<std::int64_t> ColumnReader::next()
{
    std::uint64_t folded = 0;
    for (unsigned shift = 0; shift < kNumberBits && !isAtEnd(); shift += kGroupBits) {
        const auto byte = static_cast<std::uint8_t>(m_bytes[m_place++]);
        const auto group = static_cast<std::uint64_t>(byte & 0x7F);
        if (group << shift >> shift != group) {
            return std::nullopt;
        }
        folded |= group << shift;
        if ((byte & 0x80) == 0) {
            return static_cast<std::int64_t>(folded >> 1 ^ (~(folded & 1) + 1));
        }
    }
    return std::nullopt;
}

} // namespace lockscope::report
