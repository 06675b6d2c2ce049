#include "core/kernel/base/kernel_text.h"
#include "core/kernel/inspect/decoders/builtin.h"
#include "core/kernel/inspect/decoders/clues.h"
#include "core/kernel/inspect/decoders/token_shapes.h"

// The file locks of Nextcloud: `<instance>/lock<path>`, where the path is mostly `files/<md5>`. The
// value is JSON: "exclusive" with its quotes, or how many share the file. No holder is recorded.
namespace lockscope::inspect::decoders {

namespace nextcloud_lock {

constexpr std::int64_t kMostHolders = 10'000;
constexpr std::string_view kExclusive = "\"exclusive\"";

/// …/lockfiles/<md5>. Other programs name their locks …/lockfiles/<name>, and a number there may be
/// a process: only the digest proves that it is a count.
bool endsWithDigest(std::string_view key)
{
    constexpr std::size_t kLength = 32;
    return key.size() > kLength && isHex(key.substr(key.size() - kLength), kLength);
}

std::optional<DecodedLock> read(const LockSnapshot& snapshot)
{
    const Observation* const key = soleString(snapshot);
    if (key == nullptr || !key->ttl
        || (key->key.find("/lockfiles/") == Bytes::npos
            && key->key.find("/lock/files/") == Bytes::npos)) {
        return std::nullopt;
    }
    const std::optional<std::int64_t> sharing = decimalOf(key->value);
    const bool isShared = sharing && *sharing > 0 && *sharing <= kMostHolders
                          && endsWithDigest(key->key);
    if (key->value != kExclusive && !isShared) {
        return std::nullopt;
    }
    DecodedLock decoded;
    decoded.confidence = !endsWithDigest(key->key) ? Confidence::Low
                         : isShared                ? Confidence::Medium
                                                   : Confidence::High;
    decoded.mode = isShared ? Mode::Read : Mode::Exclusive;
    Holder& holder = decoded.holders.emplace_back();
    holder.mode = decoded.mode;
    holder.holds = isShared ? static_cast<std::uint32_t>(*sharing) : 1;
    decoded.because.add(QT_TRANSLATE_NOOP("KernelText",
                                          "the key is named as this library names its locks"));
    decoded.because.add(isShared ? QT_TRANSLATE_NOOP("KernelText", "the value counts who shares it")
                                 : QT_TRANSLATE_NOOP("KernelText", "the value says exclusive"));
    return decoded;
}

/// Who shares the file cannot be told apart: all of them go, or one fewer is counted, as by its own
/// release.
ReleaseRecipe release(const LockSnapshot& snapshot, const DecodedLock& decoded, HolderChoice choice)
{
    ReleaseRecipe recipe;
    recipe.checks.push_back(valueCheck(snapshot.main(), true));
    recipe.warnings = {blindDeleteWarning()};
    if (choice.isOneHold()) {
        recipe.script = ReleaseRecipe::Script::Composed;
        recipe.steps = {{.kind = ReleaseRecipe::Step::Kind::Subtract, .number = 1}};
        recipe.warnings = {oneOfACountWarning()};
    } else if (decoded.mode == Mode::Read) {
        recipe.endsUnnamedReaders = true;
        recipe.warnings.push_back(unnamedReadersWarning());
    }
    return recipe;
}

std::string meaningOfPart(const LockSnapshot&, const Observation&, const HashField& part)
{
    return part.value == kExclusive
               ? KernelText::tr("Its value %1 says that one request has the file for itself.",
                                nameInQuotes(part.value))
               : KernelText::tr("Its value %1 is how many requests share the file.",
                                escaped(part.value));
}

} // namespace nextcloud_lock

const Decoder kNextcloudLock{
    .id = "nextcloud-lock",
    .library = "Nextcloud",
    .title = "Nextcloud",
    .summary = QT_TRANSLATE_NOOP("KernelText",
                                 "The lock of a file in Nextcloud: exclusive, or the number of "
                                 "those that share it."),
    .read = nextcloud_lock::read,
    .release = nextcloud_lock::release,
    .ownerScope = OwnerScope::None,
    .countsHolders = true,
    .words =
        {
            .waiting = QT_TRANSLATE_NOOP("KernelText", "No message wakes those who wait: a request "
                                                       "that finds the file locked fails, and the "
                                                       "client tries again."),
            .part = nextcloud_lock::meaningOfPart,
        },
};

} // namespace lockscope::inspect::decoders
