#include "inspect/decoders/builtin.h"
#include "inspect/decoders/clues.h"
#include "inspect/decoders/token_shapes.h"

// Whatever matches a pattern of the user's and no other decoder reads. It is shown so that nobody
// has to wonder where it went; what its value means is not known, so it is not released from here.
// The last resort of the table.
namespace lockscope::inspect::decoders {

namespace {

/// The only key, when it exists. Pairs are put together by their names alone.
const Observation* namedKey(const Sighting& sighting)
{
    const bool isAlone = sighting.isNamedByUser && sighting.keys.size() == 1;
    const Observation& key = sighting.main();
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
        return "it is no string, and in no format that is known";
    }
    if (!isShortString(key)) {
        return "its value is too long to be judged";
    }
    return isFreeConstant(key.value) ? "its value says that nobody holds it"
                                     : "its value is in no format that is known";
}

std::optional<Reading> read(const Sighting& sighting)
{
    const Observation* key = namedKey(sighting);
    if (!key) {
        return std::nullopt;
    }
    Reading reading;
    Holder& holder = reading.holders.emplace_back();
    holder.owner = mayBeOwner(*key) ? key->value : Bytes();
    reading.because.add("you named it");
    reading.because.add(evidenceOf(*key));
    return reading;
}

ReleaseRecipe release(const Sighting&, const Reading&, HolderChoice)
{
    ReleaseRecipe recipe;
    recipe.isSupported = false;
    recipe.warnings = {"What this value means is not known, so it is not deleted from here: the "
                       "program that wrote it knows how."};
    return recipe;
}

} // namespace

const Decoder kNamedKey{
    .id = "named-key",
    .library = "",
    .title = "Named by you",
    .summary = "A key that a pattern of yours calls a lock, and that no other format fits.",
    .read = read,
    .release = release,
    .isLastResort = true,
};

} // namespace lockscope::inspect::decoders
