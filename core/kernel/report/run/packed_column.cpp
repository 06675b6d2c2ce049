#include "core/kernel/report/run/packed_column.h"

#include <array>
#include <cstddef>
#include <string>

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

/// The number that begins at `place`, which is moved behind it. nullopt: it is cut off or too
/// large.
std::optional<std::int64_t> numberAt(std::string_view bytes, std::size_t& place)
{
    std::uint64_t folded = 0;
    for (unsigned shift = 0; shift < kNumberBits && place < bytes.size(); shift += kGroupBits) {
        const auto byte = static_cast<std::uint8_t>(bytes[place++]);
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

} // namespace

std::optional<std::vector<std::int64_t>> unpackedColumn(std::string_view text)
{
    const std::optional<std::string> bytes = fromBase64(text);
    if (!bytes) {
        return std::nullopt;
    }
    std::vector<std::int64_t> numbers;
    for (std::size_t place = 0; place < bytes->size();) {
        const std::optional<std::int64_t> number = numberAt(*bytes, place);
        if (!number) {
            return std::nullopt;
        }
        numbers.push_back(*number);
    }
    return numbers;
}

} // namespace lockscope::report
