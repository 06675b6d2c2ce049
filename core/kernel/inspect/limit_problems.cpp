#include "core/kernel/inspect/limit_problems.h"

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
    return beyond("more than " + std::to_string(limits::kLocksMax)
                  + " locks; the others are not shown");
}

store::Problem tooManyClients()
{
    return beyond("a list of more than " + std::to_string(limits::kClientsMax) + " clients or "
                  + limits::sizeText(limits::kReplyBytesMax)
                  + "; the holders' addresses are unknown");
}

store::Problem namesTooLong()
{
    return beyond("names of more than " + limits::sizeText(limits::kKeyNameBytesMax));
}

} // namespace lockscope::inspect
