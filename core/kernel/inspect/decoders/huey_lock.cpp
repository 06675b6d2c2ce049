#include "core/kernel/base/kernel_text.h"
#include "core/kernel/inspect/decoders/builtin.h"
#include "core/kernel/inspect/decoders/clues.h"

#include <algorithm>

// TaskLock of huey 3.3 (Python) in its default storage: a field `<name>.lock.<lock>` of the hash
// `huey.results.<name>`, beside the results of tasks. Its value is a pickled '1'.
namespace lockscope::inspect::decoders {

namespace huey_lock {

constexpr std::string_view kPrefix = "huey.results.";

/// "shop.lock." in "huey.results.shop".
Bytes beginningOf(const Observation& key)
{
    return key.key.substr(kPrefix.size()) + ".lock.";
}

std::optional<DecodedLock> read(const LockSnapshot& snapshot)
{
    const Observation* const key = soleHash(snapshot);
    if (key == nullptr || !key->key.starts_with(kPrefix)) {
        return std::nullopt;
    }
    DecodedLock decoded;
    decoded.confidence = Confidence::High;
    const Bytes beginning = beginningOf(*key);
    for (const HashField& field : key->fields) {
        if (field.name.starts_with(beginning)) {
            decoded.holders.emplace_back().owner = field.name;
        }
    }
    if (decoded.holders.empty()) {
        return std::nullopt;
    }
    decoded.because.add(QT_TRANSLATE_NOOP("KernelText",
                                          "the key is named as this library names its results"));
    decoded.because.add(QT_TRANSLATE_NOOP("KernelText",
                                          "a field is named as this library names its locks"));
    return decoded;
}

ReleaseRecipe release(const LockSnapshot& snapshot, const DecodedLock& decoded, HolderChoice choice)
{
    ReleaseRecipe recipe;
    recipe.checks.push_back(ownersCheck(snapshot.main(), choice.of(decoded.holders)));
    recipe.checks.back().comparesExpiry = true; // so that the server watches for another hold
    recipe.warnings = {
        decoders::blindDeleteWarning(),
        KernelText::tr("The field does not tell one hold from the next. The other fields of the "
                       "key, the results of tasks, stay.")};
    return recipe;
}

std::string meaningOfKey(const LockSnapshot&, const Observation&)
{
    return KernelText::tr("The results of tasks, a hash; locks stand among them.");
}

std::string meaningOfPart(const LockSnapshot&, const Observation& key, const HashField& part)
{
    return part.name.starts_with(beginningOf(key))
               ? KernelText::tr("The field %1 is a lock that is held; its value says nothing.",
                                nameInQuotes(part.name))
               : KernelText::tr("The field %1 is the result of a task.", nameInQuotes(part.name));
}

} // namespace huey_lock

const Decoder kHueyLock{
    .id = "huey",
    .library = "huey",
    .title = "Huey",
    .summary = QT_TRANSLATE_NOOP("KernelText",
                                 "The TaskLock of Huey (Python): a field for each lock that is "
                                 "held, in the hash of results. It records no holder."),
    .read = huey_lock::read,
    .release = huey_lock::release,
    .ownerScope = OwnerScope::None, // the field is the name of the lock
    .words =
        {
            .waiting = QT_TRANSLATE_NOOP(
                "KernelText", "No client waits: a task that finds the lock taken fails."),
            .key = huey_lock::meaningOfKey,
            .part = huey_lock::meaningOfPart,
        },
};

} // namespace lockscope::inspect::decoders
