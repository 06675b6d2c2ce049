#include "core/kernel/inspect/plain_words.h"

#include "core/kernel/base/bytes.h"
#include "core/kernel/base/duration_text.h"
#include "core/kernel/base/kernel_text.h"

namespace lockscope::inspect {

std::string nameInQuotes(std::string_view bytes)
{
    constexpr std::size_t kLengthMax = 80;
    return '"' + elidedMiddle(escaped(bytes), kLengthMax) + '"';
}

std::string relativeText(WallTime at, WallTime now)
{
    return at >= now ? KernelText::tr("in %1", durationText(at - now))
                     : KernelText::tr("%1 ago", durationText(now - at));
}

} // namespace lockscope::inspect
