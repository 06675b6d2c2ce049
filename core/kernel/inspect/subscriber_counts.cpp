#include "core/kernel/inspect/subscriber_counts.h"

#include "core/kernel/inspect/key_reader.h"

namespace lockscope::inspect {

std::vector<std::optional<int>> subscriberCountsOf(const store::Reply& reply,
                                                   std::size_t channelCount)
{
    std::vector<std::optional<int>> counts(channelCount);
    const store::Reply::Array* const pairs = reply.array();
    if (pairs == nullptr || pairs->size() != 2 * channelCount) {
        return counts;
    }
    for (std::size_t i = 0; i < channelCount; ++i) {
        counts[i] = waiterCountOf((*pairs)[2 * i + 1]);
    }
    return counts;
}

} // namespace lockscope::inspect
