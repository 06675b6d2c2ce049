#include "core/kernel/report/held_wording.h"

#include "core/kernel/base/kernel_text.h"

#include <algorithm>

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

bool endsElsewhere(const LockRecord& record)
{
    return record.holders.empty()
           || std::ranges::any_of(record.holders, [](const inspect::Holder& holder) {
                  return holder.expiresAt.has_value();
              });
}

} // namespace lockscope::report
