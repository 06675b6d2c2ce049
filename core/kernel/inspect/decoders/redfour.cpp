#include "core/kernel/base/kernel_text.h"
#include "core/kernel/inspect/decoders/builtin.h"
#include "core/kernel/inspect/decoders/clues.h"
#include "core/kernel/inspect/decoders/token_shapes.h"

#include <algorithm>

// redfour 1.0 and ioredfour 1.4 (Node): a hash <namespace>:<id> with the field `index`, a number
// that grows with every acquisition and proves the ownership. Every client listens on
// <namespace>-release, where the name of the lock is published when it becomes free; without that,
// waiters sleep for the time to live that they last saw.
namespace lockscope::inspect::decoders {

namespace redfour {

constexpr std::string_view kField = "index";
constexpr std::string_view kChannelSuffix = "-release";
/// The id may have colons as well: so many splits are tried.
constexpr std::size_t kSplitsMax = 4;

const Observation* lockOf(const LockSnapshot& snapshot)
{
    const Observation* const key = soleHash(snapshot);
    const bool fits = key && key->ttl && key->fields.size() == 1
                      && key->fields.front().name == kField
                      && decimalOf(key->fields.front().value).value_or(0) > 0;
    return fits ? key : nullptr;
}

/// The channels that each possible namespace would use.
std::vector<Bytes> channelsOf(const Bytes& key)
{
    std::vector<Bytes> channels;
    for (std::size_t at = key.find(':'); at != Bytes::npos && channels.size() < kSplitsMax;
         at = key.find(':', at + 1)) {
        channels.push_back(key.substr(0, at) + Bytes(kChannelSuffix));
    }
    return channels;
}

ChannelQuestions channels(const LockSnapshot& snapshot)
{
    const Observation* const key = lockOf(snapshot);
    return key ? ChannelQuestions{channelsOf(key->key)} : ChannelQuestions();
}

std::optional<DecodedLock> read(const LockSnapshot& snapshot)
{
    const Observation* const key = lockOf(snapshot);
    if (!key) {
        return std::nullopt;
    }
    const bool isListenedFor =
        std::ranges::any_of(channelsOf(key->key), [&snapshot](const Bytes& channel) {
            return snapshot.listenersOf(channel).value_or(0) > 0;
        });
    if (!isListenedFor && !isNamedLikeLock(snapshot)) {
        return std::nullopt;
    }
    DecodedLock decoded;
    decoded.confidence = isListenedFor ? Confidence::High : Confidence::Medium;
    decoded.holders.emplace_back().owner = key->fields.front().value;
    decoded.because.add(QT_TRANSLATE_NOOP(
        "KernelText", "a hash with the field index, a number, as this library writes it"));
    if (isListenedFor) {
        decoded.because.add(QT_TRANSLATE_NOOP(
            "KernelText", "clients listen on the channel of a namespace with this name"));
    }
    return decoded;
}

ReleaseRecipe release(const LockSnapshot& snapshot, const DecodedLock&, HolderChoice)
{
    const Observation& key = snapshot.main();
    std::vector<Bytes> channels = channelsOf(key.key);
    ReleaseRecipe recipe;
    ReleaseRecipe::KeyCheck check = fieldsCheck(key);
    check.fieldValues = {key.fields.front().value};
    recipe.checks.push_back(std::move(check));
    if (!channels.empty()) {
        recipe.channel = channels.front();
        recipe.payload = key.key;
        recipe.moreArguments.assign(channels.begin() + 1, channels.end());
    }
    return recipe;
}

} // namespace redfour

const Decoder kRedfour{
    .id = "redfour",
    .library = "redfour, ioredfour",
    .title = QT_TRANSLATE_NOOP("KernelText", "redfour, ioredfour"),
    .summary = QT_TRANSLATE_NOOP("KernelText",
                                 "The lock of redfour and ioredfour (Node): a hash with a number "
                                 "that grows with every acquisition."),
    .read = redfour::read,
    .release = redfour::release,
    .channels = redfour::channels,
};

} // namespace lockscope::inspect::decoders
