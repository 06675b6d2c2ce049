// Feeds arbitrary snapshots to every decoder and plans a release of every decoded lock. Input: one
// byte of options per key, then key, value and fields, each behind one byte that tells its length.

#include "core/kernel/inspect/decoder.h"
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

constexpr WallTime kServerTime = wallTimeOfMs(1'795'000'000'000);

Observation observationOf(Input& input)
{
    const std::uint8_t options = input.byte();
    Observation key;
    key.type = static_cast<ValueType>(options % 8);
    key.isComplete = (options & 0x08) == 0;
    if ((options & 0x10) != 0) {
        key.ttl = std::chrono::milliseconds(input.byte() * 1'000);
    }
    key.serverTime = (options & 0x20) != 0 ? WallTime::max() : kServerTime;
    key.key = input.bytes();
    if (key.type == ValueType::Hash) {
        for (int count = options >> 6; count > 0; --count) {
            key.fields.push_back(HashField{input.bytes(), input.bytes()});
        }
    } else {
        key.value = input.bytes();
    }
    key.size = key.value.size() + key.fields.size();
    return key;
}

void planRelease(const LockSnapshot& snapshot, const DecodedLock& decoded)
{
    const Decoder* decoder = decoderOfFormat(decoded.format);
    check(decoder != nullptr);
    check(!decoded.holders.empty());
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

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    Input input(std::string_view(reinterpret_cast<const char*>(data), size));
    LockSnapshot snapshot;
    const std::uint8_t keyCount = input.byte() % 3;
    snapshot.isNamedByUser = keyCount == 2;
    do {
        snapshot.keys.push_back(observationOf(input));
    } while (snapshot.keys.size() < keyCount && !input.isEmpty());
    snapshot.name = snapshot.main().key;
    for (const auto& [name, decodedLocks] : decodeGroup(snapshot, builtinDecoders())) {
        for (const DecodedLock& decoded : decodedLocks) {
            if (name == snapshot.name) {
                planRelease(snapshot, decoded);
            }
        }
    }
    return 0;
}
