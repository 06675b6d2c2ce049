#pragma once

#include "core/kernel/base/time.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lockscope::inspect {

/// What one part of an owner token is. Which bytes fit depends on length and alphabet alone, never
/// on how random they look, so all tokens of a library are read alike.
enum class TokenPart : std::uint8_t {
    Literal,
    Uuid,           // 8-4-4-4-12 hexadecimal digits of either case
    Uuid4,          // the same in lower case, of version 4
    Hex,            // lower-case hexadecimal digits: {hex-32}
    Uuid1Hex,       // {uuid1-hex}: 32 of them that are a UUID of version 1; tells when it was made
    Uuid4Hex,       // {uuid4-hex}: 32 of them that are a UUID of version 4
    Alnum,          // letters and digits: {alnum-16}
    Base64Url,      // letters, digits, '-' and '_': {base64url-22}
    Base64,         // {base64-16}: base64 of that many bytes, with its padding
    Base64Letters,  // {base64-letters-22}: that many letters of base64, without padding
    Bytes,          // bytes that are not all text: {bytes-24}
    Digits,         // 1 to 19 of them, or as many as it says: {digits}, {digits-13}
    Instant,        // {instant}: 2026-11-24T20:15:00.123Z; tells when the lock was acquired
    Base64UrlBytes, // {base64url-bytes-16}: that many bytes in base64url without padding
    Uuid1Base64,    // {uuid1-base64}: a UUID of version 1 in base64; tells when it was made
    Seconds,        // {seconds}: epoch seconds with 10 digits; an instant
    FloatSeconds,   // {float-seconds}: the same with a fraction
    Millis,         // {millis}: epoch milliseconds with 13 digits; an instant
    Uniqid,         // {uniqid}: 13 hexadecimal digits of PHP's uniqid(): seconds and microseconds
    Text,           // {text}: one or more printable characters
};

/// The grammar of a library's owner tokens: literal text with parts in braces. A part may have a
/// label, under which it is shown: "ADDED:{instant}@{host=text}:{uuid4}".
class TokenPattern {
public:
    /// A part and what it matched.
    struct Match {
        std::string_view label; // empty: it has none
        TokenPart part = TokenPart::Literal;
        std::string_view text; // points into the value
    };

    /// nullopt: not a pattern; `reason` then says why, in one sentence.
    static std::optional<TokenPattern> parse(std::string_view text, std::string& reason);

    /// The parts of a value that is wholly of this pattern, without the literals; nullopt for any
    /// other value. A text part takes as little as it can.
    std::optional<std::vector<Match>> match(std::string_view value) const;

private:
    struct Piece {
        TokenPart part = TokenPart::Literal;
        std::string label;
        std::string literal;
        std::size_t count = 0;   // 0: no fixed number
        std::size_t padding = 0; // of base64
    };
    bool matchFrom(std::size_t piece, std::string_view rest, std::vector<Match>& found) const;
    static std::optional<Piece> pieceOf(std::string_view inBraces);

    std::vector<Piece> m_pieces;
    std::size_t m_lengthMin = 0; // of what matches
    bool m_hasOneLength = true;  // and no other
};

/// A part of this kind states an instant, and is none of this kind otherwise.
bool statesInstant(TokenPart part);

/// The instant that a part of this kind states; nullopt: none.
std::optional<WallTime> instantOf(TokenPart part, std::string_view text);

} // namespace lockscope::inspect
