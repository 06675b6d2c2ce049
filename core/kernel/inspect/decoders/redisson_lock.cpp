#include "inspect/decoders/builtin.h"
#include "inspect/decoders/clues.h"
#include "inspect/decoders/token_shapes.h"

#include <limits>

// Redisson 3.2 to 4.7, RLock: a hash under exactly the given name with one field <uuid of the
// client>:<thread id> whose value counts the holds. Waiters sleep on the channel below until a
// message arrives. RSpinLock, RFencedLock, RNonReentrantLock, a fair lock that nobody waits for,
// and a member of RMultiLock look the same.
namespace lockscope::inspect::decoders {

namespace {

std::optional<Reading> read(const Sighting& sighting)
{
    const Observation* key = soleHash(sighting);
    if (!key || key->fields.size() != 1 || !isUuidAndThread(key->fields.front().name)) {
        return std::nullopt;
    }
    const std::optional<std::int64_t> holds = decimalOf(key->fields.front().value);
    if (!holds || *holds < 1 || *holds > std::numeric_limits<std::int32_t>::max()) {
        return std::nullopt;
    }
    Reading reading;
    reading.confidence = key->ttl ? Confidence::High : Confidence::Medium;
    Holder& holder = reading.holders.emplace_back();
    holder.owner = key->fields.front().name;
    holder.holds = static_cast<std::uint32_t>(*holds);
    reading.waiterChannel = channelOfRedisson("redisson_lock__channel", key->key);
    reading.because.add("hash field looks like uuid:threadId");
    reading.because.add("its value is a count");
    if (key->subscribers.value_or(0) > 0) {
        reading.because.add("somebody listens on Redisson's unlock channel for this name");
    }
    return reading;
}

ReleaseRecipe release(const Sighting& sighting, const Reading& reading)
{
    ReleaseRecipe recipe;
    recipe.checks.push_back(fieldsCheck(sighting.main()));
    recipe.channel = reading.waiterChannel;
    recipe.payload = "0";
    recipe.warnings = {"Threads that wait for a fair lock (getFairLock) listen elsewhere: they "
                       "notice within the time "
                       "left that they saw last, 30 s by default."};
    return recipe;
}

} // namespace

const Decoder kRedissonLock{
    .id = "redisson-lock",
    .library = "Redisson",
    .title = "Redisson",
    .summary = "Redisson's RLock: a hash from <client uuid>:<thread id> to the number of holds.",
    .read = read,
    .release = release,
};

} // namespace lockscope::inspect::decoders
