// The filter box is read at every keystroke, so most of what it reads is unfinished.

#include "core/kernel/inspect/filter/lock_filter.h"
#include "core/kernel/report/lock_fields.h"
#include "tests/fuzz/fuzz_check.h"

#include <cstddef>
#include <cstdint>

using namespace lockscope;
using namespace lockscope::inspect;
using lockscope::testing::check;

namespace {

LockRecord sampleLock()
{
    LockRecord record;
    record.id.name = "order:42";
    record.setFormat("redisson-lock");
    record.setLibrary("Redisson");
    record.holders.resize(1);
    record.holders[0].owner = "5f0c\xff:63";
    record.holders[0].setClient(std::make_shared<const ClientInfo>(ClientInfo{
        "10.0.0.7:51622", "billing-3", "client name"}));
    record.flags.add(Flag::NoExpiry);
    record.waiters = 3;
    return record;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    static const LockRecord kLock = sampleLock();
    static const std::vector<std::string> kServers{"10.0.0.5:6379"};
    const FilterContext context{Instant(std::chrono::hours(1)), kServers};

    const std::string_view text(reinterpret_cast<const char*>(data), size);
    const auto result = LockFilter::parse(text, report::lockFilterFields());
    if (const auto* const error = std::get_if<FilterError>(&result)) {
        check(error->at + error->length <= text.size() && !error->reason.empty());
        return 0;
    }
    const auto& filter = std::get<LockFilter>(result);
    const bool matches = filter.matches(kLock, context);

    // A filter in parentheses means the same; its negation means the opposite.
    const auto inverse = LockFilter::parse("not (" + std::string(text) + ')',
                                           report::lockFilterFields());
    if (const auto* const inverted = std::get_if<LockFilter>(&inverse)) {
        check(filter.isEmpty() || inverted->matches(kLock, context) != matches);
    }
    return 0;
}
