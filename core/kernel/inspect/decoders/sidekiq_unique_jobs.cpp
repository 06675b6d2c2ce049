#include "core/kernel/base/kernel_text.h"
#include "core/kernel/inspect/decoders/builtin.h"
#include "core/kernel/inspect/decoders/clues.h"
#include "core/kernel/inspect/decoders/token_shapes.h"

#include <algorithm>

// sidekiq-unique-jobs 8.1 and 9.0 (Ruby): a hash `<digest>:LOCKED` from the id of each job that
// holds the lock to when it took it, as epoch seconds (8) or as JSON (9). Version 8 keeps more
// beside it: a string `<digest>`, the lists `:QUEUED`, on which waiting workers block, and
// `:PRIMED`, and
// `:INFO`. Both list all digests in the sorted set uniquejobs:digests.
namespace lockscope::inspect::decoders {

namespace sidekiq_unique_jobs {

using Step = ReleaseRecipe::Step;

constexpr std::string_view kPrefix = "uniquejobs:";
constexpr std::string_view kDigests = "uniquejobs:digests";
constexpr std::string_view kExpiringDigests = "uniquejobs:expiring_digests";
constexpr std::string_view kSuffix = ":LOCKED";
constexpr std::string_view kWakeMark = "1"; // an element of the queue that is no job
constexpr std::int64_t kWakeMs = 5000;
constexpr std::size_t kJobIdSize = 24; // of Sidekiq's ids; user:42:LOCKED has other fields
constexpr std::chrono::days kPlausible(366);

bool isBookkeeping(std::string_view key)
{
    return key.starts_with(kPrefix) && !key.ends_with(kSuffix);
}

Bytes digestOf(const Observation& key)
{
    return key.key.substr(0, key.key.size() - kSuffix.size());
}

const Observation* lockedOf(const LockSnapshot& snapshot)
{
    const Observation* const key = soleHash(snapshot);
    return key && key->key.ends_with(kSuffix) && !key->fields.empty() ? key : nullptr;
}

std::vector<CompanionKey> companions(const LockSnapshot& snapshot)
{
    const Observation* const key = lockedOf(snapshot);
    return key ? std::vector<CompanionKey>{{digestOf(*key) + ":QUEUED", ValueType::List}}
               : std::vector<CompanionKey>();
}

bool isJson(const HashField& field)
{
    return field.value.starts_with('{') && field.value.ends_with('}');
}

bool isHold(const HashField& field, WallTime serverTime)
{
    const std::optional<WallTime> at = stampOfSeconds(field.value);
    return isJson(field) || (at && isNear(*at, serverTime, kPlausible));
}

void readWaiters(const LockSnapshot& snapshot, DecodedLock& decoded)
{
    const Observation* const queue = snapshot.companion(digestOf(snapshot.main()) + ":QUEUED");
    if (queue && queue->exists() && queue->unreadable.empty()) {
        const auto marks = std::ranges::count(queue->fields, kWakeMark, &HashField::name);
        decoded.waiters = static_cast<int>(std::ssize(queue->fields) - marks);
        decoded.waiterSource = WaiterSource::Queue;
    }
}

std::optional<DecodedLock> read(const LockSnapshot& snapshot)
{
    const Observation* const key = lockedOf(snapshot);
    const bool isPrefixed = key && key->key.starts_with(kPrefix);
    const bool isLock = key && std::ranges::all_of(key->fields, [&](const HashField& field) {
                            return isHold(field, key->serverTime)
                                   && (isPrefixed || isHex(field.name, kJobIdSize));
                        });
    if (!isLock) {
        return std::nullopt;
    }
    DecodedLock decoded;
    decoded.confidence = isPrefixed ? Confidence::High : Confidence::Medium;
    decoded.mode = key->fields.size() > 1 ? Mode::Semaphore : Mode::Exclusive;
    for (const HashField& field : key->fields) {
        Holder& holder = decoded.holders.emplace_back();
        holder.owner = field.name;
        holder.mode = decoded.mode;
        holder.setAcquiredAt(stampOfSeconds(field.value));
    }
    if (decoded.holders.size() == 1) {
        decoded.acquiredAt = decoded.holders.front().acquiredAt();
    }
    decoded.because.add(QT_TRANSLATE_NOOP("KernelText",
                                          "the key is named as this library names its locks"));
    decoded.because.add(QT_TRANSLATE_NOOP(
        "KernelText", "the fields of a hash are the ids of jobs, with the time of each lock"));
    readWaiters(snapshot, decoded);
    return decoded;
}

/// As the library's own unlock: the last job to leave takes the keys of the digest with it.
ReleaseRecipe release(const LockSnapshot& snapshot, const DecodedLock& decoded, HolderChoice choice)
{
    const Observation& key = snapshot.main();
    const Bytes digest = digestOf(key);
    ReleaseRecipe recipe;
    ReleaseRecipe::KeyCheck check = ownersCheck(key, choice.of(decoded.holders));
    for (const Bytes& job : check.fields) {
        check.fieldValues.push_back(std::ranges::find(key.fields, job, &HashField::name)->value);
    }
    recipe.checks.push_back(std::move(check));
    recipe.script = ReleaseRecipe::Script::Composed;
    recipe.sleep = ReleaseRecipe::Sleep::OwnWait;
    recipe.steps = {{.kind = Step::Kind::Remove}};
    const auto addCompanion = [&recipe](Bytes name, Step step) {
        recipe.companions.push_back(std::move(name));
        step.key = recipe.companions.size(); // the only check comes first
        recipe.steps.push_back(std::move(step));
    };
    addCompanion(Bytes(kDigests), {.kind = Step::Kind::DropMemberIfGone, .value = digest});
    if (!isJson(key.fields.front())) { // version 8
        addCompanion(Bytes(kExpiringDigests),
                     {.kind = Step::Kind::DropMemberIfGone, .value = digest});
        addCompanion(digest, {.kind = Step::Kind::DropIfGone});
        addCompanion(digest + ":PRIMED", {.kind = Step::Kind::DropIfGone});
        addCompanion(digest + ":INFO", {.kind = Step::Kind::DropIfGone});
        addCompanion(digest + ":QUEUED",
                     {.kind = Step::Kind::Push, .value = Bytes(kWakeMark), .number = kWakeMs});
    }
    recipe.warnings = {KernelText::tr("The job itself goes on: after a release, a second job with "
                                      "the same arguments may start beside it.")};
    return recipe;
}

std::string meaningOfKey(const LockSnapshot& snapshot, const Observation& key)
{
    return key.key == snapshot.main().key
               ? std::string()
               : KernelText::tr(
                   "The jobs that wait, the next one first. An element 1 is no job: an "
                   "unlock pushes it to wake a worker.");
}

std::string meaningOfPart(const LockSnapshot&, const Observation& key, const HashField& part)
{
    if (key.type == ValueType::List) {
        return part.name == kWakeMark
                   ? KernelText::tr("1 is such a mark.")
                   : KernelText::tr("The job %1 waits.", nameInQuotes(part.name));
    }
    if (const std::optional<WallTime> at = stampOfSeconds(part.value)) {
        return KernelText::tr("The field %1 is the id of a job that holds the lock, and its value "
                              "when it took it, in epoch seconds: %2.",
                              nameInQuotes(part.name), relativeText(*at, key.serverTime));
    }
    return KernelText::tr("The field %1 is the id of a job that holds the lock, and its value what "
                          "the gem knows of that job: %2.",
                          nameInQuotes(part.name), nameInQuotes(part.value));
}

} // namespace sidekiq_unique_jobs

const Decoder kSidekiqUniqueJobs{
    .id = "sidekiq-unique-jobs",
    .library = "sidekiq-unique-jobs",
    .title = QT_TRANSLATE_NOOP("KernelText", "Sidekiq unique job"),
    .summary = QT_TRANSLATE_NOOP("KernelText",
                                 "The lock of sidekiq-unique-jobs (Ruby): a hash from the id of "
                                 "each job that holds it to when it was taken."),
    .read = sidekiq_unique_jobs::read,
    .release = sidekiq_unique_jobs::release,
    .companions = sidekiq_unique_jobs::companions,
    .isBookkeeping = sidekiq_unique_jobs::isBookkeeping,
    .words =
        {
            .ifHolderDies = QT_TRANSLATE_NOOP("KernelText",
                                              "The reaper of the gem, where it runs, removes the "
                                              "lock once Sidekiq has no such job "
                                              "any more."),
            .key = sidekiq_unique_jobs::meaningOfKey,
            .part = sidekiq_unique_jobs::meaningOfPart,
        },
};

} // namespace lockscope::inspect::decoders
