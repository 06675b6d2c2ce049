#pragma once

#include "core/kernel/inspect/decoder.h"
#include "core/kernel/inspect/observation.h"
#include "core/kernel/inspect/release_plan.h"

#include <optional>
#include <string>
#include <string_view>

// What many decoders ask of a snapshot, and the recipes that many of them share.
namespace lockscope::inspect::decoders {

/// The only key of the snapshot, when it has just one and that is a string no longer than a lock's
/// would be (1024 bytes) and read whole; nullptr otherwise.
const Observation* soleString(const LockSnapshot& snapshot);

/// The only key of the snapshot, when it has just one and that is a hash read whole; nullptr
/// otherwise.
const Observation* soleHash(const LockSnapshot& snapshot);

/// The only key of the snapshot, when it has just one and that is a sorted set read whole; nullptr
/// otherwise.
const Observation* soleSortedSet(const LockSnapshot& snapshot);

/// A string that may be (part of) a lock: short and read whole.
bool isShortString(const Observation& key);

/// Its name is clearly one of a lock, or the user said that it is one.
bool isNamedLikeLock(const LockSnapshot& snapshot);

/// As isNamedLikeLock(), or its name has a word for a lock that may mean something else.
bool isNamedAfterLock(const LockSnapshot& snapshot);

/// Why isNamedAfterLock() is true.
const char* evidenceOfName(const LockSnapshot& snapshot);

/// The name alone speaks for a lock, and does not say it clearly; nor does the value.
bool isProbablyData(const LockSnapshot& snapshot, const DecodedLock& decoded);

/// What is left of its lease is minutes at most, as locks have it; data is mostly kept for longer.
bool isLeasedShortly(const LockSnapshot& snapshot);

/// The name is not clearly that of a lock and may be one of many alike, and the key lives for long:
/// what has the form of a lock may as well be a cart, a session or a list of who is present.
bool mayBeData(const LockSnapshot& snapshot);

/// Its name says that it is something else whose values look like tokens: a session, a cache entry,
/// a code.
bool isNamedLikeData(const LockSnapshot& snapshot);

/// Values that programs store to say no more than "taken": empty, "1", "true", "locked", …
bool isTakenConstant(std::string_view value);

/// Values that say "free": a key that is kept although no client holds it.
bool isFreeConstant(std::string_view value);

/// When the server will remove the key, on the server's clock; nullopt: never.
std::optional<WallTime> expiryOf(const Observation& key);

ReleaseRecipe::KeyCheck valueCheck(const Observation& key, bool comparesExpiry);

/// Compares the names of all fields; see ReleaseRecipe::KeyCheck::Kind::Fields.
ReleaseRecipe::KeyCheck fieldsCheck(const Observation& key);

/// The owners of these holders as the fields or members that a release removes, regardless of the
/// others there.
ReleaseRecipe::KeyCheck ownersCheck(const Observation& key, const std::vector<Holder>& holders);

/// The machine that made a token like Python's uuid1().hex; empty for any other token.
std::vector<Fact> machineFacts(std::string_view token);

/// The old holder's own unlock is a bare DEL.
std::string blindDeleteWarning();

/// The release of a lock whose clients compare nothing when they delete it: value and expiry are
/// compared, and the warning above is given.
ReleaseRecipe blindRelease(const LockSnapshot& snapshot, const DecodedLock&, HolderChoice);

/// One fewer is counted: whose hold that was is not known, and its own release counts once more.
std::string oneOfACountWarning();

/// Readers share a field or a key, and how many there are may not be known.
std::string unnamedReadersWarning();

} // namespace lockscope::inspect::decoders
