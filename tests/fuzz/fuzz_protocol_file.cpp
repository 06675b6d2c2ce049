// A protocol file comes from anywhere: it loads, or it is refused with a place inside the text and
// a reason.

#include "core/kernel/protocol/own_protocol.h"
#include "tests/fuzz/fuzz_check.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

using namespace lockscope::protocol;
using lockscope::testing::check;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    const auto result = readProtocol(text);
    if (const auto* const error = std::get_if<ProtocolFileError>(&result)) {
        const auto lineCount = std::count(text.begin(), text.end(), '\n') + 1;
        check(error->line >= 1 && error->line <= lineCount && error->column >= 1);
        check(!error->reason.empty());
        return 0;
    }
    const ProtocolInfo& info = std::get<0>(result)->info();
    check(!info.id.empty() && info.defaults.lease > lockscope::Duration(0));
    return 0;
}
