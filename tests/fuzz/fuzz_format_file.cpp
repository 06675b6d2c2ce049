// A format file comes from anywhere: it loads, or it is refused with a place inside the text and a
// reason. One that loads reads any value of any key in time. Input: the text, a zero byte, a key, a
// zero byte, a value.

#include "core/kernel/inspect/formats/format_file.h"
#include "core/kernel/inspect/formats/named_token.h"
#include "tests/fuzz/fuzz_check.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

using namespace lockscope;
using namespace lockscope::inspect;
using lockscope::testing::check;

namespace {

/// What stands before the next zero byte; takes it out of `rest`.
std::string_view nextPart(std::string_view& rest)
{
    const std::string_view part = rest.substr(0, rest.find('\0'));
    rest.remove_prefix(std::min(part.size() + 1, rest.size()));
    return part;
}

LockSnapshot snapshotOf(std::string_view key, std::string_view value)
{
    LockSnapshot snapshot;
    snapshot.name = key;
    Observation& seen = snapshot.keys.emplace_back();
    seen.key = key;
    seen.type = ValueType::String;
    seen.value = value;
    seen.size = value.size();
    seen.isComplete = true;
    seen.ttl = std::chrono::seconds(30);
    seen.serverTime = wallTimeOfMs(1'795'000'000'000);
    return snapshot;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    std::string_view rest(reinterpret_cast<const char*>(data), size);
    const std::string_view text = nextPart(rest);
    const std::string_view key = nextPart(rest);
    const auto result = readFormatFile(text);
    if (const auto* const error = std::get_if<protocol::FileError>(&result)) {
        const auto lineCount = std::count(text.begin(), text.end(), '\n') + 1;
        check(error->line >= 1 && error->line <= lineCount && error->column >= 1);
        check(!error->reason.empty());
        return 0;
    }
    const FormatFile& format = std::get<FormatFile>(result);
    check(!format.id.empty() && !format.keys.empty() && !format.values.empty());
    const Decoder decoder = decoderOf(format);
    const LockSnapshot snapshot = snapshotOf(key, rest);
    if (const std::optional<DecodedLock> decoded = decoder.read(snapshot)) {
        check(!decoder.release(snapshot, *decoded, HolderChoice::all()).checks.empty());
        decoder.facts(snapshot, *decoded);
    }
    return 0;
}
