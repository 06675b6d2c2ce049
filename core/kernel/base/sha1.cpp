#include "core/kernel/base/sha1.h"

#include "core/kernel/base/bytes.h"

#include <array>
#include <bit>
#include <cstdint>

namespace lockscope {

namespace {

constexpr std::size_t kBlockBytes = 64;

using State = std::array<std::uint32_t, 5>;

std::uint32_t bigEndianAt(const char* bytes)
{
    std::uint32_t word = 0;
    for (int i = 0; i < 4; ++i) {
        word = word << 8U | static_cast<unsigned char>(bytes[i]);
    }
    return word;
}

/// The function and the constant of one of the 80 rounds.
std::uint32_t mixed(std::size_t round, std::uint32_t b, std::uint32_t c, std::uint32_t d)
{
    if (round < 20) {
        return ((b & c) | (~b & d)) + 0x5a827999U;
    }
    if (round < 40) {
        return (b ^ c ^ d) + 0x6ed9eba1U;
    }
    if (round < 60) {
        return ((b & c) | (b & d) | (c & d)) + 0x8f1bbcdcU;
    }
    return (b ^ c ^ d) + 0xca62c1d6U;
}

void addBlock(State& state, const char* block)
{
    std::array<std::uint32_t, 80> words;
    for (std::size_t i = 0; i < 16; ++i) {
        words[i] = bigEndianAt(block + 4 * i);
    }
    for (std::size_t i = 16; i < words.size(); ++i) {
        words[i] = std::rotl(words[i - 3] ^ words[i - 8] ^ words[i - 14] ^ words[i - 16], 1);
    }
    auto [a, b, c, d, e] = state;
    for (std::size_t i = 0; i < words.size(); ++i) {
        const std::uint32_t next = std::rotl(a, 5) + mixed(i, b, c, d) + e + words[i];
        e = d;
        d = c;
        c = std::rotl(b, 30);
        b = a;
        a = next;
    }
    const State added{a, b, c, d, e};
    for (std::size_t i = 0; i < state.size(); ++i) {
        state[i] += added[i];
    }
}

/// What is left after the whole blocks, with the mark and the length in bits behind it.
std::string paddedTail(std::string_view bytes)
{
    std::string tail(bytes.substr(bytes.size() / kBlockBytes * kBlockBytes));
    tail += '\x80';
    while (tail.size() % kBlockBytes != kBlockBytes - 8) {
        tail += '\0';
    }
    const std::uint64_t bits = static_cast<std::uint64_t>(bytes.size()) * 8;
    for (int shift = 56; shift >= 0; shift -= 8) {
        tail += static_cast<char>(bits >> static_cast<unsigned>(shift) & 0xffU);
    }
    return tail;
}

} // namespace

std::string sha1Hex(std::string_view bytes)
{
    State state{0x67452301U, 0xefcdab89U, 0x98badcfeU, 0x10325476U, 0xc3d2e1f0U};
    for (std::size_t at = 0; at + kBlockBytes <= bytes.size(); at += kBlockBytes) {
        addBlock(state, bytes.data() + at);
    }
    const std::string tail = paddedTail(bytes);
    for (std::size_t at = 0; at < tail.size(); at += kBlockBytes) {
        addBlock(state, tail.data() + at);
    }
    std::string digest;
    for (const std::uint32_t word : state) {
        for (int shift = 24; shift >= 0; shift -= 8) {
            digest += static_cast<char>(word >> static_cast<unsigned>(shift) & 0xffU);
        }
    }
    return toHex(digest);
}

} // namespace lockscope
