#include "core/kernel/base/kernel_text.h"
#include "core/kernel/inspect/decoders/builtin.h"
#include "core/kernel/inspect/decoders/clues.h"
#include "core/kernel/inspect/decoders/token_shapes.h"

// Keys that match a pattern of the user's and that no other decoder reads. They are shown so that
// the user can see where they went; what the value means is not known, so they are not released
// from here. The last resort of the table.
namespace lockscope::inspect::decoders {

namespace named_key {

/// The only key, when it exists. Pairs are put together by their names alone.
const Observation* namedKey(const LockSnapshot& snapshot)
{
    const bool isAlone = snapshot.isNamedByUser && snapshot.keys.size() == 1;
    const Observation& key = snapshot.main();
    return isAlone && key.exists() && key.unreadable.empty() ? &key : nullptr;
}

/// A number may count what is free as well as who came.
bool mayBeOwner(const Observation& key)
{
    return isShortString(key) && !decimalOf(key.value) && !isFreeConstant(key.value);
}

const char* evidenceOf(const Observation& key)
{
    if (key.isTextless()) {
        return QT_TRANSLATE_NOOP("KernelText", "it is not a string, and not in a known format");
    }
    if (!isShortString(key)) {
        return QT_TRANSLATE_NOOP("KernelText", "its value is too long to evaluate");
    }
    return isFreeConstant(key.value)
               ? QT_TRANSLATE_NOOP("KernelText", "its value means that the lock is free")
               : QT_TRANSLATE_NOOP("KernelText", "its value is not in a known format");
}

std::optional<DecodedLock> read(const LockSnapshot& snapshot)
{
    const Observation* key = namedKey(snapshot);
    if (!key) {
        return std::nullopt;
    }
    DecodedLock decoded;
    Holder& holder = decoded.holders.emplace_back();
    holder.owner = mayBeOwner(*key) ? key->value : Bytes();
    decoded.because.add(QT_TRANSLATE_NOOP("KernelText", "it matches one of your patterns"));
    decoded.because.add(evidenceOf(*key));
    return decoded;
}

ReleaseRecipe release(const LockSnapshot&, const DecodedLock&, HolderChoice)
{
    ReleaseRecipe recipe;
    recipe.isSupported = false;
    recipe.warnings = {
        KernelText::tr("The meaning of this value is unknown, so Lockscope does not delete it. "
                       "Release it with the program that wrote it.")};
    return recipe;
}

} // namespace named_key

const Decoder kNamedKey{
    .id = "named-key",
    .library = "",
    .title = QT_TRANSLATE_NOOP("KernelText", "Named by you"),
    .summary = QT_TRANSLATE_NOOP("KernelText",
                                 "A key that matches one of your patterns and no other format."),
    .read = named_key::read,
    .release = named_key::release,
    .isLastResort = true,
};

} // namespace lockscope::inspect::decoders
