#include "core/kernel/inspect/limit_problems.h"

#include "core/kernel/base/kernel_text.h"
#include "core/kernel/store/limits.h"

#include <string>
#include <utility>

namespace lockscope::inspect {

namespace limits = store::limits;

namespace {

store::Problem beyond(std::string limit)
{
    return {store::Problem::Kind::LimitExceeded, std::move(limit), {}, {}};
}

} // namespace

store::Problem tooManyLocks()
{
    return beyond(KernelText::tr("more than %1 locks; the others are not shown",
                                 limits::kLocksMax));
}

store::Problem tooManyClients()
{
    return beyond(
        KernelText::tr("a list of more than %1 clients or %2; the holders' addresses are unknown",
                       limits::kClientsMax, limits::sizeText(limits::kReplyBytesMax)));
}

store::Problem namesTooLong()
{
    return beyond(KernelText::tr("names of more than %1",
                                 limits::sizeText(limits::kKeyNameBytesMax)));
}

} // namespace lockscope::inspect
