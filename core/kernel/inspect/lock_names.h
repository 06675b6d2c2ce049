#pragma once

#include "core/kernel/base/bytes.h"
#include "core/kernel/inspect/formats/format_table.h"
#include "core/kernel/inspect/key_group.h"
#include "core/kernel/inspect/observation.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lockscope::inspect {

/// True when a segment of the name is a word for a lock (lock, mutex, lease, leader, semaphore, …)
/// or the name begins as a known library's locks do. Segments end at punctuation, at digits and at
/// camelCase humps, so `order-lock`, `orderLock` and `lock42` qualify; `block` and `clock` do not.
/// Words for a lock in some other scripts (`分布式锁:库存`) qualify anywhere in the name.
bool soundsLikeLock(std::string_view key);

/// A word as forEachWord() parts a name.
bool isLockWord(std::string_view word);

/// The name prefixes of known libraries whose locks always begin the same way, e.g.
/// "gitlab:exclusive_lease:".
std::span<const std::string_view> knownLockPrefixes();

/// Which names are worth reading in a normal sweep. Const and thread-safe once built.
class NameRules {
public:
    /// `userPatterns` are Redis globs: `*`, `?`, `[a-z]`, `[^x]`, `\` escapes.
    explicit NameRules(std::vector<std::string> userPatterns = {},
                       FormatTablePtr formats = builtinFormatTable());

    /// soundsLikeLock(), a user pattern, or a name of the user's formats. Called for a million
    /// names per sweep: allocates nothing.
    bool looksLikeLock(std::string_view key) const;

    /// The user said so: decoders may then believe a name that does not sound like a lock.
    bool matchesUserPattern(std::string_view key) const;

    /// Says of a snapshot whether the user named one of its keys.
    void markIfNamed(LockSnapshot& snapshot) const;

    /// Names that are a library's bookkeeping and never a lock of their own
    /// (`redisson_unlock_latch:*`, …), as the decoders know them, and those of which the user says
    /// that they are no locks. They may look like locks; ask this first.
    bool isBookkeeping(std::string_view key) const;

private:
    std::vector<std::string> m_userPatterns;
    FormatTablePtr m_formats;
};

/// As Redis KEYS and SCAN MATCH do: byte by byte, the whole text.
bool matchesGlob(std::string_view pattern, std::string_view text);

/// How the two keys of a read-write lock are named: name + readSuffix and name + writeSuffix.
struct PairRule {
    std::string readSuffix;
    std::string writeSuffix;
    bool needsLockName = false; // true: a pair only where what remains sounds like a lock
};

std::span<const PairRule> builtinPairRules();

/// The group a key may belong to, judged by its name alone: {key, {key}} for most, the keys that a
/// decoder puts together (Decoder::groupOf), {"x", {"x:read", "x:write"}} for either key of a pair.
/// Whether the two really are a lock is for the decoder to say, which looks at the values;
/// decodeGroup() falls back to single keys. The first rule that fits wins; the name is never empty.
KeyGroup groupOf(std::string_view key, std::span<const PairRule> pairs);

} // namespace lockscope::inspect
