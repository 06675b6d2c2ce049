#pragma once

#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <type_traits>

namespace lockscope {

/// A 64-bit hash of what a value contains, by which a search recognises states that it has seen.
/// Equal contents give equal hashes on every machine, with every compiler and in every run:
/// nothing comes from std::hash, from an address or from the order of bytes in memory. Different
/// contents collide as rarely as random numbers do: among ten million states with a probability of
/// one in 370,000. No protection against deliberate collisions.
///
/// A sequence of words is folded into one number, one step of SplitMix64 per word (Steele, Lea,
/// Flood 2014): every bit of what came before and of the word reaches every bit of the result. A
/// text is its length and then its bytes, eight to a word, so that no two sequences of texts look
/// alike.
class ContentHash {
public:
    constexpr ContentHash() = default;
    /// Goes on from the hash of something else.
    constexpr explicit ContentHash(std::uint64_t seed) { addWord(seed); }

    /// A number, a truth value or an enumerator's number; negative ones as well.
    template<std::integral Number>
    constexpr void add(Number number)
    {
        addWord(static_cast<std::uint64_t>(number));
    }

    /// Zeros are equal and hash alike, whatever their sign.
    constexpr void add(double number) { addWord(std::bit_cast<std::uint64_t>(number + 0.0)); }

    constexpr void add(std::string_view bytes)
    {
        addWord(bytes.size());
        constexpr std::size_t kWordSize = 8;
        for (; bytes.size() >= kWordSize; bytes.remove_prefix(kWordSize)) {
            addWord(wholeWordOf(bytes));
        }
        if (!bytes.empty()) {
            addWord(wordOf(bytes));
        }
    }

    constexpr std::uint64_t value() const { return m_state; }

private:
    /// As wordOf() of its first eight bytes, by one load where that is possible.
    static constexpr std::uint64_t wholeWordOf(std::string_view bytes)
    {
        if (std::is_constant_evaluated() || std::endian::native != std::endian::little) {
            return wordOf(bytes.substr(0, sizeof(std::uint64_t)));
        }
        std::uint64_t word = 0;
        std::memcpy(&word, bytes.data(), sizeof(word));
        return word;
    }

    /// Little-endian.
    static constexpr std::uint64_t wordOf(std::string_view bytes)
    {
        std::uint64_t word = 0;
        for (std::size_t i = 0; i < bytes.size(); ++i) {
            word |= std::uint64_t{static_cast<unsigned char>(bytes[i])} << (8 * i);
        }
        return word;
    }

    constexpr void addWord(std::uint64_t word)
    {
        std::uint64_t mixed = (m_state ^ word) + 0x9e3779b97f4a7c15U;
        mixed = (mixed ^ (mixed >> 30U)) * 0xbf58476d1ce4e5b9U;
        mixed = (mixed ^ (mixed >> 27U)) * 0x94d049bb133111ebU;
        m_state = mixed ^ (mixed >> 31U);
    }

    std::uint64_t m_state = 0;
};

/// The same for a collection whose order means nothing, made of the hashes of its items; items may
/// be taken out again. An item that is there twice counts twice.
class UnorderedContentHash {
public:
    constexpr void add(std::uint64_t itemHash) { m_sum += itemHash; }
    constexpr void remove(std::uint64_t itemHash) { m_sum -= itemHash; }
    constexpr std::uint64_t value() const { return m_sum; }

    friend constexpr bool operator==(UnorderedContentHash, UnorderedContentHash) = default;

private:
    std::uint64_t m_sum = 0;
};

constexpr std::uint64_t contentHashOf(std::string_view bytes)
{
    ContentHash hash;
    hash.add(bytes);
    return hash.value();
}

} // namespace lockscope
