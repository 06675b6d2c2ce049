#include "core/kernel/inspect/formats/token_pattern.h"

#include "core/kernel/base/kernel_text.h"
#include "core/kernel/inspect/decoders/token_shapes.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

namespace lockscope::inspect {

namespace token_pattern {

constexpr std::size_t kUuidLength = 36;
constexpr std::size_t kHexUuidLength = 32;
constexpr std::size_t kInstantLength = 24;
constexpr std::size_t kBase64UuidLength = 24;
constexpr std::size_t kSecondsLength = 10;
constexpr std::size_t kMillisLength = 13;
constexpr std::size_t kMostDigits = 19; // of a 63-bit number

struct PartName {
    std::string_view name;
    TokenPart part;
    bool needsCount;
};

constexpr std::array<PartName, 19> kPartNames{{
    {"uuid", TokenPart::Uuid, false},
    {"uuid4", TokenPart::Uuid4, false},
    {"hex", TokenPart::Hex, true},
    {"uuid1-hex", TokenPart::Uuid1Hex, false},
    {"uuid4-hex", TokenPart::Uuid4Hex, false},
    {"alnum", TokenPart::Alnum, true},
    {"base64url-bytes", TokenPart::Base64UrlBytes, true},
    {"base64url", TokenPart::Base64Url, true},
    {"base64-letters", TokenPart::Base64Letters, true},
    {"base64", TokenPart::Base64, true},
    {"bytes", TokenPart::Bytes, true},
    {"digits", TokenPart::Digits, false},
    {"instant", TokenPart::Instant, false},
    {"uuid1-base64", TokenPart::Uuid1Base64, false},
    {"seconds", TokenPart::Seconds, false},
    {"float-seconds", TokenPart::FloatSeconds, false},
    {"millis", TokenPart::Millis, false},
    {"uniqid", TokenPart::Uniqid, false},
    {"text", TokenPart::Text, false},
}};

bool isDigit(char c)
{
    return c >= '0' && c <= '9';
}

bool isAlnum(char c)
{
    return isDigit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

bool isHexUuidOfVersion(std::string_view text, char version)
{
    return decoders::isHex(text, kHexUuidLength) && text[12] == version
           && std::string_view("89ab").find(text[16]) != std::string_view::npos;
}

/// `padding` times '=' fill up the last four characters.
bool isBase64(std::string_view text, std::size_t padding)
{
    const std::size_t digits = std::min(text.size(), text.find_last_not_of('=') + 1);
    return text.size() - digits == padding
           && std::ranges::all_of(text.substr(0, digits),
                                  [](char c) { return isAlnum(c) || c == '+' || c == '/'; });
}

/// "2026-11-24T20:15:00.123Z"
bool isInstant(std::string_view text)
{
    constexpr std::string_view kForm = "dddd-dd-ddTdd:dd:dd.dddZ";
    return std::ranges::equal(text, kForm, [](char c, char form) {
        return form == 'd' ? isDigit(c) : c == form;
    });
}

bool isBase64Url(std::string_view text)
{
    return std::ranges::all_of(text, [](char c) { return isAlnum(c) || c == '-' || c == '_'; });
}

/// Bytes do not fill up the last character where there is one more than a multiple of three.
bool areBytesInBase64Url(std::string_view text)
{
    constexpr std::string_view kLastOfOneByte = "AQgw";
    return isBase64Url(text)
           && (text.size() % 4 != 2 || kLastOfOneByte.find(text.back()) != std::string_view::npos);
}

/// Nothing but a token follows a token of this kind, or text that is none: other libraries draw
/// more characters of the same alphabet.
bool mayFollowToken(std::string_view rest)
{
    return rest.empty() || !std::ranges::all_of(rest, [](char c) {
               return isAlnum(c) || std::string_view("+/=-_").find(c) != std::string_view::npos;
           });
}

bool fits(TokenPart part, std::string_view text, std::size_t padding)
{
    switch (part) {
    case TokenPart::Uuid: return decoders::isUuid(text);
    case TokenPart::Uuid4: return decoders::isUuid4(text);
    case TokenPart::Hex: return decoders::isHex(text, text.size());
    case TokenPart::Uuid1Hex: return isHexUuidOfVersion(text, '1');
    case TokenPart::Uuid4Hex: return isHexUuidOfVersion(text, '4');
    case TokenPart::Alnum: return std::ranges::all_of(text, isAlnum);
    case TokenPart::Base64Url: return isBase64Url(text);
    case TokenPart::Base64UrlBytes: return areBytesInBase64Url(text);
    case TokenPart::Uuid1Base64: return decoders::timeUuidOfBase64(text).has_value();
    case TokenPart::Seconds:
    case TokenPart::Millis: return std::ranges::all_of(text, isDigit);
    case TokenPart::FloatSeconds:
        return std::ranges::all_of(text, [](char c) { return isDigit(c) || c == '.'; });
    case TokenPart::Uniqid: return decoders::isHex(text, text.size());
    case TokenPart::Base64: return isBase64(text, padding);
    case TokenPart::Base64Letters: return isBase64(text, 0);
    case TokenPart::Digits: return std::ranges::all_of(text, isDigit);
    case TokenPart::Instant: return isInstant(text);
    case TokenPart::Text:
        return std::ranges::all_of(text, [](char c) { return c >= 0x20 && c != 0x7f; });
    case TokenPart::Bytes: // random ones are never all text
        return std::ranges::any_of(text, [](char c) { return c < 0x20 || c == 0x7f; });
    case TokenPart::Literal: break;
    }
    return true;
}

/// How many bytes the part takes; 0: any number. Three bytes are four characters of base64.
std::size_t lengthOf(TokenPart part, std::size_t count)
{
    switch (part) {
    case TokenPart::Uuid:
    case TokenPart::Uuid4: return kUuidLength;
    case TokenPart::Uuid1Hex:
    case TokenPart::Uuid4Hex: return kHexUuidLength;
    case TokenPart::Instant: return kInstantLength;
    case TokenPart::Base64UrlBytes: return (count * 4 + 2) / 3;
    case TokenPart::Uuid1Base64: return kBase64UuidLength;
    case TokenPart::Seconds: return kSecondsLength;
    case TokenPart::Millis:
    case TokenPart::Uniqid: return kMillisLength;
    case TokenPart::Base64: return (count + 2) / 3 * 4;
    default: return count;
    }
}

} // namespace token_pattern

using namespace token_pattern;

/// "host=text", "digits-13", "uuid1-hex": a label, the name of a part, a count.
std::optional<TokenPattern::Piece> TokenPattern::pieceOf(std::string_view inBraces)
{
    Piece piece;
    if (const std::size_t equals = inBraces.find('='); equals != std::string_view::npos) {
        piece.label = inBraces.substr(0, equals);
        inBraces.remove_prefix(equals + 1);
    }
    for (const PartName& known : kPartNames) {
        if (inBraces == known.name && !known.needsCount) {
            piece.part = known.part;
            piece.count = lengthOf(known.part, 0);
            return piece;
        }
        if (!inBraces.starts_with(known.name) || inBraces.size() < known.name.size() + 2
            || inBraces[known.name.size()] != '-') {
            continue;
        }
        const std::string_view number = inBraces.substr(known.name.size() + 1);
        const char* const end = number.data() + number.size();
        const auto [stop, error] = std::from_chars(number.data(), end, piece.count);
        if (error == std::errc() && stop == end && piece.count > 0) {
            piece.part = known.part;
            piece.padding = (3 - piece.count % 3) % 3;
            piece.count = lengthOf(known.part, piece.count);
            return piece;
        }
    }
    return std::nullopt;
}

std::optional<TokenPattern> TokenPattern::parse(std::string_view text, std::string& reason)
{
    TokenPattern pattern;
    while (!text.empty()) {
        if (text.front() != '{') {
            const std::string_view literal = text.substr(0, text.find('{'));
            pattern.m_pieces.push_back({TokenPart::Literal, {}, std::string(literal), 0, 0});
            text.remove_prefix(literal.size());
            continue;
        }
        const std::size_t close = text.find('}');
        if (close == std::string_view::npos) {
            reason = KernelText::tr("A brace is not closed.");
            return std::nullopt;
        }
        const std::string_view inBraces = text.substr(1, close - 1);
        std::optional<Piece> piece = pieceOf(inBraces);
        if (!piece) {
            reason = KernelText::tr("There is no part of tokens called \"%1\".", inBraces);
            return std::nullopt;
        }
        pattern.m_pieces.push_back(*std::move(piece));
        text.remove_prefix(close + 1);
    }
    // More would take time with the cube of a hostile value's length.
    constexpr std::ptrdiff_t kMostTexts = 2;
    if (std::ranges::count(pattern.m_pieces, TokenPart::Text, &Piece::part) > kMostTexts) {
        reason = KernelText::tr("At most two parts may be {text}.");
        return std::nullopt;
    }
    for (const Piece& piece : pattern.m_pieces) {
        const bool isOfOneLength = piece.part == TokenPart::Literal || piece.count > 0;
        pattern.m_hasOneLength = pattern.m_hasOneLength && isOfOneLength;
        pattern.m_lengthMin += isOfOneLength ? std::max(piece.literal.size(), piece.count) : 1;
    }
    return pattern;
}

std::optional<std::vector<TokenPattern::Match>> TokenPattern::match(std::string_view value) const
{
    // A value is compared with the tokens of all libraries, and has the length of few of them.
    if (value.size() < m_lengthMin || (m_hasOneLength && value.size() != m_lengthMin)) {
        return std::nullopt;
    }
    std::vector<Match> found;
    if (!matchFrom(0, value, found)) {
        return std::nullopt;
    }
    std::ranges::reverse(found); // the last part is found first
    return found;
}

/// Appends from the end, once everything behind has matched, so nothing has to be taken back.
bool TokenPattern::matchFrom(std::size_t piece, std::string_view rest,
                             std::vector<Match>& found) const
{
    if (piece == m_pieces.size()) {
        return rest.empty();
    }
    const Piece& expected = m_pieces[piece];
    if (expected.count > rest.size()) {
        return false;
    }
    if (expected.part == TokenPart::Literal) {
        return rest.starts_with(expected.literal)
               && matchFrom(piece + 1, rest.substr(expected.literal.size()), found);
    }
    if (expected.part == TokenPart::Base64UrlBytes
        && !mayFollowToken(rest.substr(expected.count))) {
        return false;
    }
    const bool isFixed = expected.count > 0;
    const std::size_t most = expected.part == TokenPart::Digits ? std::min(rest.size(), kMostDigits)
                                                                : rest.size();
    for (std::size_t length = isFixed ? expected.count : 1; length <= most; ++length) {
        // A part without a fixed length is judged byte by byte: all but the last fit already.
        const std::string_view taken = rest.substr(0, length);
        if (!fits(expected.part, isFixed ? taken : taken.substr(length - 1), expected.padding)) {
            return false; // nor does anything longer
        }
        if (matchFrom(piece + 1, rest.substr(length), found)) {
            found.push_back({expected.label, expected.part, taken});
            return true;
        }
        if (isFixed) {
            return false;
        }
    }
    return false;
}

namespace {

/// "2026-11-24T20:15:00.123Z"
std::optional<WallTime> instantOfText(std::string_view text)
{
    const auto number = [text](std::size_t at, std::size_t count) {
        int value = 0;
        std::from_chars(text.data() + at, text.data() + at + count, value);
        return value;
    };
    using namespace std::chrono;
    const year_month_day day(year(number(0, 4)), month(static_cast<unsigned>(number(5, 2))),
                             std::chrono::day(static_cast<unsigned>(number(8, 2))));
    if (!day.ok()) {
        return std::nullopt;
    }
    return WallTime(sys_days(day).time_since_epoch() + hours(number(11, 2)) + minutes(number(14, 2))
                    + seconds(number(17, 2)) + milliseconds(number(20, 3)));
}

/// Eight digits of seconds, and microseconds behind them.
WallTime instantOfUniqid(std::string_view text)
{
    constexpr std::size_t kSecondsDigits = 8;
    std::int64_t seconds = 0;
    std::from_chars(text.data(), text.data() + kSecondsDigits, seconds, 16);
    return wallTimeOfMs(seconds * 1000);
}

std::optional<WallTime> madeAt(const std::optional<decoders::TimeUuid>& token)
{
    return token ? std::optional(token->createdAt) : std::nullopt;
}

} // namespace

bool statesInstant(TokenPart part)
{
    switch (part) {
    case TokenPart::Uuid1Base64:
    case TokenPart::Seconds:
    case TokenPart::FloatSeconds:
    case TokenPart::Millis:
    case TokenPart::Uniqid: return true;
    default: return false;
    }
}

std::optional<WallTime> instantOf(TokenPart part, std::string_view text)
{
    switch (part) {
    case TokenPart::Uuid1Hex: return madeAt(decoders::timeUuidOfHex32(text));
    case TokenPart::Uuid1Base64: return madeAt(decoders::timeUuidOfBase64(text));
    case TokenPart::Seconds:
    case TokenPart::FloatSeconds: return decoders::stampOfSeconds(text);
    case TokenPart::Millis: return decoders::stampOf13Digits(text);
    case TokenPart::Uniqid: return instantOfUniqid(text);
    case TokenPart::Instant: return instantOfText(text);
    default: return std::nullopt;
    }
}

} // namespace lockscope::inspect
