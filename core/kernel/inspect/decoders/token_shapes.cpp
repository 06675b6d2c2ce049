#include "inspect/decoders/token_shapes.h"

#include "base/bytes.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace lockscope::inspect::decoders {

namespace {

constexpr std::size_t kUuidLength = 36;
constexpr std::size_t kShortestRandom = 8;
constexpr std::size_t kShortestStrongRandom = 16;
constexpr std::size_t kLongestRandom = 128;
constexpr std::size_t kLongestTail = 64;
constexpr std::size_t kLongestText = 64;

bool isDigit(char c)
{
    return c >= '0' && c <= '9';
}

bool isLowerHex(char c)
{
    return isDigit(c) || (c >= 'a' && c <= 'f');
}

bool isAnyHex(char c)
{
    return isLowerHex(c) || (c >= 'A' && c <= 'F');
}

bool isLetter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

bool isPrintable(char c)
{
    return c >= 0x20 && c < 0x7f;
}

bool areDigits(std::string_view text)
{
    return !text.empty() && std::ranges::all_of(text, isDigit);
}

/// The value of hexadecimal digits that were checked before; at most 16.
std::uint64_t hexValue(std::string_view digits)
{
    std::uint64_t value = 0;
    std::from_chars(digits.data(), digits.data() + digits.size(), value, 16);
    return value;
}

std::size_t distinctCount(std::string_view text)
{
    std::array<bool, 256> seen{};
    for (const char c : text) {
        seen[static_cast<unsigned char>(c)] = true;
    }
    return static_cast<std::size_t>(std::ranges::count(seen, true));
}

bool isHexToken(std::string_view text)
{
    constexpr std::array<std::size_t, 5> kLengths{16, 24, 32, 40, 64};
    constexpr std::size_t kFewestDistinct = 6;
    return std::ranges::find(kLengths, text.size()) != kLengths.end()
           && std::ranges::all_of(text, isAnyHex) && !areDigits(text)
           && distinctCount(text) >= kFewestDistinct;
}

/// 16 bytes are 22 characters and "==", 18 bytes are 24 characters, 32 bytes are 43 characters and
/// "=".
bool isBase64Token(std::string_view text)
{
    const std::size_t padding = text.size() - std::min(text.size(), text.find_last_not_of('=') + 1);
    const bool fits = (text.size() == 24 && (padding == 2 || padding == 0))
                      || (text.size() == 44 && padding == 1);
    constexpr std::size_t kFewestDistinct = 10;
    return fits && distinctCount(text) >= kFewestDistinct
           && std::ranges::all_of(text.substr(0, text.size() - padding),
                                  [](char c) {
                                      return isLetter(c) || isDigit(c) || c == '+' || c == '/';
                                  })
           && std::ranges::any_of(text, isDigit) && std::ranges::any_of(text, isLetter);
}

std::size_t kindOf(char c)
{
    if (isDigit(c)) {
        return 0;
    }
    return c >= 'a' && c <= 'z' ? 1 : 2;
}

/// Words and numbers keep to one kind of character for a while; random tokens jump between digits,
/// small and capital letters: six times out of ten when all three occur, four times when only two
/// do.
bool looksRandom(std::string_view text)
{
    if (text.size() < kShortestRandom || text.size() > kLongestRandom
        || distinctCount(text) * 2 < kShortestRandom) {
        return false;
    }
    std::array<bool, 3> hasKind{}; // digits, small letters, capital letters
    std::size_t jumps = 0;
    std::size_t before = hasKind.size();
    for (const char c : text) {
        if (c == '-' || c == '_') {
            before = hasKind.size(); // belongs to base64url, and parts words as well: says nothing
            continue;
        }
        if (!isLetter(c) && !isDigit(c)) {
            return false;
        }
        const std::size_t kind = kindOf(c);
        hasKind[kind] = true;
        jumps += before != hasKind.size() && kind != before ? 1 : 0;
        before = kind;
    }
    const bool hasLetters = hasKind[1] || hasKind[2];
    const bool hasAllKinds = hasKind[1] && hasKind[2];
    return hasKind[0] && hasLetters && jumps * 20 >= text.size() * (hasAllKinds ? 8 : 5);
}

bool isName(std::string_view text)
{
    return !text.empty() && std::ranges::all_of(text, [](char c) {
        return isLetter(c) || isDigit(c) || c == '-' || c == '.' || c == '_';
    });
}

/// "web-3:4711", "web-3|4711", "4711@web-3".
bool namesProcess(std::string_view text)
{
    const std::size_t at = text.find_last_of(":|@");
    if (at == std::string_view::npos || text.size() > kLongestText) {
        return false;
    }
    const std::string_view left = text.substr(0, at);
    const std::string_view right = text.substr(at + 1);
    const auto isHost = [](std::string_view name) {
        return isName(name) && isLetter(name.front());
    };
    return text[at] == '@' ? isName(left) && isHost(right) : isHost(left) && areDigits(right);
}

bool isUuidWithTail(std::string_view text)
{
    if (text.size() <= kUuidLength + 1 || text.size() > kUuidLength + kLongestTail) {
        return false;
    }
    const std::string_view tail = text.substr(kUuidLength);
    return isUuid(text.substr(0, kUuidLength))
           && std::string_view(":.-_|/#@").find(tail.front()) != std::string_view::npos
           && std::ranges::all_of(tail, isPrintable);
}

/// Something a person would write; not a document, not a number.
bool isPlainText(std::string_view text)
{
    return !text.empty() && text.size() <= kLongestText && std::ranges::all_of(text, isPrintable)
           && std::string_view("{[<\"'").find(text.front()) == std::string_view::npos
           && std::ranges::any_of(text, isLetter);
}

bool areRawBytes(std::string_view bytes)
{
    constexpr std::array<std::size_t, 4> kLengths{16, 20, 24, 32};
    return std::ranges::find(kLengths, bytes.size()) != kLengths.end() && !isUtf8(bytes);
}

} // namespace

std::optional<std::int64_t> decimalOf(std::string_view text)
{
    if (!areDigits(text) || (text.size() > 1 && text.front() == '0')) {
        return std::nullopt;
    }
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc() ? std::optional(value) : std::nullopt;
}

bool isUuid(std::string_view text)
{
    if (text.size() != kUuidLength) {
        return false;
    }
    for (std::size_t i = 0; i < text.size(); ++i) {
        const bool isDash = i == 8 || i == 13 || i == 18 || i == 23;
        if (isDash ? text[i] != '-' : !isAnyHex(text[i])) {
            return false;
        }
    }
    return true;
}

bool isUuid4(std::string_view text)
{
    return isUuid(text) && text[14] == '4'
           && std::string_view("89ab").find(text[19]) != std::string_view::npos
           && std::ranges::none_of(text, [](char c) { return c >= 'A' && c <= 'F'; });
}

bool isUuidAndThread(std::string_view text)
{
    if (text.size() < kUuidLength + 2 || text[kUuidLength] != ':'
        || !isUuid4(text.substr(0, kUuidLength))) {
        return false;
    }
    std::string_view thread = text.substr(kUuidLength + 1);
    if (thread.front() == '-') {
        thread.remove_prefix(1);
    }
    constexpr std::size_t kLongestThread = 19; // a long of Java
    return areDigits(thread) && thread.size() <= kLongestThread;
}

bool isHex(std::string_view text, std::size_t count)
{
    return text.size() == count && std::ranges::all_of(text, isLowerHex);
}

std::optional<TimeUuid> timeUuidOfHex32(std::string_view text)
{
    if (!isHex(text, 32) || text[12] != '1'
        || std::string_view("89ab").find(text[16]) == std::string_view::npos) {
        return std::nullopt;
    }
    // The count of 100 ns steps since 15 October 1582 is stored low part first.
    constexpr std::int64_t kStepsUntil1970 = 0x01b21dd213814000;
    constexpr std::int64_t kStepsPerMs = 10'000;
    const std::uint64_t steps = hexValue(text.substr(13, 3)) << 48
                                | hexValue(text.substr(8, 4)) << 32 | hexValue(text.substr(0, 8));
    const std::int64_t sinceEpoch = static_cast<std::int64_t>(steps) - kStepsUntil1970;
    return TimeUuid{wallTimeOfMs(sinceEpoch / kStepsPerMs), hexValue(text.substr(20, 12))};
}

std::optional<WallTime> stampOf13Digits(std::string_view text)
{
    if (text.size() != 13 || text.front() == '0') {
        return std::nullopt;
    }
    const std::optional<std::int64_t> ms = decimalOf(text);
    return ms ? std::optional(wallTimeOfMs(*ms)) : std::nullopt;
}

std::optional<WallTime> stampOf8Bytes(std::string_view bytes)
{
    if (bytes.size() != 8) {
        return std::nullopt;
    }
    std::uint64_t ms = 0;
    for (const char byte : bytes) {
        ms = ms << 8 | static_cast<unsigned char>(byte);
    }
    return wallTimeOfMs(static_cast<std::int64_t>(ms));
}

std::optional<StampedUuid> stampedUuidOf(std::string_view text)
{
    if (text.size() <= kUuidLength || text[kUuidLength] != '.'
        || !isUuid(text.substr(0, kUuidLength))) {
        return std::nullopt;
    }
    const std::optional<WallTime> stamp = stampOf13Digits(text.substr(kUuidLength + 1));
    return stamp ? std::optional(StampedUuid{text.substr(0, kUuidLength), *stamp}) : std::nullopt;
}

bool isNear(WallTime stamp, WallTime serverTime, std::chrono::days window)
{
    // A stamp may be any 64-bit number, so it takes no part in the arithmetic.
    constexpr WallTime kLatest = wallTimeOfMs(253'402'300'800'000); // the year 10000
    return toEpochMs(serverTime) > 0 && serverTime < kLatest && stamp >= serverTime - window
           && stamp <= serverTime + window;
}

TokenShape shapeOf(std::string_view bytes)
{
    if (isUuid(bytes)) {
        return TokenShape::Uuid;
    }
    if (isUuidWithTail(bytes)) {
        return TokenShape::UuidTail;
    }
    if (isHexToken(bytes)) {
        return TokenShape::Hex;
    }
    if (isBase64Token(bytes)) {
        return TokenShape::Base64;
    }
    if (areRawBytes(bytes)) {
        return TokenShape::RawBytes;
    }
    if (namesProcess(bytes)) {
        return TokenShape::Process;
    }
    if (looksRandom(bytes)) {
        return bytes.size() < kShortestStrongRandom ? TokenShape::ShortRandom : TokenShape::Random;
    }
    return isPlainText(bytes) ? TokenShape::Text : TokenShape::None;
}

bool isUnmistakable(TokenShape shape)
{
    switch (shape) {
    case TokenShape::Random:
    case TokenShape::RawBytes:
    case TokenShape::Base64:
    case TokenShape::Hex:
    case TokenShape::Uuid:
    case TokenShape::UuidTail: return true;
    case TokenShape::None:
    case TokenShape::Text:
    case TokenShape::Process:
    case TokenShape::ShortRandom: break;
    }
    return false;
}

} // namespace lockscope::inspect::decoders
