#include "core/kernel/protocol/identity.h"

#include <array>
#include <bit>
#include <cstring>
#include <string_view>

namespace lockscope::protocol {

namespace {

constexpr std::string_view kPattern = "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx";
constexpr std::size_t kDigitCount = 32;
constexpr std::size_t kDigitsAtOnce = 8;
/// Among the digits, without the dashes.
constexpr std::size_t kVersion = 12;
constexpr std::size_t kVariant = 16;

/// Hexadecimal digits, the lowest first, one to a byte of the result: that of the lowest in the
/// lowest byte. All at once, because a search makes a token for every try.
std::uint64_t digitsOf(std::uint32_t number)
{
    std::uint64_t spread = number;
    spread = (spread | spread << 16U) & 0x0000'ffff'0000'ffffU;
    spread = (spread | spread << 8U) & 0x00ff'00ff'00ff'00ffU;
    spread = (spread | spread << 4U) & 0x0f0f'0f0f'0f0f'0f0fU;
    constexpr std::uint64_t kOnes = 0x0101'0101'0101'0101U;
    // 6 more than 9 is 16: where that carries, it is a letter.
    const std::uint64_t areLetters = (spread + 6 * kOnes) >> 4U & kOnes;
    return spread + '0' * kOnes + ('a' - '0' - 10) * areLetters;
}

void putLowestFirst(std::uint64_t bytes, char* to)
{
    if constexpr (std::endian::native == std::endian::little) {
        std::memcpy(to, &bytes, sizeof(bytes));
    } else {
        for (std::size_t i = 0; i < sizeof(bytes); ++i) {
            to[i] = static_cast<char>(bytes >> (8 * i) & 0xffU);
        }
    }
}

/// The first digit is the lowest of the first number.
std::array<char, kDigitCount> randomDigits(Rng& rng)
{
    std::array<char, kDigitCount> digits;
    std::uint64_t bits = 0;
    for (std::size_t i = 0; i < kDigitCount; i += kDigitsAtOnce) {
        bits = i % (2 * kDigitsAtOnce) == 0 ? rng.next() : bits >> 32U;
        putLowestFirst(digitsOf(static_cast<std::uint32_t>(bits)), digits.data() + i);
        if (i == kVariant) {
            digits[i] = "89ab"[bits & 3U];
        }
    }
    digits[kVersion] = '4';
    return digits;
}

} // namespace

Bytes randomUuid(Rng& rng)
{
    const auto digits = randomDigits(rng);
    Bytes uuid(kPattern);
    char* const to = uuid.data();
    // Of lengths that the compiler knows: each is a load and a store.
    std::memcpy(to, digits.data(), 8);
    std::memcpy(to + 9, digits.data() + 8, 4);
    std::memcpy(to + 14, digits.data() + 12, 4);
    std::memcpy(to + 19, digits.data() + 16, 4);
    std::memcpy(to + 24, digits.data() + 20, 12);
    return uuid;
}

} // namespace lockscope::protocol
