#include "core/kernel/base/bytes.h"

#include "core/kernel/base/characters.h"
#include "core/kernel/base/printable.h"

#include <algorithm>

namespace lockscope {

namespace {

constexpr std::string_view kHexDigits = "0123456789abcdef";
constexpr std::string_view kEllipsis = "…";

unsigned char octet(char c)
{
    return static_cast<unsigned char>(c);
}

bool isContinuation(char c)
{
    return (octet(c) & 0xc0U) == 0x80U;
}

/// One code point at the start of some bytes. A length of 0 says that the bytes are not UTF-8
/// there.
struct CodePoint {
    char32_t value = 0;
    std::size_t length = 0;
};

CodePoint assembled(std::string_view bytes, std::size_t length, char32_t leadBits,
                    char32_t smallest)
{
    if (bytes.size() < length) {
        return {};
    }
    char32_t value = leadBits;
    for (std::size_t i = 1; i < length; ++i) {
        if (!isContinuation(bytes[i])) {
            return {};
        }
        value = (value << 6U) | (octet(bytes[i]) & 0x3fU);
    }
    const bool isSurrogate = value >= 0xd800 && value <= 0xdfff;
    if (value < smallest || value > 0x10ffff || isSurrogate) {
        return {};
    }
    return {value, length};
}

CodePoint codePointAt(std::string_view bytes)
{
    const unsigned char lead = octet(bytes.front());
    if (lead < 0x80U) {
        return {lead, 1};
    }
    if ((lead & 0xe0U) == 0xc0U) {
        return assembled(bytes, 2, lead & 0x1fU, 0x80);
    }
    if ((lead & 0xf0U) == 0xe0U) {
        return assembled(bytes, 3, lead & 0x0fU, 0x800);
    }
    if ((lead & 0xf8U) == 0xf0U) {
        return assembled(bytes, 4, lead & 0x07U, 0x10000);
    }
    return {};
}

/// Would move the cursor, break the line, turn the text around or hide instead of showing itself. A
/// key is foreign input: it must not be able to disguise itself on a terminal or in a table.
bool isControl(char32_t c)
{
    const bool isC0OrC1 = c < 0x20 || (c >= 0x7f && c <= 0x9f);
    return isC0OrC1 || c == 0x2028 || c == 0x2029 || (c >= 0x80 && isInvisible(c));
}

/// Would change the looks of what stands before it. `before` is the character that is shown there;
/// 0: none. The marks of a script stay with its letters: it cannot be read without them.
bool isDisguise(char32_t c, char32_t before)
{
    return c >= 0x80 && (isDiacritic(c) || (before < 0x80 && isMark(c)));
}

void appendEscaped(std::string& out, std::string_view bytes)
{
    for (const char c : bytes) {
        out += "\\x";
        out += kHexDigits[octet(c) >> 4U];
        out += kHexDigits[octet(c) & 0x0fU];
    }
}

/// As JSON escapes a character: two halves for those beyond the first plane.
void appendUnicodeEscape(std::string& out, char32_t c)
{
    constexpr char32_t kPlane = 0x10000;
    if (c >= kPlane) {
        appendUnicodeEscape(out, 0xd800 + ((c - kPlane) >> 10U));
        appendUnicodeEscape(out, 0xdc00 + ((c - kPlane) & 0x3ffU));
        return;
    }
    out += "\\u";
    for (const unsigned shift : {12U, 8U, 4U, 0U}) {
        out += kHexDigits[(c >> shift) & 0x0fU];
    }
}

int hexValue(char c)
{
    if (c >= '0' && c <= '9') {
        return c - '0';
    }
    const char lower = static_cast<char>(c | 0x20);
    return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

} // namespace

std::string escaped(std::string_view bytes)
{
    std::string out;
    out.reserve(bytes.size());
    char32_t before = 0;
    for (std::size_t i = 0; i < bytes.size();) {
        const CodePoint point = codePointAt(bytes.substr(i));
        const std::size_t length = std::max<std::size_t>(point.length, 1);
        const bool wouldReadAsEscape = bytes.substr(i).starts_with("\\x");
        if (point.length == 0 || wouldReadAsEscape || isControl(point.value)
            || isDisguise(point.value, before)) {
            appendEscaped(out, bytes.substr(i, length));
            before = 0;
        } else {
            out += bytes.substr(i, length);
            before = point.value;
        }
        i += length;
    }
    return out;
}

std::string printable(std::string_view text)
{
    std::string out;
    out.reserve(text.size());
    while (!text.empty()) {
        const CodePoint point = codePointAt(text);
        const std::size_t length = std::max<std::size_t>(point.length, 1);
        const bool isLayout = point.value == '\n' || point.value == '\t'
                              || text.starts_with("\r\n");
        const bool isShown = point.length > 0 && (isLayout || !isControl(point.value));
        if (isShown) {
            out += text.substr(0, length);
        } else if (point.value >= 0x80) {
            appendUnicodeEscape(out, point.value);
        } else {
            appendEscaped(out, text.substr(0, length));
        }
        text.remove_prefix(length);
    }
    return out;
}

std::optional<Bytes> unescaped(std::string_view text)
{
    Bytes out;
    out.reserve(text.size());
    for (std::size_t i = 0; i < text.size();) {
        if (!text.substr(i).starts_with("\\x")) {
            out += text[i++];
            continue;
        }
        if (text.size() - i < 4) {
            return std::nullopt;
        }
        const int high = hexValue(text[i + 2]);
        const int low = hexValue(text[i + 3]);
        if (high < 0 || low < 0) {
            return std::nullopt;
        }
        out += static_cast<char>(high * 16 + low);
        i += 4;
    }
    return out;
}

std::string elidedMiddle(std::string_view text, std::size_t maxLength)
{
    const auto startsCodePoint = [](char c) { return !isContinuation(c); };
    const auto length = static_cast<std::size_t>(std::count_if(text.begin(), text.end(),
                                                               startsCodePoint));
    if (length <= maxLength) {
        return std::string(text);
    }
    const std::size_t kept = std::max<std::size_t>(maxLength, 3) - 1;
    std::size_t headCount = (kept + 1) / 2;
    std::size_t tailCount = kept - headCount;

    std::size_t headEnd = 0;
    while (headEnd < text.size() && (headCount > 0 || isContinuation(text[headEnd]))) {
        headCount -= startsCodePoint(text[headEnd]) ? 1 : 0;
        ++headEnd;
    }
    std::size_t tailBegin = text.size();
    while (tailBegin > headEnd && tailCount > 0) {
        --tailBegin;
        tailCount -= startsCodePoint(text[tailBegin]) ? 1 : 0;
    }
    std::string out(text.substr(0, headEnd));
    out += kEllipsis;
    out += text.substr(tailBegin);
    return out;
}

std::string elidedEnd(std::string_view text, std::size_t maxLength)
{
    std::size_t count = 0;
    for (std::size_t at = 0; at < text.size(); ++at) {
        if (!isContinuation(text[at]) && ++count > maxLength) {
            return std::string(text.substr(0, at)).append(kEllipsis);
        }
    }
    return std::string(text);
}

std::string toHex(std::string_view bytes)
{
    std::string out;
    out.reserve(bytes.size() * 2);
    for (const char c : bytes) {
        out += kHexDigits[octet(c) >> 4U];
        out += kHexDigits[octet(c) & 0x0fU];
    }
    return out;
}

bool isUtf8(std::string_view bytes)
{
    while (!bytes.empty()) {
        const CodePoint point = codePointAt(bytes);
        if (point.length == 0) {
            return false;
        }
        bytes.remove_prefix(point.length);
    }
    return true;
}

} // namespace lockscope
