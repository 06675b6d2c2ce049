#include "core/kernel/base/kernel_text.h"
#include "core/kernel/base/listed.h"
#include "core/kernel/inspect/decoders/builtin.h"
#include "core/kernel/inspect/decoders/clues.h"
#include "core/kernel/inspect/decoders/redisson_names.h"
#include "core/kernel/inspect/decoders/token_shapes.h"

#include <algorithm>
#include <map>

// Redisson since 3.38, RFasterMultiLock (getMultiLock(group, values)): one hash under the name of
// the group. Each locked value h, a hash of 128 bits in base64 without padding, has three fields: h
// holds the owner, h:<owner>:expire_time the epoch ms at which its hold ends, h:<owner>:lock_count
// the number of holds. What has ended stays until a client wants the value. One lock() takes all
// its values at once and one unlock() gives them back, so the holds are told apart by owner.
namespace lockscope::inspect::decoders {

namespace redisson_faster_multi_lock {

constexpr std::string_view kExpireTime = ":expire_time";
constexpr std::string_view kLockCount = ":lock_count";
constexpr std::size_t kValueSize = 22;

/// One value of the group, and who has it.
struct LockedValue {
    Bytes value;
    Bytes owner;
    WallTime expiresAt{};
    std::uint32_t holds = 0;
};

bool isValueName(std::string_view name)
{
    return name.size() == kValueSize && std::ranges::all_of(name, [](char c) {
               return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z')
                      || c == '+' || c == '/';
           });
}

/// A field that says more of a value and its owner, of this one or of an earlier one.
bool isDetail(const HashField& field)
{
    std::string_view name = field.name;
    for (const std::string_view suffix : {kExpireTime, kLockCount}) {
        if (name.ends_with(suffix)) {
            name.remove_suffix(suffix.size());
            return name.size() > kValueSize && isValueName(name.substr(0, kValueSize))
                   && name[kValueSize] == ':' && isRedissonOwner(name.substr(kValueSize + 1))
                   && decimalOf(field.value);
        }
    }
    return false;
}

std::optional<std::int64_t> numberIn(const Observation& key, const Bytes& field)
{
    const auto found = std::ranges::find(key.fields, field, &HashField::name);
    return found == key.fields.end() ? std::nullopt : decimalOf(found->value);
}

/// Everything that is locked; empty when a field is of another kind.
std::vector<LockedValue> valuesOf(const LockSnapshot& snapshot)
{
    const Observation* const key = soleHash(snapshot);
    std::vector<LockedValue> values;
    if (!key) {
        return values;
    }
    for (const HashField& field : key->fields) {
        if (isDetail(field)) {
            continue;
        }
        if (!isValueName(field.name) || !isRedissonOwner(field.value)) {
            return {};
        }
        const Bytes begin = field.name + ':' + field.value;
        const auto endsAt = numberIn(*key, begin + Bytes(kExpireTime));
        const auto holds = numberIn(*key, begin + Bytes(kLockCount));
        if (!endsAt || !holds || *holds < 1 || *holds > 1'000'000'000) {
            return {};
        }
        values.push_back({field.name, field.value, wallTimeOfMs(*endsAt),
                          static_cast<std::uint32_t>(*holds)});
    }
    return values;
}

/// A holder per owner: as long as its last value, and as often as the one it has taken most often.
std::vector<Holder> holdersOf(const std::vector<LockedValue>& values, const Observation& key)
{
    std::map<Bytes, Holder> holders;
    for (const LockedValue& value : values) {
        const Instant end = key.seenAt + (value.expiresAt - key.serverTime);
        Holder& holder = holders[value.owner];
        holder.holds = holder.owner.empty() ? value.holds : std::max(holder.holds, value.holds);
        holder.owner = value.owner;
        holder.expiresAt = std::max(holder.expiresAt.value_or(end), end);
    }
    std::vector<Holder> all;
    all.reserve(holders.size());
    for (auto& [owner, holder] : holders) {
        all.push_back(std::move(holder));
    }
    return all;
}

std::optional<DecodedLock> read(const LockSnapshot& snapshot)
{
    const std::vector<LockedValue> values = valuesOf(snapshot);
    if (values.empty()) {
        return std::nullopt;
    }
    const Observation& key = snapshot.main();
    std::vector<LockedValue> current = values;
    std::erase_if(current,
                  [&key](const LockedValue& value) { return value.expiresAt <= key.serverTime; });
    DecodedLock decoded;
    decoded.confidence = Confidence::High;
    decoded.holders = holdersOf(current.empty() ? values : current, key);
    if (current.empty()) {
        decoded.flags.add(Flag::Stale);
    }
    decoded.waiterSource = WaiterSource::Channel;
    decoded.waiterChannel = channelOfRedisson("redisson_lock__channel", key.key);
    decoded.because.add(QT_TRANSLATE_NOOP(
        "KernelText", "the hash has an owner, an expiry and a count for each locked value"));
    decoded.because.add(QT_TRANSLATE_NOOP("KernelText", "the owners look like uuid:threadId"));
    return decoded;
}

std::vector<Fact> facts(const LockSnapshot& snapshot, const DecodedLock&)
{
    std::vector<std::string> names;
    for (const LockedValue& value : valuesOf(snapshot)) {
        names.push_back(escaped(value.value));
    }
    return {{QT_TRANSLATE_NOOP("KernelText", "kind"),
             KernelText::tr("one lock for several values of a group")},
            {QT_TRANSLATE_NOOP("KernelText", "locked values (hashes)"), listed(names)}};
}

/// A value that was taken by another owner meanwhile keeps fields of the earlier one: so the owner
/// is compared as well as the names of the fields.
ReleaseRecipe release(const LockSnapshot& snapshot, const DecodedLock& decoded, HolderChoice choice)
{
    const std::vector<Holder> ending = choice.of(decoded.holders);
    ReleaseRecipe::KeyCheck owners = ownersCheck(snapshot.main(), {});
    ReleaseRecipe::KeyCheck details = owners;
    for (const LockedValue& value : valuesOf(snapshot)) {
        if (std::ranges::find(ending, value.owner, &Holder::owner) == ending.end()) {
            continue;
        }
        owners.fields.push_back(value.value);
        owners.fieldValues.push_back(value.owner);
        details.fields.push_back(value.value + ':' + value.owner + Bytes(kExpireTime));
        details.fields.push_back(value.value + ':' + value.owner + Bytes(kLockCount));
    }
    ReleaseRecipe recipe;
    recipe.checks = {std::move(owners), std::move(details)};
    recipe.channel = decoded.waiterChannel;
    recipe.payload = "0";
    recipe.sleep = ReleaseRecipe::Sleep::TimeLeft;
    return recipe;
}

std::string meaningOfPart(const LockSnapshot&, const Observation& key, const HashField& part)
{
    const std::string_view name = part.name;
    const std::string value = nameInQuotes(name.substr(0, kValueSize));
    if (name.ends_with(kExpireTime)) {
        const WallTime end = wallTimeOfMs(decimalOf(part.value).value_or(0));
        return KernelText::tr("The field %1 says when the hold of %2 ends, in epoch ms: %3.",
                              nameInQuotes(name), value, relativeText(end, key.serverTime));
    }
    if (name.ends_with(kLockCount)) {
        return KernelText::tr("The field %1 says how often %2 is held: %3.", nameInQuotes(name),
                              value, escaped(part.value));
    }
    return KernelText::tr("The field %1 is the checksum of a locked value, and names its holder: "
                          "%2.",
                          nameInQuotes(name), redissonThreadText(part.value));
}

} // namespace redisson_faster_multi_lock

const Decoder kRedissonFasterMultiLock{
    .id = "redisson-faster-multi-lock",
    .library = "Redisson",
    .title = QT_TRANSLATE_NOOP("KernelText", "Redisson multi-lock"),
    .summary = QT_TRANSLATE_NOOP(
        "KernelText",
        "Redisson's RFasterMultiLock: a hash with an owner, an expiry and a count for each locked "
        "value of a group."),
    .read = redisson_faster_multi_lock::read,
    .release = redisson_faster_multi_lock::release,
    .facts = redisson_faster_multi_lock::facts,
    .ownerScope = OwnerScope::Thread,
    .words =
        {
            .renewal = kRedissonRenewal,
            .part = redisson_faster_multi_lock::meaningOfPart,
        },
};

} // namespace lockscope::inspect::decoders
