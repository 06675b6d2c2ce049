#include "core/kernel/base/kernel_text.h"
#include "core/kernel/inspect/decoders/builtin.h"
#include "core/kernel/inspect/decoders/clues.h"
#include "core/kernel/inspect/decoders/token_shapes.h"

#include <algorithm>

// Symfony's Semaphore 5.2 to 7, RedisStore: two sorted sets with the tokens of the holders,
// {name}:time scored with the end of each hold in epoch seconds, {name}:weight with how many
// permits it has. The keys outlive the last hold by ten seconds, but the second loses its expiry
// when a client is refused. Waiters poll.
namespace lockscope::inspect::decoders {

namespace symfony_semaphore {

constexpr std::string_view kTime = "}:time";
constexpr std::string_view kWeight = "}:weight";
constexpr std::size_t kTokenLength = 44;

std::optional<KeyGroup> groupOf(std::string_view key)
{
    for (const std::string_view suffix : {kTime, kWeight}) {
        if (key.starts_with('{') && key.ends_with(suffix)) {
            const Bytes name(key.substr(0, key.size() - suffix.size()));
            const Bytes time = name + Bytes(kTime);
            return KeyGroup{time, {time, name + Bytes(kWeight)}};
        }
    }
    return std::nullopt;
}

/// The tokens and nothing else.
bool hasTokens(const Observation& key)
{
    return key.type == ValueType::SortedSet && key.isComplete && !key.fields.empty()
           && std::ranges::all_of(key.fields, [](const HashField& member) {
                  return member.name.size() == kTokenLength
                         && shapeOf(member.name) == TokenShape::Base64;
              });
}

/// How many permits the token has; nullopt: it has none.
std::optional<std::int64_t> weightOf(const Observation& weights, const Bytes& token)
{
    const auto found = std::ranges::find(weights.fields, token, &HashField::name);
    return found == weights.fields.end() ? std::nullopt : decimalOf(found->value);
}

std::optional<DecodedLock> read(const LockSnapshot& snapshot)
{
    if (snapshot.keys.size() != 2 || !snapshot.keys[0].ttl || !hasTokens(snapshot.keys[0])
        || !hasTokens(snapshot.keys[1])) {
        return std::nullopt;
    }
    const Observation& times = snapshot.keys[0];
    DecodedLock decoded;
    decoded.confidence = Confidence::High;
    decoded.mode = Mode::Semaphore;
    for (const HashField& member : times.fields) {
        const std::optional<WallTime> end = stampOfSeconds(member.value);
        const std::optional<std::int64_t> weight = weightOf(snapshot.keys[1], member.name);
        if (!end) {
            return std::nullopt;
        }
        if (*end > times.serverTime && weight.value_or(0) > 0) {
            Holder& holder = decoded.holders.emplace_back();
            holder.owner = member.name;
            holder.mode = Mode::Semaphore;
            holder.holds = static_cast<std::uint32_t>(*weight);
            holder.expiresAt = times.seenAt + (*end - times.serverTime);
        }
    }
    if (decoded.holders.empty()) {
        return std::nullopt;
    }
    decoded.because.add(QT_TRANSLATE_NOOP("KernelText",
                                          "the members of two sorted sets are tokens of 32 bytes "
                                          "in base64"));
    decoded.because.add(QT_TRANSLATE_NOOP(
        "KernelText", "one set is scored with the end of each hold, the other with its permits"));
    return decoded;
}

ReleaseRecipe release(const LockSnapshot& snapshot, const DecodedLock& decoded, HolderChoice choice)
{
    const std::vector<Holder> ending = choice.of(decoded.holders);
    ReleaseRecipe recipe;
    recipe.checks = {ownersCheck(snapshot.keys[0], ending), ownersCheck(snapshot.keys[1], ending)};
    return recipe;
}

} // namespace symfony_semaphore

const Decoder kSymfonySemaphore{
    .id = "symfony-semaphore",
    .library = "Symfony",
    .title = QT_TRANSLATE_NOOP("KernelText", "Symfony semaphore"),
    .summary = QT_TRANSLATE_NOOP("KernelText",
                                 "The RedisStore of Symfony's Semaphore: a sorted set with the end "
                                 "of each hold, and one with its permits."),
    .read = symfony_semaphore::read,
    .release = symfony_semaphore::release,
    .groupOf = symfony_semaphore::groupOf,
};

} // namespace lockscope::inspect::decoders
