#include "core/kernel/base/characters.h"
#include "core/kernel/base/kernel_text.h"
#include "core/kernel/inspect/decoders/builtin.h"
#include "core/kernel/inspect/decoders/clues.h"
#include "core/kernel/inspect/decoders/redisson_names.h"

#include <algorithm>
#include <array>

// Redisson 3.x and 4.x, RSemaphore: a string under exactly the given name that counts the permits
// which are free. Who has the others is written nowhere. A bare number proves nothing; only clients
// that listen on its channel do, and those wait. Deleting the key would lose the free permits and
// leave the waiters asleep for good: a permit comes back by raising the count and telling it.
namespace lockscope::inspect::decoders {

namespace redisson_semaphore {

constexpr std::string_view kChannel = "redisson_sc";
constexpr std::string_view kChannelPrefix = "redisson_sc:";

bool isNamedSo(std::string_view name)
{
    constexpr std::array<std::string_view, 2> kWords{"semaphore", "permit"};
    return std::ranges::any_of(kWords, [name](std::string_view word) {
        const auto isSame = [](char c, char expected) { return lowered(c) == expected; };
        return std::search(name.begin(), name.end(), word.begin(), word.end(), isSame)
               != name.end();
    });
}

std::vector<Bytes> locksOf(std::string_view channel)
{
    return namesOfRedissonTag(channel.substr(kChannelPrefix.size()));
}

ChannelQuestions channels(const LockSnapshot& snapshot)
{
    return redissonCountOf(snapshot)
               ? ChannelQuestions{{channelOfRedisson(kChannel, snapshot.main().key)}, false}
               : ChannelQuestions();
}

/// Its permits are written down: then it is a semaphore of the other kind.
bool hasPermits(const LockSnapshot& snapshot)
{
    const Observation* const permits =
        snapshot.companion(redissonPermitsNameOf(snapshot.main().key));
    return permits && permits->exists();
}

bool isWaitedFor(const LockSnapshot& snapshot)
{
    return snapshot.listenersOf(channelOfRedisson(kChannel, snapshot.main().key)).value_or(0) > 0;
}

std::optional<DecodedLock> read(const LockSnapshot& snapshot)
{
    const bool isWaited = redissonCountOf(snapshot) && isWaitedFor(snapshot);
    const bool mayBe = redissonCountOf(snapshot) && !snapshot.main().ttl
                       && isNamedSo(snapshot.name);
    if ((!isWaited && !mayBe) || hasPermits(snapshot)) {
        return std::nullopt;
    }
    DecodedLock decoded;
    decoded.confidence = isWaited ? Confidence::High : Confidence::Low;
    decoded.mode = Mode::Semaphore;
    decoded.isPermanent = true;
    decoded.waiterSource = WaiterSource::Channel;
    decoded.waiterChannel = channelOfRedisson(kChannel, snapshot.main().key);
    if (isWaited) {
        decoded.because.add(QT_TRANSLATE_NOOP(
            "KernelText", "a client listens on Redisson's semaphore channel for this name"));
        decoded.because.add(QT_TRANSLATE_NOOP("KernelText", "its value is a count"));
    } else {
        decoded.because.add(QT_TRANSLATE_NOOP("KernelText",
                                              "the name and a count suggest a semaphore"));
    }
    return decoded;
}

std::vector<Fact> facts(const LockSnapshot& snapshot, const DecodedLock&)
{
    return {{QT_TRANSLATE_NOOP("KernelText", "free permits"), escaped(snapshot.main().value)}};
}

/// One permit comes back.
ReleaseRecipe release(const LockSnapshot& snapshot, const DecodedLock& decoded, HolderChoice)
{
    ReleaseRecipe recipe;
    recipe.areKeysPermanent = true;
    recipe.checks.push_back(valueCheck(snapshot.main(), false));
    if (decoded.confidence != Confidence::High) {
        recipe.isSupported = false;
        recipe.warnings = {KernelText::tr("The value may be a count of free permits, and no client "
                                          "waits for one: there is nothing to release.")};
        return recipe;
    }
    recipe.script = ReleaseRecipe::Script::RedissonPermits;
    recipe.channel = decoded.waiterChannel;
    recipe.moreArguments = {"1"};
    recipe.sleep = ReleaseRecipe::Sleep::OwnWait;
    recipe.warnings = {KernelText::tr(
        "Holders are not recorded. A release adds one permit to the count: if no client has lost "
        "one, more clients than intended will be let in.")};
    return recipe;
}

std::string meaningOfKey(const LockSnapshot&, const Observation&)
{
    return KernelText::tr("The semaphore, a string: it stays when all its permits are free.");
}

std::string meaningOfPart(const LockSnapshot&, const Observation&, const HashField& part)
{
    return KernelText::tr("Its value %1 is the number of free permits. Who has the others is "
                          "written nowhere.",
                          escaped(part.value));
}

} // namespace redisson_semaphore

const Decoder kRedissonSemaphore{
    .id = "redisson-semaphore",
    .library = "Redisson",
    .title = QT_TRANSLATE_NOOP("KernelText", "Redisson semaphore"),
    .summary = QT_TRANSLATE_NOOP("KernelText", "Redisson's RSemaphore: the number of free permits; "
                                               "recognised while clients wait for one."),
    .read = redisson_semaphore::read,
    .release = redisson_semaphore::release,
    .facts = redisson_semaphore::facts,
    .channels = redisson_semaphore::channels,
    .waiterChannels = {redisson_semaphore::kChannelPrefix, redisson_semaphore::locksOf},
    .words =
        {
            .ifHolderDies = QT_TRANSLATE_NOOP(
                "KernelText",
                "The permits that it has are lost: nobody adds them to the count again, until a "
                "release does."),
            .key = redisson_semaphore::meaningOfKey,
            .part = redisson_semaphore::meaningOfPart,
        },
};

} // namespace lockscope::inspect::decoders
