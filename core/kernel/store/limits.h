#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

/// How much of what servers say is taken. A server may be broken, hostile or only much larger than
/// we thought; our memory is ours. Code at a limit says so with Problem::Kind::LimitExceeded
/// or counts what was left out; nothing is cut silently. One place, so that they can be read beside
/// each other.
namespace lockscope::store::limits {

inline constexpr std::size_t kKiB = 1024;
inline constexpr std::size_t kMiB = 1024 * kKiB;

// Of the stream.

/// One reply in our memory, or all replies to one batch of commands together. CLIENT LIST of
/// 100,000 clients takes 35 MB, a batch of the key reader at most 32 MB.
inline constexpr std::size_t kReplyBytesMax = 64 * kMiB;
/// A status, an error, a number or a length. What Redis itself writes is shorter than 1 KB.
inline constexpr std::size_t kLineBytesMax = 64 * kKiB;
/// What a string may be announced to have: no Redis stores more (proto-max-bulk-len).
inline constexpr std::uint64_t kStringBytesMax = 512 * kMiB;
/// An error of the server is kept as far as this.
inline constexpr std::size_t kErrorTextBytesMax = kKiB;
/// A string inside an array is read past when it is longer, and only said to have been there. Twice
/// what any value has that a lock consists of; 1,000 of them, a page of SCAN, fit into a reply.
inline constexpr std::size_t kElementBytesMax = 32 * kKiB;
/// What is kept of a string that was read past: enough to recognise a name.
inline constexpr std::size_t kBeginningBytes = 64;
/// Elements of one array. The longest that we ask for has some thousands.
inline constexpr std::size_t kElementsMax = 1'000'000;
/// Arrays in arrays. No command of ours is answered more than three deep.
inline constexpr std::size_t kNestingMax = 7;
/// Read after a stream was given up, in case its last words say why.
inline constexpr std::size_t kLastWordsBytesMax = 4 * kMiB;

// Of what is made of it.

/// A key with a longer name is counted as not readable. Names of locks have some dozen bytes; they
/// are kept many times over, in tables, filters and logs.
inline constexpr std::size_t kKeyNameBytesMax = 4 * kKiB;
/// Locks of all watched servers together; ten times of what was ever heard of.
inline constexpr std::size_t kLocksMax = 1'000'000;
/// A cursor of SCAN: 64 bits are 20 digits.
inline constexpr std::size_t kCursorBytesMax = 32;
/// Clients of one server whose addresses are remembered.
inline constexpr std::size_t kClientsMax = 100'000;
/// A client with a longer name is not looked for by its name.
inline constexpr std::size_t kClientNameBytesMax = kKiB;
/// Changed keys that wait to be read again. Beyond it a new sweep is cheaper than a list.
inline constexpr std::size_t kChangedKeysMax = 50'000;

/// "64 MB", "32 KB": how a limit is written for people.
inline std::string sizeText(std::uint64_t bytes)
{
    return bytes >= kMiB ? std::to_string(bytes / kMiB) + " MB"
                         : std::to_string(bytes / kKiB) + " KB";
}

} // namespace lockscope::store::limits
