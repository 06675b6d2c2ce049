#pragma once

#include "core/kernel/base/time.h"

#include <cstdint>
#include <optional>
#include <string_view>

// What owner tokens and stamps look like, in any library. Pure functions of bytes.
namespace lockscope::inspect::decoders {

/// Decimal digits only, at least one, no sign, no leading zero before another digit, within 63
/// bits.
std::optional<std::int64_t> decimalOf(std::string_view text);

/// "0123…-…": 8-4-4-4-12 hexadecimal digits of either case.
bool isUuid(std::string_view text);

/// A UUID of version 4 in lower case: what java.util.UUID.randomUUID() prints.
bool isUuid4(std::string_view text);

/// Redisson's owner: UUID4, a colon, and a thread id that may be negative.
bool isUuidAndThread(std::string_view text);

/// Lower-case hexadecimal digits only, exactly `count`.
bool isHex(std::string_view text, std::size_t count);

/// A UUID of version 1: when it was made, and where.
struct TimeUuid {
    WallTime createdAt;
    std::uint64_t node = 0; // 48 bits: the network card's address, or a random number with the
                            // multicast bit set
    bool isNodeRandom() const { return (node >> 40 & 1) != 0; }
};

/// From 32 lower-case hexadecimal digits, as Python's uuid1().hex; nullopt for other versions and
/// variants.
std::optional<TimeUuid> timeUuidOfHex32(std::string_view text);

/// From 16 bytes in base64.
std::optional<TimeUuid> timeUuidOfBase64(std::string_view text);

/// An instant as text of exactly 13 digits: epoch milliseconds between 2001 and 2286.
std::optional<WallTime> stampOf13Digits(std::string_view text);

/// The same, perhaps with digits behind a point: scores that a script computed have some.
std::optional<WallTime> stampOfMillis(std::string_view text);

/// An instant as epoch seconds with 10 digits before the point, and perhaps some behind it.
std::optional<WallTime> stampOfSeconds(std::string_view text);

/// An instant as 8 big-endian bytes of epoch milliseconds. Any number is an instant; see isNear().
std::optional<WallTime> stampOf8Bytes(std::string_view bytes);

/// True when an instant is one that a running system may have written: within `window` of the
/// server's clock. False when the server's clock is not known (zero).
bool isNear(WallTime stamp, WallTime serverTime, std::chrono::days window);

/// `<uuid>.<epoch ms>`: a token that carries the instant it was made.
struct StampedUuid {
    std::string_view uuid;
    WallTime stamp;
};
std::optional<StampedUuid> stampedUuidOf(std::string_view text);

/// What a string says about its writer.
enum class TokenShape : std::uint8_t {
    None,     // not a token
    Phrase,   // up to 64 bytes of words that may name an owner; no document, no number
    Name,     // one word of up to 1024 bytes, in any script, that may name an owner; no address
              // of the web, no date
    Document, // JSON that says who made it: an owner, a host, a process, … or a token in quotes
    Process,  // names a process: host:pid, host|pid, pid@host
    Worker,   // names a part of a process: host:pid:thread, host/pid/worker-2
    Random,   // letters and digits, as many as the tokens of a library have
    RawBytes, // 16, 20, 24 or 32 bytes that are not text
    Base64,   // 16, 18 or 32 bytes in base64
    Hex,      // 16, 24, 32, 40 or 64 hexadecimal digits
    Uuid,
    UuidTail, // a UUID, a separator, and up to 63 printable characters: a thread, a worker, a host
    UuidInside, // up to 256 bytes with a UUID among them, with dashes or without: worker-3:<uuid>,
                // serialised by Java
};
TokenShape shapeOf(std::string_view bytes);

/// Made anew for every hold with next to no chance of a collision, so comparing it proves
/// ownership.
bool isUnmistakable(TokenShape shape);

} // namespace lockscope::inspect::decoders
