#include "core/kernel/protocol/identity.h"

#include <algorithm>
#include <array>
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

/// The first digit is the lowest of the first number.
std::array<char, kDigitCount> randomDigits(Rng& rng)
{
    std::array<char, kDigitCount> digits{};
    std::uint64_t bits = 0;
    for (std::size_t i = 0; i < kDigitCount; i += kDigitsAtOnce) {
        bits = i % (2 * kDigitsAtOnce) == 0 ? rng.next() : bits >> 32U;
        const std::uint64_t text = digitsOf(static_cast<std::uint32_t>(bits));
        for (std::size_t k = 0; k < kDigitsAtOnce; ++k) {
            digits[i + k] = static_cast<char>(text >> (8 * k) & 0xffU);
        }
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
    std::size_t from = 0;
    std::size_t to = 0;
    for (const std::size_t length : {8U, 4U, 4U, 4U, 12U}) {
        std::copy_n(digits.data() + from, length, uuid.data() + to);
        from += length;
        to += length + 1;
    }
    return uuid;
}

} // namespace lockscope::protocol
