#include "core/kernel/report/held_wording.h"

#include "core/kernel/base/duration_text.h"
#include "core/kernel/base/kernel_text.h"

#include <algorithm>
#include <chrono>

namespace lockscope::report {

using inspect::LockRecord;
using inspect::Mode;

std::string heldHow(const LockRecord& record)
{
    switch (record.mode) {
    case Mode::Read:
        return KernelText::tr("Read by %1", std::max<std::size_t>(record.holders.size(), 1));
    case Mode::Semaphore:
        if (record.holders.empty()) {
            return KernelText::tr("No holder is recorded");
        }
        return record.holds() == 1 ? KernelText::tr("1 permit held")
                                   : KernelText::tr("%1 permits held", record.holds());
    case Mode::Write: return KernelText::tr("Held for writing");
    default: return KernelText::tr("Held");
    }
}

std::string ageText(Duration age)
{
    using namespace std::chrono;
    if (age >= seconds(1) && age < minutes(1)) {
        return std::to_string(floor<seconds>(age).count()) + " s";
    }
    if (age >= minutes(10) && age < hours(1)) {
        return std::to_string(floor<minutes>(age).count()) + " m";
    }
    return durationText(age);
}

bool isFirstLook(const LockRecord& record, Instant now)
{
    return !record.isTakenWhileWatching && now - record.firstSeen < std::chrono::seconds(1);
}

bool endsElsewhere(const LockRecord& record)
{
    return record.holders.empty()
           || std::ranges::any_of(record.holders, [](const inspect::Holder& holder) {
                  return holder.expiresAt.has_value();
              });
}

} // namespace lockscope::report
