// Feeds arbitrary snapshots to every decoder, plans a release of every decoded lock, and says all
// that is said of the best one: the explanation, the steps of its release, the JSON. Input: one
// byte that tells how many keys there are, then for each key a byte of options, its name, and its
// value or its fields, each behind one byte that tells its length. What is left are the companions
// that decoders ask for. seeds_from_captures.py writes such inputs.

#include "core/kernel/inspect/decoder.h"
#include "core/kernel/inspect/lock_inspection.h"
#include "core/kernel/inspect/lock_names.h"
#include "core/kernel/inspect/lock_naming.h"
#include "core/kernel/report/lock_explanation.h"
#include "core/kernel/report/release_steps.h"
#include "tests/fuzz/fuzz_check.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>

using namespace lockscope;
using namespace lockscope::inspect;
using lockscope::testing::check;

namespace {

/// Takes the input apart; an exhausted input gives zeros and empty strings.
class Input {
public:
    explicit Input(std::string_view bytes) : m_left(bytes) {}

    bool isEmpty() const { return m_left.empty(); }

    std::uint8_t byte()
    {
        if (m_left.empty()) {
            return 0;
        }
        const auto value = static_cast<std::uint8_t>(m_left.front());
        m_left.remove_prefix(1);
        return value;
    }

    Bytes bytes()
    {
        const Bytes taken(m_left.substr(0, byte()));
        m_left.remove_prefix(std::min(taken.size(), m_left.size()));
        return taken;
    }

private:
    std::string_view m_left;
};

constexpr std::uint8_t kExists = 0x01;    // of a companion
constexpr std::uint8_t kHasFields = 0x04; // of a key: part of the number of such types
constexpr WallTime kServerTime = wallTimeOfMs(1'795'000'000'000);

/// Type, expiry and contents; the name is up to the caller.
Observation contentsOf(Input& input, std::uint8_t options, ValueType type)
{
    Observation key;
    key.type = type;
    key.isComplete = (options & 0x08) == 0;
    if ((options & 0x10) != 0) {
        key.ttl = std::chrono::milliseconds(input.byte() * 1'000);
    }
    key.serverTime = (options & 0x20) != 0 ? WallTime::max() : kServerTime;
    if ((options & kHasFields) != 0 || key.type == ValueType::Hash) {
        const bool hasValues = key.type == ValueType::Hash || key.type == ValueType::SortedSet;
        for (int count = options >> 6; count > 0; --count) {
            HashField& field = key.fields.emplace_back();
            field.name = input.bytes();
            field.value = hasValues ? input.bytes() : Bytes();
        }
    } else {
        key.value = input.bytes();
    }
    key.size = key.value.size() + key.fields.size();
    return key;
}

Observation keyOf(Input& input)
{
    const std::uint8_t options = input.byte();
    Bytes name = input.bytes();
    Observation key = contentsOf(input, options, static_cast<ValueType>(options % 8));
    key.key = std::move(name);
    return key;
}

/// What decoders want to see beside the keys, whatever is left of the input.
void addCompanions(Input& input, LockSnapshot& snapshot)
{
    for (const CompanionKey& wanted : companionsOf(snapshot)) {
        if (input.isEmpty()) {
            return;
        }
        const std::uint8_t options = input.byte();
        const bool exists = (options & kExists) != 0;
        Observation companion = contentsOf(input, options, exists ? wanted.type : ValueType::None);
        companion.key = wanted.key;
        snapshot.companions.push_back(std::move(companion));
    }
}

/// Who listens to the channels that decoders ask about.
void addListeners(Input& input, LockSnapshot& snapshot)
{
    for (const Bytes& channel : channelQuestionsOf(snapshot).channels) {
        snapshot.channels.push_back({channel, input.byte()});
    }
    snapshot.patternCount = input.byte();
}

/// What a sweep asks of every name, and of every channel that somebody listens to.
void judgeName(const Bytes& name)
{
    static const NameRules rules;
    rules.looksLikeLock(name);
    rules.isBookkeeping(name);
    // Only a name that sounds like a lock has a sense to be judged.
    check(soundsLikeLock(name) || lockNamingOf(name) == LockNaming::None);
    locksOfQueue(name);
    locksOfChannel(name);
    check(!groupOf(name, builtinPairRules()).keys.empty());
}

/// A name alone must lead to keys that lead back to the same lock.
void checkGroup(const Bytes& name)
{
    const std::optional<KeyGroup> group = groupOfFormat(name);
    if (!group) {
        return;
    }
    check(!group->keys.empty());
    for (const Bytes& key : group->keys) {
        const std::optional<KeyGroup> again = groupOfFormat(key);
        check(key == group->name || !again || *again == *group);
    }
}

void planRelease(const LockSnapshot& snapshot, const DecodedLock& decoded)
{
    const Decoder* decoder = decoderOfFormat(decoded.format);
    check(decoder != nullptr);
    // A count of free permits says nothing of those who have the others.
    check(!decoded.holders.empty() || decoded.mode == Mode::Semaphore);
    factsOf(snapshot, decoded);
    for (std::size_t i = 0; i < decoded.holders.size(); ++i) {
        decoder->release(snapshot, decoded, HolderChoice::only(i));
    }
    ReleaseRecipe recipe = decoder->release(snapshot, decoded, HolderChoice::all());
    if (!recipe.isSupported) {
        check(!recipe.warnings.empty());
        return;
    }
    check(!recipe.checks.empty());
    std::vector<std::optional<std::int64_t>> expiries(recipe.checks.size());
    const ReleasePlan plan = makePlan(ReleaseAction::Release, nullptr, std::move(recipe),
                                      std::move(expiries));
    check(plan.command.words.size() > 5);
}

/// All that a reader is told of a key he points at. Whatever it holds, texts are UTF-8: dump()
/// throws otherwise.
void explainIt(const LockSnapshot& snapshot)
{
    LockInspection inspection;
    inspection.snapshot = snapshot;
    inspection.snapshot.isPointedAt = true;
    inspection.decodedLocks = recognised(inspection.snapshot);
    inspection.expiresAtMs.resize(snapshot.keys.size());
    const LockPtr record = inspection.record();
    if (!record) {
        return;
    }
    const std::optional<ReleasePlan> plan = planFor(inspection, ReleaseAction::Release);
    for (const ReleasePlan& one : plansForEachHolder(inspection)) {
        check(!report::releaseSteps(one).empty());
        report::planJson(one).dump();
    }
    planFor(inspection, ReleaseAction::CapTtl, HolderChoice::all(), std::chrono::seconds(1));
    planFor(inspection, ReleaseAction::Tombstone, HolderChoice::all(), std::chrono::seconds(1));
    report::explanationJson(report::explain(*record, inspection.snapshot, plan ? &*plan : nullptr,
                                            Instant()))
        .dump();
    report::lockJson(*record, "server", 0, Instant()).dump();
    report::csvLine(*record, "server", 0, Instant());
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    Input input(std::string_view(reinterpret_cast<const char*>(data), size));
    LockSnapshot snapshot;
    const std::uint8_t keyCount = input.byte();
    snapshot.isNamedByUser = keyCount % 4 == 2;
    do {
        snapshot.keys.push_back(keyOf(input));
    } while (snapshot.keys.size() < keyCount % 4 && !input.isEmpty());
    snapshot.name = snapshot.main().key;
    checkGroup(snapshot.name);
    for (const Observation& key : snapshot.keys) {
        judgeName(key.key);
        groupsOfSeen(key);
    }
    addCompanions(input, snapshot);
    addListeners(input, snapshot);
    for (const auto& [name, decodedLocks] : decodeGroup(snapshot, builtinDecoders())) {
        for (const DecodedLock& decoded : decodedLocks) {
            if (name == snapshot.name) {
                planRelease(snapshot, decoded);
            }
        }
    }
    explainIt(snapshot);
    return 0;
}
