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
constexpr std::size_t kMostDigits = 19; // of a 63-bit number

struct PartName {
    std::string_view name;
    TokenPart part;
    bool needsCount;
};

constexpr std::array<PartName, 12> kPartNames{{
    {"uuid", TokenPart::Uuid, false},
    {"uuid4", TokenPart::Uuid4, false},
    {"hex", TokenPart::Hex, true},
    {"uuid1-hex", TokenPart::Uuid1Hex, false},
    {"uuid4-hex", TokenPart::Uuid4Hex, false},
    {"alnum", TokenPart::Alnum, true},
    {"base64url", TokenPart::Base64Url, true},
    {"base64", TokenPart::Base64, true},
    {"bytes", TokenPart::Bytes, true},
    {"digits", TokenPart::Digits, false},
    {"instant", TokenPart::Instant, false},
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

bool fits(TokenPart part, std::string_view text, std::size_t padding)
{
    switch (part) {
    case TokenPart::Uuid: return decoders::isUuid(text);
    case TokenPart::Uuid4: return decoders::isUuid4(text);
    case TokenPart::Hex: return decoders::isHex(text, text.size());
    case TokenPart::Uuid1Hex: return isHexUuidOfVersion(text, '1');
    case TokenPart::Uuid4Hex: return isHexUuidOfVersion(text, '4');
    case TokenPart::Alnum: return std::ranges::all_of(text, isAlnum);
    case TokenPart::Base64Url:
        return std::ranges::all_of(text, [](char c) { return isAlnum(c) || c == '-' || c == '_'; });
    case TokenPart::Base64: return isBase64(text, padding);
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
    return pattern;
}

std::optional<std::vector<TokenPattern::Match>> TokenPattern::match(std::string_view value) const
{
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

std::optional<WallTime> instantOf(TokenPart part, std::string_view text)
{
    if (part == TokenPart::Uuid1Hex) {
        const std::optional<decoders::TimeUuid> token = decoders::timeUuidOfHex32(text);
        return token ? std::optional(token->createdAt) : std::nullopt;
    }
    if (part != TokenPart::Instant) {
        return std::nullopt;
    }
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

} // namespace lockscope::inspect
