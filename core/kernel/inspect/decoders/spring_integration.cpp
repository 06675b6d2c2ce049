#include "core/kernel/base/kernel_text.h"
#include "core/kernel/inspect/decoders/builtin.h"
#include "core/kernel/inspect/decoders/clues.h"
#include "core/kernel/inspect/decoders/token_shapes.h"

#include <algorithm>

// Spring Integration 5.5 to 7.1, RedisLockRegistry: a string <registry key>:<path> with the UUID of
// the registry, the same for all its locks. By that alone it is like any token. With PUB_SUB_LOCK
// its waiters subscribe to <registry key>-channel (up to 6.x) or to the pattern
// <registry key>-channel:* (since 7.0), and the unlock publishes the name of the lock to
// <registry key>-channel or <registry key>-channel:<lock>. The server tells who listens to the
// first; of the second only that clients listen to some pattern. With SPIN_LOCK they poll.
namespace lockscope::inspect::decoders {

namespace spring_integration {

constexpr std::string_view kChannelSuffix = "-channel";
/// The path may have colons as well: so many splits are tried.
constexpr std::size_t kSplitsMax = 4;

bool mayBe(const LockSnapshot& snapshot)
{
    const Observation* const key = soleString(snapshot);
    return key && key->ttl && isUuid4(key->value);
}

/// The channels that each possible registry would use.
std::vector<Bytes> registryChannelsOf(const Bytes& key)
{
    std::vector<Bytes> channels;
    for (std::size_t at = key.find(':'); at != Bytes::npos && channels.size() < kSplitsMax;
         at = key.find(':', at + 1)) {
        if (at > 0 && at + 1 < key.size()) {
            channels.push_back(key.substr(0, at) + Bytes(kChannelSuffix));
        }
    }
    return channels;
}

ChannelQuestions channels(const LockSnapshot& snapshot)
{
    if (!mayBe(snapshot)) {
        return {};
    }
    std::vector<Bytes> channels = registryChannelsOf(snapshot.main().key);
    const bool hasRegistry = !channels.empty();
    return {std::move(channels), hasRegistry};
}

/// The channel of the registry whose waiters are seen; empty: none are.
Bytes listenedChannelOf(const LockSnapshot& snapshot)
{
    const std::vector<Bytes> channels = registryChannelsOf(snapshot.main().key);
    const auto found = std::ranges::find_if(channels, [&snapshot](const Bytes& channel) {
        return snapshot.listenersOf(channel).value_or(0) > 0;
    });
    return found == channels.end() ? Bytes() : *found;
}

std::optional<DecodedLock> read(const LockSnapshot& snapshot)
{
    if (!mayBe(snapshot)) {
        return std::nullopt;
    }
    const Bytes& key = snapshot.main().key;
    const std::vector<Bytes> channels = registryChannelsOf(key);
    const Bytes listened = listenedChannelOf(snapshot);
    if (channels.empty() || (listened.empty() && snapshot.patternCount.value_or(0) == 0)) {
        return std::nullopt;
    }
    DecodedLock decoded;
    decoded.holders.emplace_back().owner = snapshot.main().value;
    if (!listened.empty()) {
        decoded.confidence = Confidence::High;
        decoded.waiterSource = WaiterSource::SomeOnChannel;
        decoded.waiterChannel = listened;
        decoded.because.add(QT_TRANSLATE_NOOP(
            "KernelText", "a client listens on the channel of a lock registry with this name"));
    } else {
        decoded.confidence = Confidence::Low;
        decoded.waiterChannel = channels.front() + ':' + key;
        decoded.because.add(QT_TRANSLATE_NOOP(
            "KernelText", "clients listen to patterns of channels, as its waiters do"));
    }
    decoded.because.add(QT_TRANSLATE_NOOP("KernelText", "the value is a UUID"));
    decoded.because.add(QT_TRANSLATE_NOOP("KernelText", "it expires, as a lock should"));
    return decoded;
}

/// The message goes to both kinds of channels of every registry that it may be of.
ReleaseRecipe release(const LockSnapshot& snapshot, const DecodedLock&, HolderChoice)
{
    const Bytes& key = snapshot.main().key;
    std::vector<Bytes> all;
    for (const Bytes& channel : registryChannelsOf(key)) {
        all.push_back(channel);
        all.push_back(channel);
        all.back().append(1, ':').append(key);
    }
    ReleaseRecipe recipe;
    // The next hold of the same registry has the same value.
    recipe.checks.push_back(valueCheck(snapshot.main(), true));
    recipe.channel = all.front();
    recipe.payload = key;
    recipe.sleep = ReleaseRecipe::Sleep::Lease;
    recipe.moreArguments.assign(all.begin() + 1, all.end());
    return recipe;
}

std::string meaningOfPart(const LockSnapshot&, const Observation&, const HashField& part)
{
    return KernelText::tr("Its value %1 is the id of the lock registry that holds it: the same for "
                          "all locks of that registry, and for its next hold of this one.",
                          nameInQuotes(part.value));
}

} // namespace spring_integration

const Decoder kSpringIntegration{
    .id = "spring-integration",
    .library = "Spring Integration",
    .title = QT_TRANSLATE_NOOP("KernelText", "Spring Integration"),
    .summary = QT_TRANSLATE_NOOP(
        "KernelText",
        "The RedisLockRegistry of Spring Integration with PUB_SUB_LOCK: the UUID of the registry, "
        "recognised while clients listen on its channel."),
    .read = spring_integration::read,
    .release = spring_integration::release,
    .channels = spring_integration::channels,
    .ownerScope = OwnerScope::Process,
    .words =
        {
            .renewal = QT_TRANSLATE_NOOP(
                "KernelText",
                "It is renewed, at a third of its lease, only where the registry was given a task "
                "scheduler (since 6.4)."),
            .part = spring_integration::meaningOfPart,
        },
};

} // namespace lockscope::inspect::decoders
