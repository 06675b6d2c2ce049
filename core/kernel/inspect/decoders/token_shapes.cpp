#include "core/kernel/inspect/decoders/token_shapes.h"

#include "core/kernel/base/bytes.h"
#include "core/kernel/base/characters.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace lockscope::inspect::decoders {

namespace {

constexpr std::size_t kUuidLength = 36;
constexpr std::size_t kLongestTail = 64;
constexpr std::size_t kLongestText = 64;
constexpr std::size_t kLongestName = 1024;
constexpr std::size_t kLongestWithUuid = 256;

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

bool isLetterOrDigit(char c)
{
    return isLetter(c) || isDigit(c);
}

template<std::size_t Count>
bool hasLengthOf(std::string_view text, const std::array<std::size_t, Count>& lengths)
{
    return std::ranges::find(lengths, text.size()) != lengths.end();
}

// The tokens of a library all have one length and one alphabet, and nothing else in common: they
// are judged by these alone, so that all of them are judged alike.

/// Digits alone are a number up to a length that numbers have.
bool isHexToken(std::string_view text)
{
    constexpr std::array<std::size_t, 5> kLengths{16, 24, 32, 40, 64};
    constexpr std::size_t kLongestNumber = 24;
    return hasLengthOf(text, kLengths) && std::ranges::all_of(text, isAnyHex)
           && (text.size() > kLongestNumber || !areDigits(text));
}

/// 16 bytes are 22 characters and "==", 18 bytes are 24 characters, 32 bytes are 43 characters and
/// "=". Some leave out what is filled up.
bool isBase64Token(std::string_view text)
{
    const std::size_t padding = text.size() - std::min(text.size(), text.find_last_not_of('=') + 1);
    // Without its padding, it has one of the letters that no other alphabet of tokens has.
    const bool isUnpadded = (text.size() == 22 || text.size() == 43)
                            && text.find_first_of("+/") != std::string_view::npos;
    const bool fits = (text.size() == 24 && (padding == 2 || padding == 0))
                      || (text.size() == 44 && padding == 1) || (isUnpadded && padding == 0);
    return fits && !areDigits(text)
           && std::ranges::all_of(text.substr(0, text.size() - padding), [](char c) {
                  return isLetterOrDigit(c) || c == '+' || c == '/';
              });
}

/// Letters and digits (AN16, AN20, AN22, ULID), with two signs more (base64url of 16 and 32 bytes,
/// nanoid, PHP).
bool isAlnumToken(std::string_view text)
{
    constexpr std::array<std::size_t, 6> kLengths{16, 20, 22, 26, 32, 43};
    constexpr std::array<std::size_t, 5> kLengthsWithSigns{20, 21, 22, 32, 43};
    const auto isOfBase64Url = [](char c) { return isLetterOrDigit(c) || c == '-' || c == '_'; };
    return !areDigits(text)
           && ((hasLengthOf(text, kLengths) && std::ranges::all_of(text, isLetterOrDigit))
               || (hasLengthOf(text, kLengthsWithSigns)
                   && std::ranges::all_of(text, isOfBase64Url)));
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

/// "web-3:4711:12", "web-3/4711/worker-2": a host, and behind it names, one of which is a number.
bool namesWorker(std::string_view text)
{
    constexpr std::string_view kSeparators = ":|@/#";
    if (text.size() > 2 * kLongestText || text.empty() || !isLetter(text.front())) {
        return false;
    }
    std::size_t parts = 0;
    bool hasNumber = false;
    for (std::size_t begin = 0; begin <= text.size(); ++parts) {
        const std::size_t end = std::min(text.find_first_of(kSeparators, begin), text.size());
        const std::string_view part = text.substr(begin, end - begin);
        if (!isName(part)) {
            return false;
        }
        hasNumber = hasNumber || areDigits(part);
        begin = end + 1;
    }
    return parts > 2 && hasNumber;
}

/// One of its parts, between signs that are neither letters nor digits, has this length and form.
template<typename Form>
bool hasPart(std::string_view bytes, std::size_t length, Form isOfForm)
{
    for (std::size_t at = 0; at + length <= bytes.size(); ++at) {
        const std::size_t end = at + length;
        const bool isApart = (at == 0 || !isLetterOrDigit(bytes[at - 1]))
                             && (end == bytes.size() || !isLetterOrDigit(bytes[end]));
        if (isApart && isOfForm(bytes.substr(at, length))) {
            return true;
        }
    }
    return false;
}

/// worker-3:<uuid>, or the same with a UUID that is written without dashes.
bool hasUuidInside(std::string_view bytes)
{
    constexpr std::size_t kFirstDash = 8;
    constexpr std::size_t kWithoutDashes = 32;
    const auto isDashed = [](std::string_view part) {
        return part[kFirstDash] == '-' && isUuid(part);
    };
    const auto isPlain = [](std::string_view part) {
        return std::ranges::all_of(part, isAnyHex) && !areDigits(part);
    };
    return bytes.size() <= kLongestWithUuid
           && (hasPart(bytes, kUuidLength, isDashed) || hasPart(bytes, kWithoutDashes, isPlain));
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

/// Letters of any script: well-formed UTF-8, or an older encoding whose letters are mostly ASCII.
bool isWriting(std::string_view text)
{
    const auto isControl = [](char c) { return (c >= 0 && c < 0x20) || c == 0x7f; };
    const auto isBeyondAscii = [](char c) { return static_cast<unsigned char>(c) >= 0x80; };
    if (std::ranges::any_of(text, isControl)
        || !std::ranges::any_of(text, [&](char c) { return isLetter(c) || isBeyondAscii(c); })) {
        return false;
    }
    const auto foreignCount = static_cast<std::size_t>(std::ranges::count_if(text, isBeyondAscii));
    return foreignCount * 2 < text.size() || isUtf8(text);
}

bool isDate(std::string_view text)
{
    constexpr std::string_view kPattern = "dddd-dd-dd";
    return text.size() >= kPattern.size()
           && (text.size() == kPattern.size() || !isDigit(text[kPattern.size()]))
           && std::equal(kPattern.begin(), kPattern.end(), text.begin(),
                         [](char p, char c) { return p == 'd' ? isDigit(c) : p == c; });
}

/// "4711-12-80125307": what names its writer by numbers may come without a letter.
bool areJoinedNumbers(std::string_view text)
{
    return std::ranges::any_of(text, isDigit) && text.find('-') != std::string_view::npos
           && std::ranges::all_of(text, [](char c) { return isDigit(c) || c == '-'; });
}

/// Something a person or a program would call itself: one word.
bool isOneName(std::string_view text)
{
    return !text.empty() && text.size() <= kLongestName
           && (isWriting(text) || areJoinedNumbers(text)) && !isDate(text)
           && text.find_first_of(" {}[]<>\"'") == std::string_view::npos
           && text.find("://") == std::string_view::npos;
}

/// "[pid 12] web-3": a word in brackets begins no document.
bool beginsDocument(std::string_view text)
{
    const bool isBracketed = text.size() > 1 && text.front() == '[' && isLetter(text[1])
                             && text.back() != ']';
    return !isBracketed && std::string_view("{[<\"'").find(text.front()) != std::string_view::npos;
}

/// Several words that a person would write; not a document, not a number.
bool isPhrase(std::string_view text)
{
    return !text.empty() && text.size() <= kLongestText && isWriting(text) && !beginsDocument(text);
}

/// "lockedBy", "locked_by" and "Locked-By" are the same word.
bool isWordForOwner(std::string_view name)
{
    constexpr std::array<std::string_view, 28> kWords{
        "owner",  "ownerid",  "holder",    "holderid",   "host",       "hostname", "machine",
        "pid",    "process",  "processid", "thread",     "threadid",   "worker",   "workerid",
        "node",   "nodeid",   "instance",  "instanceid", "client",     "clientid", "token",
        "lockid", "lockedby", "heldby",    "acquiredby", "acquiredat", "lockedat", "lockedsince"};
    constexpr std::size_t kLongestWord = 16;
    std::array<char, kLongestWord> word{};
    std::size_t length = 0;
    for (const char c : name) {
        if (c == '_' || c == '-') {
            continue;
        }
        if (length == word.size()) {
            return false;
        }
        word[length++] = lowered(c);
    }
    return std::ranges::find(kWords, std::string_view(word.data(), length)) != kWords.end();
}

/// JSON with a member that is called as an owner would be. Looks at names only; whether the rest is
/// well formed is of no interest.
bool isDocumentOfOwner(std::string_view text)
{
    if (text.size() > kLongestName || !text.starts_with('{') || !text.ends_with('}')) {
        return false;
    }
    for (std::size_t open = text.find('"'); open != std::string_view::npos;) {
        const std::size_t close = text.find('"', open + 1);
        if (close == std::string_view::npos) {
            return false;
        }
        const std::size_t next = text.find_first_not_of(" \t\r\n", close + 1);
        const bool isMember = next != std::string_view::npos && text[next] == ':';
        if (isMember && isWordForOwner(text.substr(open + 1, close - open - 1))) {
            return true;
        }
        open = text.find('"', close + 1);
    }
    return false;
}

/// What could not be shown as text. All tokens of a library are: that twenty random bytes are text
/// happens less than once in a million.
bool areRawBytes(std::string_view bytes)
{
    constexpr std::array<std::size_t, 4> kLengths{16, 20, 24, 32};
    const auto isControl = [](char c) {
        return ((c >= 0 && c < 0x20) || c == 0x7f) && c != '\t' && c != '\n' && c != '\r';
    };
    return hasLengthOf(bytes, kLengths)
           && (!isUtf8(bytes) || std::ranges::any_of(bytes, isControl));
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

std::optional<TimeUuid> timeUuidOfBase64(std::string_view text)
{
    constexpr std::string_view kAlphabet =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    constexpr std::string_view kHexDigits = "0123456789abcdef";
    constexpr std::size_t kLength = 22; // 128 bits, and four more that are nothing
    if (text.size() != kLength + 2 || !text.ends_with("==")) {
        return std::nullopt;
    }
    std::string hex;
    unsigned bits = 0;
    unsigned bitCount = 0;
    for (const char c : text.substr(0, kLength)) {
        const std::size_t digit = kAlphabet.find(c);
        if (digit == std::string_view::npos) {
            return std::nullopt;
        }
        bits = (bits << 6 | static_cast<unsigned>(digit)) & 0xfffU;
        for (bitCount += 6; bitCount >= 4; bitCount -= 4) {
            hex += kHexDigits[bits >> (bitCount - 4) & 0xfU];
        }
    }
    hex.resize(32);
    return timeUuidOfHex32(hex);
}

std::optional<WallTime> stampOf13Digits(std::string_view text)
{
    if (text.size() != 13 || text.front() == '0') {
        return std::nullopt;
    }
    const std::optional<std::int64_t> ms = decimalOf(text);
    return ms ? std::optional(wallTimeOfMs(*ms)) : std::nullopt;
}

std::optional<WallTime> stampOfMillis(std::string_view text)
{
    const std::size_t point = text.find('.');
    const bool isWhole = point == std::string_view::npos;
    return isWhole || areDigits(text.substr(point + 1)) ? stampOf13Digits(text.substr(0, point))
                                                        : std::nullopt;
}

std::optional<WallTime> stampOfSeconds(std::string_view text)
{
    constexpr std::size_t kDigits = 10; // from 2001 to 2286
    const std::string_view whole = text.substr(0, kDigits);
    std::string_view rest = text.substr(whole.size());
    const std::optional<std::int64_t> seconds = decimalOf(whole);
    const bool isWhole = rest.empty();
    if (!seconds || whole.size() != kDigits
        || (!isWhole && (rest.front() != '.' || !areDigits(rest.substr(1))))) {
        return std::nullopt;
    }
    std::int64_t ms = 0;
    for (std::size_t i = 1; i <= 3; ++i) {
        ms = ms * 10 + (i < rest.size() ? rest[i] - '0' : 0);
    }
    return wallTimeOfMs(*seconds * 1000 + ms);
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

namespace {

/// The shapes of text that was written to name an owner.
TokenShape shapeOfWriting(std::string_view text)
{
    if (namesProcess(text)) {
        return TokenShape::Process;
    }
    if (isAlnumToken(text)) {
        return TokenShape::Random;
    }
    if (namesWorker(text)) {
        return TokenShape::Worker;
    }
    if (isOneName(text)) {
        return TokenShape::Name;
    }
    return isPhrase(text) ? TokenShape::Phrase : TokenShape::None;
}

} // namespace

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
    if (isDocumentOfOwner(bytes)) {
        return TokenShape::Document;
    }
    if (hasUuidInside(bytes)) {
        return TokenShape::UuidInside;
    }
    if (areRawBytes(bytes)) {
        return TokenShape::RawBytes;
    }
    // A string as JSON writes it: serialisers put it around any token.
    if (bytes.size() > 2 && bytes.starts_with('"') && bytes.ends_with('"')) {
        const TokenShape inner = shapeOfWriting(bytes.substr(1, bytes.size() - 2));
        return inner == TokenShape::None || inner == TokenShape::Phrase ? TokenShape::None
                                                                        : TokenShape::Document;
    }
    return shapeOfWriting(bytes);
}

bool isUnmistakable(TokenShape shape)
{
    switch (shape) {
    case TokenShape::Random:
    case TokenShape::RawBytes:
    case TokenShape::Base64:
    case TokenShape::Hex:
    case TokenShape::Uuid:
    case TokenShape::UuidTail:
    case TokenShape::UuidInside: return true;
    case TokenShape::None:
    case TokenShape::Phrase:
    case TokenShape::Name:
    case TokenShape::Document:
    case TokenShape::Process:
    case TokenShape::Worker: break;
    }
    return false;
}

} // namespace lockscope::inspect::decoders
