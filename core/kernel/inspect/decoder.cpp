#include "inspect/decoder.h"

#include "inspect/decoders/builtin.h"

#include <algorithm>
#include <array>

namespace lockscope::inspect {

namespace {

/// One of the existing keys, as if it had been looked at alone.
Sighting alone(const Sighting& group, const Observation& key)
{
    return Sighting{group.server, key.key, {key}, group.isNamedByUser, {}};
}

bool hasAnyExpiry(const Sighting& sighting)
{
    return std::ranges::any_of(sighting.keys,
                               [](const Observation& key) { return key.exists() && key.ttl; });
}

} // namespace

std::span<const Decoder> builtinDecoders()
{
    // Most specific first: the order decides between readings of equal confidence.
    static const std::array kTable{
        decoders::kRedissonReadWrite,
        decoders::kRedissonLock,
        decoders::kRwHashOwners,
        decoders::kReentrantHash,
        decoders::kRwHashStamps,
        decoders::kRwTwoKeys,
        decoders::kRedisPy,
        decoders::kTokenStamp,
        decoders::kExpiryStamp,
        decoders::kToken,
        decoders::kFlag,
        decoders::kSemaphore,
        decoders::kRedlock,
        decoders::kNamedKey,
    };
    return kTable;
}

const Decoder* decoderOfFormat(std::string_view formatId)
{
    const std::span<const Decoder> table = builtinDecoders();
    const auto found = std::ranges::find(table, formatId, &Decoder::id);
    return found == table.end() ? nullptr : &*found;
}

std::vector<Fact> factsOf(const Sighting& sighting, const Reading& reading)
{
    const Decoder* decoder = decoderOfFormat(reading.format);
    return decoder && decoder->facts ? decoder->facts(sighting, reading) : std::vector<Fact>();
}

std::vector<CompanionKey> companionsOf(const Sighting& sighting)
{
    for (const Decoder& decoder : builtinDecoders()) {
        if (decoder.companions == nullptr) {
            continue;
        }
        std::vector<CompanionKey> keys = decoder.companions(sighting);
        if (!keys.empty()) {
            return keys;
        }
    }
    return {};
}

std::vector<Reading> decode(const Sighting& sighting, std::span<const Decoder> decoders)
{
    std::vector<Reading> readings;
    if (!sighting.exists()) {
        return readings;
    }
    const bool neverExpires = !hasAnyExpiry(sighting);
    for (const Decoder& decoder : decoders) {
        const bool isAsked = !decoder.isLastResort || readings.empty();
        std::optional<Reading> reading = isAsked ? decoder.read(sighting) : std::nullopt;
        if (!reading) {
            continue;
        }
        reading->format = decoder.id;
        if (reading->library.empty()) {
            reading->library = decoder.library;
        }
        // A stamp of its own ends the hold although the key stays: the next client takes it over.
        if (neverExpires && !reading->deadline) {
            reading->flags.add(Flag::NoExpiry);
        }
        readings.push_back(std::move(*reading));
    }
    std::ranges::stable_sort(readings, std::ranges::greater(), &Reading::confidence);
    return readings;
}

std::vector<Reading> recognised(const Sighting& sighting)
{
    std::vector<Reading> readings = decode(sighting, builtinDecoders());
    std::erase_if(readings, [](const Reading& reading) {
        return decoderOfFormat(reading.format)->isLastResort;
    });
    return readings;
}

std::vector<NamedReadings> decodeGroup(const Sighting& sighting, std::span<const Decoder> decoders)
{
    std::vector<Reading> readings = decode(sighting, decoders);
    std::vector<NamedReadings> entries;
    if (!readings.empty() || sighting.keys.size() < 2) {
        entries.emplace_back(sighting.name, std::move(readings));
        return entries;
    }
    for (const Observation& key : sighting.keys) {
        if (key.exists()) {
            entries.emplace_back(key.key, decode(alone(sighting, key), decoders));
        }
    }
    return entries;
}

} // namespace lockscope::inspect
