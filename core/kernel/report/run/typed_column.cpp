#include "core/kernel/report/run/typed_column.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

namespace lockscope::report {

namespace {

constexpr unsigned kByteBits = 8;
constexpr unsigned kWordBits = 64;

/// A tag of RFC 8746, section 2.1.
struct ElementType {
    std::uint8_t tag;
    unsigned bytes;
    bool isSigned;

    unsigned bits() const { return bytes * kByteBits; }

    std::int64_t least() const
    {
        return isSigned ? static_cast<std::int64_t>(~std::uint64_t{0} << (bits() - 1)) : 0;
    }
    std::int64_t most() const
    {
        return static_cast<std::int64_t>(~std::uint64_t{0} >> (kWordBits - bits() + isSigned));
    }
};

/// The narrowest first. The last one holds everything.
constexpr std::array<ElementType, 7> kElementTypes{{
    {64, 1, false},
    {72, 1, true},
    {69, 2, false},
    {77, 2, true},
    {70, 4, false},
    {78, 4, true},
    {79, 8, true},
}};

const ElementType& typeFor(const std::vector<std::int64_t>& numbers)
{
    if (numbers.empty()) {
        return kElementTypes.front();
    }
    const auto [least, most] = std::ranges::minmax(numbers);
    return *std::ranges::find_if(kElementTypes, [least = least, most = most](const auto& type) {
        return least >= type.least() && most <= type.most();
    });
}

void append(std::vector<std::uint8_t>& bytes, std::int64_t number, unsigned count)
{
    for (unsigned i = 0; i < count; ++i) {
        bytes.push_back(static_cast<std::uint8_t>(static_cast<std::uint64_t>(number)
                                                  >> (i * kByteBits)));
    }
}

std::int64_t numberAt(const std::vector<std::uint8_t>& bytes, std::size_t place,
                      const ElementType& type)
{
    std::uint64_t bits = 0;
    for (unsigned i = type.bytes; i > 0; --i) {
        bits = bits << kByteBits | bytes[place + i - 1];
    }
    const unsigned above = kWordBits - type.bits();
    return type.isSigned ? static_cast<std::int64_t>(bits << above) >> above
                         : static_cast<std::int64_t>(bits);
}

} // namespace

Json typedColumn(const std::vector<std::int64_t>& numbers)
{
    const ElementType& type = typeFor(numbers);
    std::vector<std::uint8_t> bytes;
    bytes.reserve(numbers.size() * type.bytes);
    for (const std::int64_t number : numbers) {
        append(bytes, number, type.bytes);
    }
    return Json::binary(std::move(bytes), type.tag);
}

std::optional<std::vector<std::int64_t>> numbersInTypedColumn(const nlohmann::json& value)
{
    if (!value.is_binary() || !value.get_binary().has_subtype()) {
        return std::nullopt;
    }
    const nlohmann::json::binary_t& bytes = value.get_binary();
    const auto* const type = std::ranges::find(kElementTypes, bytes.subtype(), &ElementType::tag);
    if (type == kElementTypes.end() || bytes.size() % type->bytes != 0) {
        return std::nullopt;
    }
    std::vector<std::int64_t> numbers(bytes.size() / type->bytes);
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        numbers[i] = numberAt(bytes, i * type->bytes, *type);
    }
    return numbers;
}

} // namespace lockscope::report
