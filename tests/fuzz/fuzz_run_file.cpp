// A run file comes from anywhere: it is refused with a reason, or what was read can be drawn, and
// written and read again.

#include "core/kernel/report/run/run_file.h"
#include "tests/fuzz/fuzz_check.h"

#include <cstddef>
#include <cstdint>
#include <variant>

using namespace lockscope::report;
using lockscope::testing::check;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const auto result = readRunFile({reinterpret_cast<const char*>(data), size});
    if (const auto* const error = std::get_if<lockscope::protocol::FileError>(&result)) {
        check(!error->reason.empty() && error->line >= 0 && error->column >= 0);
        return 0;
    }
    const auto& run = std::get<RunFile>(result);
    check(run.chronicle().end == run.end);
    const auto again = readRunFile(runFileText(run));
    check(std::holds_alternative<RunFile>(again) && std::get<RunFile>(again).events == run.events);
    return 0;
}
