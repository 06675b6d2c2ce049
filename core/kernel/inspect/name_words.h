#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

// How the name of a key falls apart into words. A million names per sweep: allocates nothing.
namespace lockscope::inspect {

namespace name_words {

enum class CharClass : std::uint8_t { Separator, Lower, Upper, Digit };

/// Bytes beyond ASCII belong to words, as letters of other scripts do.
constexpr std::array<CharClass, 256> makeCharClasses()
{
    std::array<CharClass, 256> classes{};
    for (std::size_t c = 0; c < classes.size(); ++c) {
        if (c >= '0' && c <= '9') {
            classes[c] = CharClass::Digit;
        } else if (c >= 'A' && c <= 'Z') {
            classes[c] = CharClass::Upper;
        } else if ((c >= 'a' && c <= 'z') || c >= 0x80) {
            classes[c] = CharClass::Lower;
        } else {
            classes[c] = CharClass::Separator;
        }
    }
    return classes;
}

inline constexpr std::array<CharClass, 256> kCharClasses = makeCharClasses();

/// The end of the run of characters of this class that begins at `from`.
constexpr std::size_t endOfRun(std::string_view key, std::size_t from, CharClass charClass)
{
    while (from < key.size() && kCharClasses[static_cast<unsigned char>(key[from])] == charClass) {
        ++from;
    }
    return from;
}

} // namespace name_words

/// Words end at punctuation, at digits and at camelCase humps: "orderLock42" has two. `isEnough` is
/// called with the beginning and the end of each until it returns true.
template<class IsEnough>
void forEachWord(std::string_view key, IsEnough isEnough)
{
    using name_words::CharClass;
    using name_words::endOfRun;
    std::size_t at = 0;
    while (at < key.size()) {
        std::size_t begin = at;
        const std::size_t capitalsEnd = endOfRun(key, at, CharClass::Upper);
        at = endOfRun(key, capitalsEnd, CharClass::Lower);
        if (capitalsEnd - begin > 1 && at > capitalsEnd) {
            // "DBLock": the last capital belongs to the small letters behind it.
            if (isEnough(begin, capitalsEnd - 1)) {
                return;
            }
            begin = capitalsEnd - 1;
        }
        if (isEnough(begin, at)) {
            return;
        }
        at = endOfRun(key, endOfRun(key, at, CharClass::Separator), CharClass::Digit);
    }
}

} // namespace lockscope::inspect
