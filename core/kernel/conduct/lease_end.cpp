#include "core/kernel/conduct/lease_end.h"

#include <algorithm>
#include <cstddef>

namespace lockscope::conduct {

bool wasGrantedLater(const Breach& breach, const RunLog& log, const Workload& workload)
{
    const auto begin = log.entries.begin() + static_cast<std::ptrdiff_t>(breach.entry);
    return std::any_of(begin, log.entries.end(), [&](const LogEntry& entry) {
        const bool isGrant = entry.kind == LogEntry::Kind::Answered && entry.word == Word::Acquire
                             && entry.answer.kind == Answer::Kind::Yes
                             && entry.lock == breach.violation.lock;
        return isGrant
               && (entry.act >= workload.firstProbe
                   || workload.partyOf(entry.process, entry.thread) == breach.violation.client);
    });
}

} // namespace lockscope::conduct
