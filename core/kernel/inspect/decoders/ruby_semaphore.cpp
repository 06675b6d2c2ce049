#include "core/kernel/base/kernel_text.h"
#include "core/kernel/inspect/decoders/builtin.h"
#include "core/kernel/inspect/decoders/clues.h"
#include "core/kernel/inspect/decoders/token_shapes.h"

#include <algorithm>

// The gem redis-semaphore 0.3 (Ruby): `SEMAPHORE:<name>:GRABBED` is a hash from each token that is
// out to when it was taken, `:AVAILABLE` the list of those that are free. Waiters block on that
// list, so giving a token back is what wakes them. The package redis-semaphore 0.2 (Python) writes
// `<namespace>:GRABBED`, SEMAPHORE unless it is told another one, and so does the gem where
// Redis::Namespace puts a prefix of its own before the names.
namespace lockscope::inspect::decoders {

namespace ruby_semaphore {

using Step = ReleaseRecipe::Step;

constexpr std::string_view kPrefix = "SEMAPHORE:";
constexpr std::string_view kSuffix = ":GRABBED";
constexpr std::chrono::days kPlausible(366);

bool isBookkeeping(std::string_view key)
{
    constexpr std::string_view kBeside[] = {":AVAILABLE", ":VERSION", ":release_locks"};
    constexpr std::string_view kInAnyNamespace = ":EXISTS"; // its value could be that of a lock
    if (key.ends_with(kInAnyNamespace)) {
        return true;
    }
    return key.starts_with(kPrefix) && std::ranges::any_of(kBeside, [key](std::string_view end) {
               return key.ends_with(end);
           });
}

Bytes availableOf(const Observation& key)
{
    return key.key.substr(0, key.key.size() - kSuffix.size()) + ":AVAILABLE";
}

const Observation* grabbedOf(const LockSnapshot& snapshot)
{
    const Observation* const key = soleHash(snapshot);
    return key && key->key.size() > kSuffix.size() && key->key.ends_with(kSuffix) ? key : nullptr;
}

std::optional<DecodedLock> read(const LockSnapshot& snapshot)
{
    const Observation* const key = grabbedOf(snapshot);
    const bool isSemaphore = key && !key->fields.empty()
                             && std::ranges::all_of(key->fields, [key](const HashField& field) {
                                    const auto at = stampOfSeconds(field.value);
                                    return at && isNear(*at, key->serverTime, kPlausible);
                                });
    if (!isSemaphore) {
        return std::nullopt;
    }
    DecodedLock decoded;
    decoded.confidence = key->key.starts_with(kPrefix) ? Confidence::High : Confidence::Medium;
    decoded.mode = Mode::Semaphore;
    for (const HashField& field : key->fields) {
        Holder& holder = decoded.holders.emplace_back();
        holder.owner = field.name;
        holder.mode = Mode::Semaphore;
        holder.setAcquiredAt(stampOfSeconds(field.value));
    }
    decoded.waiterSource = WaiterSource::BlockedList;
    decoded.because.add(QT_TRANSLATE_NOOP("KernelText",
                                          "the key is named as this library names its semaphores"));
    decoded.because.add(QT_TRANSLATE_NOOP(
        "KernelText", "the fields of a hash are tokens, with the time at which each was taken"));
    return decoded;
}

/// A token goes back to the list only together with its removal here: otherwise there would be one
/// more.
ReleaseRecipe release(const LockSnapshot& snapshot, const DecodedLock& decoded, HolderChoice choice)
{
    const Observation& key = snapshot.main();
    ReleaseRecipe recipe;
    ReleaseRecipe::KeyCheck check = ownersCheck(key, choice.of(decoded.holders));
    recipe.steps = {{.kind = Step::Kind::Remove}};
    for (const Bytes& token : check.fields) {
        check.fieldValues.push_back(std::ranges::find(key.fields, token, &HashField::name)->value);
        recipe.steps.push_back({.kind = Step::Kind::Push, .key = 1, .value = token});
    }
    recipe.checks.push_back(std::move(check));
    recipe.companions = {availableOf(key)};
    recipe.sleep = ReleaseRecipe::Sleep::OwnWait;
    recipe.script = ReleaseRecipe::Script::Composed;
    recipe.warnings = {blindDeleteWarning()}; // the next holder gets the same token
    return recipe;
}

std::string meaningOfKey(const LockSnapshot&, const Observation&)
{
    return KernelText::tr("The tokens of the semaphore that are out, one for each holder. The free "
                          "ones are in the list beside it.");
}

std::string meaningOfPart(const LockSnapshot&, const Observation& key, const HashField& part)
{
    const std::optional<WallTime> at = stampOfSeconds(part.value);
    return at ? KernelText::tr("The token %1 was taken at the instant of its value, in epoch "
                               "seconds: %2.",
                               nameInQuotes(part.name), relativeText(*at, key.serverTime))
              : std::string();
}

} // namespace ruby_semaphore

const Decoder kRubySemaphore{
    .id = "ruby-semaphore",
    .library = "redis-semaphore (Ruby, Python)",
    .title = QT_TRANSLATE_NOOP("KernelText", "redis-semaphore (Ruby, Python)"),
    .summary = QT_TRANSLATE_NOOP("KernelText",
                                 "The semaphore of the gem redis-semaphore, and of the Python "
                                 "package of that name: a hash of the tokens that are out, and a "
                                 "list of the free ones on which waiters block."),
    .read = ruby_semaphore::read,
    .release = ruby_semaphore::release,
    .isBookkeeping = ruby_semaphore::isBookkeeping,
    .ownerScope = OwnerScope::None, // tokens are handed on: the next holder gets the same one
    .words =
        {
            .ifHolderDies = QT_TRANSLATE_NOOP(
                "KernelText",
                "Its token stays out until it is released, or until a client with a time-out for "
                "stale clients takes it back."),
            .key = ruby_semaphore::meaningOfKey,
            .part = ruby_semaphore::meaningOfPart,
        },
};

} // namespace lockscope::inspect::decoders
