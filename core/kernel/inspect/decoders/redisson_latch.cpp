#include "core/kernel/base/kernel_text.h"
#include "core/kernel/inspect/decoders/builtin.h"
#include "core/kernel/inspect/decoders/clues.h"
#include "core/kernel/inspect/decoders/redisson_names.h"

// Redisson 3.x and 4.x, RCountDownLatch: a string under exactly the given name with the count that
// is left; at 0 the key is deleted and "0" published. It is no lock: all who wait go on together. A
// bare number proves nothing; only clients that listen on its channel do.
namespace lockscope::inspect::decoders {

namespace redisson_latch {

constexpr std::string_view kChannelPrefix = "redisson_countdownlatch__channel__";

/// The braces are always added, even around a name that has some.
Bytes channelOf(const Bytes& name)
{
    return Bytes(kChannelPrefix) + '{' + name + '}';
}

std::vector<Bytes> locksOf(std::string_view channel)
{
    const std::string_view tag = channel.substr(kChannelPrefix.size());
    const bool isTag = tag.size() > 2 && tag.starts_with('{') && tag.ends_with('}');
    return isTag ? std::vector<Bytes>{Bytes(tag.substr(1, tag.size() - 2))} : std::vector<Bytes>();
}

ChannelQuestions channels(const LockSnapshot& snapshot)
{
    return redissonCountOf(snapshot) ? ChannelQuestions{{channelOf(snapshot.main().key)}, false}
                                     : ChannelQuestions();
}

std::optional<DecodedLock> read(const LockSnapshot& snapshot)
{
    const bool isWaitedFor = redissonCountOf(snapshot).value_or(0) > 0
                             && snapshot.listenersOf(channelOf(snapshot.main().key)).value_or(0)
                                    > 0;
    if (!isWaitedFor) {
        return std::nullopt;
    }
    DecodedLock decoded;
    decoded.confidence = Confidence::High;
    decoded.mode = Mode::Semaphore; // it counts, and no client has it alone
    decoded.isPermanent = true;
    decoded.waiterSource = WaiterSource::Channel;
    decoded.waiterChannel = channelOf(snapshot.main().key);
    decoded.because.add(QT_TRANSLATE_NOOP(
        "KernelText", "a client listens on Redisson's latch channel for this name"));
    decoded.because.add(QT_TRANSLATE_NOOP("KernelText", "its value is a count"));
    return decoded;
}

std::vector<Fact> facts(const LockSnapshot& snapshot, const DecodedLock&)
{
    return {{QT_TRANSLATE_NOOP("KernelText", "count until the latch opens"),
             escaped(snapshot.main().value)}};
}

/// As the last countDown() does. Redisson's own delete() wakes no client.
ReleaseRecipe release(const LockSnapshot& snapshot, const DecodedLock& decoded, HolderChoice)
{
    ReleaseRecipe recipe;
    recipe.areKeysPermanent = true;
    recipe.checks.push_back(valueCheck(snapshot.main(), false));
    recipe.channel = decoded.waiterChannel;
    recipe.payload = "0";
    recipe.sleep = ReleaseRecipe::Sleep::OwnWait;
    recipe.warnings = {KernelText::tr("This is a latch and not a lock. A release opens it: all "
                                      "clients that wait go on, although the count is not 0.")};
    return recipe;
}

std::string meaningOfKey(const LockSnapshot&, const Observation&)
{
    return KernelText::tr("The latch, a string: it is there until the latch opens.");
}

std::string meaningOfPart(const LockSnapshot&, const Observation&, const HashField& part)
{
    return KernelText::tr("Its value %1 is how often clients still have to count down.",
                          escaped(part.value));
}

} // namespace redisson_latch

const Decoder kRedissonLatch{
    .id = "redisson-latch",
    .library = "Redisson",
    .title = QT_TRANSLATE_NOOP("KernelText", "Redisson latch"),
    .summary = QT_TRANSLATE_NOOP("KernelText",
                                 "Redisson's RCountDownLatch: the count that is left; recognised "
                                 "while clients wait for it to open."),
    .read = redisson_latch::read,
    .release = redisson_latch::release,
    .facts = redisson_latch::facts,
    .channels = redisson_latch::channels,
    .waiterChannels = {redisson_latch::kChannelPrefix, redisson_latch::locksOf},
    .words =
        {
            .ifHolderDies = QT_TRANSLATE_NOOP(
                "KernelText",
                "A client that dies before it has counted down leaves the latch closed: those who "
                "wait do so until somebody counts down in its place, or opens it."),
            .key = redisson_latch::meaningOfKey,
            .part = redisson_latch::meaningOfPart,
        },
};

} // namespace lockscope::inspect::decoders
