#include "core/kernel/inspect/decoder.h"

#include "core/kernel/base/kernel_text.h"
#include "core/kernel/inspect/decoders/builtin.h"
#include "core/kernel/inspect/decoders/clues.h"
#include "core/kernel/inspect/formats/named_token.h"
#include "core/kernel/inspect/lock_names.h"

#include <algorithm>
#include <iterator>

namespace lockscope::inspect {

namespace {

/// One of the existing keys, as if it had been looked at alone.
LockSnapshot alone(const LockSnapshot& group, const Observation& key)
{
    LockSnapshot one{group.server, key.key, {key}, group.isNamedByUser};
    one.isPointedAt = group.isPointedAt;
    return one;
}

bool hasAnyExpiry(const LockSnapshot& snapshot)
{
    return std::ranges::any_of(snapshot.keys,
                               [](const Observation& key) { return key.exists() && key.ttl; });
}

std::vector<DecodedLock> decodeBy(std::span<const Decoder> decoders, const LockSnapshot& snapshot,
                                  std::string_view wanted)
{
    std::vector<DecodedLock> decodedLocks;
    const bool neverExpires = !hasAnyExpiry(snapshot);
    for (const Decoder& decoder : decoders) {
        const bool isWanted = decoder.id == wanted;
        const bool isAsked = decoder.mayBegin(snapshot.main().key)
                             && (isWanted || !decoder.needsDecision)
                             && (isWanted || !decoder.isLastResort || decodedLocks.empty());
        std::optional<DecodedLock> decoded = isAsked ? decoder.read(snapshot) : std::nullopt;
        if (!decoded) {
            continue;
        }
        decoded->format = decoder.id;
        if (decoded->library.empty()) {
            decoded->library = decoder.library;
        }
        if (!decoded->ownerScope) {
            decoded->ownerScope = decoder.ownerScope;
        }
        if (decoders::isProbablyData(snapshot, *decoded)) {
            decoded->flags.add(Flag::ProbablyData); // for which it is usual not to expire
        } else if (neverExpires && !decoded->deadline && !decoded->isPermanent) {
            // A stamp of its own ends the hold although the key stays: the next client takes it
            // over.
            decoded->flags.add(Flag::NoExpiry);
        }
        decodedLocks.push_back(std::move(*decoded));
    }
    std::ranges::stable_sort(decodedLocks, std::ranges::greater(), &DecodedLock::confidence);
    return decodedLocks;
}

/// A key that a user points at is also read as if its name were one of a lock. Then nothing but
/// that look says so: it is probably data.
std::vector<DecodedLock> decodeUntreated(const LockSnapshot& snapshot,
                                         std::span<const Decoder> decoders)
{
    std::vector<DecodedLock> decodedLocks = decodeBy(decoders, snapshot, {});
    if (decodedLocks.empty() && snapshot.isPointedAt && !snapshot.isNamedByUser) {
        LockSnapshot named = snapshot;
        named.isNamedByUser = true;
        decodedLocks = decodeBy(decoders, named, {});
        for (DecodedLock& decoded : decodedLocks) {
            decoded.confidence = Confidence::Low;
            decoded.flags.remove(Flag::NoExpiry); // usual for data
            decoded.flags.add(Flag::ProbablyData);
        }
    }
    return decodedLocks;
}

} // namespace

const Decoder* Recognisers::decoderOf(std::string_view formatId) const
{
    const auto found = std::ranges::find(decoders, formatId, &Decoder::id);
    return found == decoders.end() ? nullptr : &*found;
}

const Treatment* Recognisers::treatmentOf(std::string_view key) const
{
    const auto found = std::ranges::find_if(treatments, [key](const Treatment& treatment) {
        return matchesGlob(treatment.names, key);
    });
    return found == treatments.end() ? nullptr : &*found;
}

const Treatment* treatmentOf(const LockSnapshot& snapshot, const Recognisers& recognisers)
{
    if (recognisers.treatments.empty()) {
        return nullptr;
    }
    const Treatment* found = recognisers.treatmentOf(snapshot.name);
    for (const Observation& key : snapshot.keys) {
        found = found != nullptr ? found : recognisers.treatmentOf(key.key);
    }
    return found;
}

std::span<const Decoder> builtinDecoders()
{
    static const std::vector<Decoder> kTable = [] {
        std::vector<Decoder> table;
        std::ranges::transform(builtinFormats(), std::back_inserter(table), decoderOf);
        std::ranges::move(decoders::all(), std::back_inserter(table));
        return table;
    }();
    return kTable;
}

const Decoder* decoderOfFormat(std::string_view formatId)
{
    return Recognisers(builtinDecoders()).decoderOf(formatId);
}

std::vector<Fact> factsOf(const LockSnapshot& snapshot, const DecodedLock& decoded,
                          const Recognisers& recognisers)
{
    const Decoder* decoder = recognisers.decoderOf(decoded.format);
    if (decoder == nullptr) {
        return {};
    }
    std::vector<Fact> facts = decoder->facts ? decoder->facts(snapshot, decoded)
                                             : std::vector<Fact>();
    if (decoder->isJobLease) {
        facts.push_back({QT_TRANSLATE_NOOP("KernelText", "what it is"),
                         KernelText::tr("the lease of a job in a queue, not a lock")});
    }
    return facts;
}

std::vector<CompanionKey> companionsOf(const LockSnapshot& snapshot,
                                       std::span<const Decoder> decoders)
{
    for (const Decoder& decoder : decoders) {
        if (decoder.companions == nullptr) {
            continue;
        }
        std::vector<CompanionKey> keys = decoder.companions(snapshot);
        if (!keys.empty()) {
            return keys;
        }
    }
    return {};
}

std::optional<KeyGroup> groupOfFormat(std::string_view key, std::span<const Decoder> decoders)
{
    for (const Decoder& decoder : decoders) {
        if (decoder.groupOf == nullptr) {
            continue;
        }
        if (std::optional<KeyGroup> group = decoder.groupOf(key)) {
            return group;
        }
    }
    return std::nullopt;
}

std::vector<KeyGroup> groupsOfSeen(const Observation& key, std::span<const Decoder> decoders)
{
    std::vector<KeyGroup> groups;
    for (const Decoder& decoder : decoders) {
        if (decoder.groupsOfSeen != nullptr) {
            std::ranges::move(decoder.groupsOfSeen(key), std::back_inserter(groups));
        }
    }
    return groups;
}

std::vector<KeyGroup> groupsNamed(std::string_view name, std::span<const Decoder> decoders)
{
    std::vector<KeyGroup> groups;
    for (const Decoder& decoder : decoders) {
        if (decoder.groupsNamed != nullptr) {
            std::ranges::move(decoder.groupsNamed(name), std::back_inserter(groups));
        }
    }
    return groups;
}

bool isBookkeepingOf(std::string_view key, std::span<const Decoder> decoders)
{
    return std::ranges::any_of(decoders, [key](const Decoder& decoder) {
        return decoder.isBookkeeping != nullptr && decoder.isBookkeeping(key);
    });
}

std::vector<Bytes> locksOfQueue(std::string_view key, std::span<const Decoder> decoders)
{
    for (const Decoder& decoder : decoders) {
        const WaiterQueues& queues = decoder.waiterQueues;
        if (queues.locksOf != nullptr && key.starts_with(queues.prefix)) {
            return queues.locksOf(key);
        }
    }
    return {};
}

ChannelQuestions channelQuestionsOf(const LockSnapshot& snapshot, std::span<const Decoder> decoders)
{
    ChannelQuestions all;
    for (const Decoder& decoder : decoders) {
        if (decoder.channels == nullptr) {
            continue;
        }
        ChannelQuestions own = decoder.channels(snapshot);
        std::ranges::move(own.channels, std::back_inserter(all.channels));
        all.asksForPatterns = all.asksForPatterns || own.asksForPatterns;
    }
    return all;
}

std::vector<Bytes> locksOfChannel(std::string_view channel, std::span<const Decoder> decoders)
{
    for (const Decoder& decoder : decoders) {
        const WaiterChannels& channels = decoder.waiterChannels;
        if (channels.locksOf != nullptr && channel.starts_with(channels.prefix)) {
            return channels.locksOf(channel);
        }
    }
    return {};
}

std::vector<DecodedLock> decode(const LockSnapshot& snapshot, const Recognisers& recognisers)
{
    if (!snapshot.exists()) {
        return {};
    }
    const Treatment* const treatment = treatmentOf(snapshot, recognisers);
    if (treatment == nullptr) {
        return decodeUntreated(snapshot, recognisers.decoders);
    }
    if (treatment->isNoLock()) {
        return {};
    }
    LockSnapshot named = snapshot;
    named.isNamedByUser = true;
    std::vector<DecodedLock> decodedLocks = decodeBy(recognisers.decoders, named,
                                                     treatment->format);
    // Not std::ranges::stable_partition: clang 14 cannot compile what it returns.
    std::stable_partition(decodedLocks.begin(), decodedLocks.end(),
                          [treatment](const DecodedLock& decoded) {
                              return decoded.format == treatment->format;
                          });
    return decodedLocks;
}

std::vector<DecodedLock> recognised(const LockSnapshot& snapshot, const Recognisers& recognisers)
{
    std::vector<DecodedLock> decodedLocks = decode(snapshot, recognisers);
    if (treatmentOf(snapshot, recognisers) != nullptr) {
        return decodedLocks; // as `list` has it
    }
    std::erase_if(decodedLocks, [&recognisers](const DecodedLock& decoded) {
        return recognisers.decoderOf(decoded.format)->isLastResort;
    });
    return decodedLocks;
}

std::vector<NamedDecodedLocks> decodeGroup(const LockSnapshot& snapshot,
                                           const Recognisers& recognisers)
{
    std::vector<DecodedLock> decodedLocks = decode(snapshot, recognisers);
    std::vector<NamedDecodedLocks> entries;
    if (!decodedLocks.empty() || snapshot.keys.size() < 2) {
        entries.emplace_back(snapshot.name, std::move(decodedLocks));
        return entries;
    }
    for (const Observation& key : snapshot.keys) {
        if (key.exists()) {
            entries.emplace_back(key.key, decode(alone(snapshot, key), recognisers));
        }
    }
    return entries;
}

} // namespace lockscope::inspect
