#include "core/kernel/base/kernel_text.h"
#include "core/kernel/inspect/decoders/builtin.h"
#include "core/kernel/inspect/decoders/clues.h"
#include "core/kernel/inspect/decoders/token_shapes.h"

#include <algorithm>

// JetCache 2.7 (Java): `<cache key>_#RL#` while a client loads the value anew, a UUID as the
// serialiser of the cache writes it. `<cache key>_#TS#` beside it is when it was loaded last.
namespace lockscope::inspect::decoders {

namespace jetcache_refresh {

constexpr std::string_view kLock = "_#RL#";
constexpr std::string_view kLoadedAt = "_#TS#";

bool isBookkeeping(std::string_view key)
{
    return key.ends_with(kLoadedAt);
}

/// Java's own serialisation ends with the UUID; what stands before it is the same for every lock.
Bytes ownerIn(const Bytes& value)
{
    constexpr std::size_t kUuidLength = 36;
    const Bytes end = value.substr(value.size() - std::min(value.size(), kUuidLength));
    return shapeOf(end) == TokenShape::Uuid ? end : value;
}

std::optional<DecodedLock> read(const LockSnapshot& snapshot)
{
    const Observation* const key = soleString(snapshot);
    if (key == nullptr || !key->ttl || !key->key.ends_with(kLock)) {
        return std::nullopt;
    }
    const TokenShape shape = shapeOf(key->value);
    const bool hasUuid = shape == TokenShape::Uuid || shape == TokenShape::UuidTail
                         || shape == TokenShape::UuidInside;
    DecodedLock decoded;
    decoded.confidence = hasUuid ? Confidence::High : Confidence::Medium;
    decoded.holders.emplace_back().owner = ownerIn(key->value);
    decoded.because.add(QT_TRANSLATE_NOOP("KernelText",
                                          "the key is named as this library names its locks"));
    if (hasUuid) {
        decoded.because.add(QT_TRANSLATE_NOOP("KernelText", "the value has a UUID inside"));
    }
    return decoded;
}

ReleaseRecipe release(const LockSnapshot& snapshot, const DecodedLock&, HolderChoice)
{
    ReleaseRecipe recipe;
    recipe.checks.push_back(valueCheck(snapshot.main(), false));
    recipe.warnings = {
        KernelText::tr("After a release, a second client may load the same value at the same "
                       "time.")};
    return recipe;
}

} // namespace jetcache_refresh

const Decoder kJetcacheRefresh{
    .id = "jetcache-refresh",
    .library = "JetCache",
    .title = "JetCache",
    .summary = QT_TRANSLATE_NOOP("KernelText",
                                 "The lock of JetCache (Java) while one client loads a cached "
                                 "value anew."),
    .read = jetcache_refresh::read,
    .release = jetcache_refresh::release,
    .isBookkeeping = jetcache_refresh::isBookkeeping,
};

} // namespace lockscope::inspect::decoders
