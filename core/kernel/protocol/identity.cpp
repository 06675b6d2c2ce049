#include "core/kernel/protocol/identity.h"

namespace lockscope::protocol {

namespace {

constexpr std::size_t kUuidLength = 36;
constexpr char kDigits[] = "0123456789abcdef";

bool isDash(std::size_t position)
{
    return position == 8 || position == 13 || position == 18 || position == 23;
}

} // namespace

Bytes randomUuid(Rng& rng)
{
    Bytes uuid(kUuidLength, '-');
    std::uint64_t bits = 0;
    int digitsLeft = 0;
    for (std::size_t i = 0; i < kUuidLength; ++i) {
        if (isDash(i)) {
            continue;
        }
        if (digitsLeft == 0) {
            bits = rng.next();
            digitsLeft = 16;
        }
        std::uint64_t digit = bits & 0xF;
        bits >>= 4;
        --digitsLeft;
        if (i == 14) {
            digit = 4; // the version
        } else if (i == 19) {
            digit = 8 | (digit & 3); // the variant
        }
        uuid[i] = kDigits[digit];
    }
    return uuid;
}

} // namespace lockscope::protocol
