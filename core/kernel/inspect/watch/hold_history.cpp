#include "core/kernel/inspect/watch/hold_history.h"

#include <algorithm>
#include <utility>

namespace lockscope::inspect {

Duration HoldHistory::longest() const
{
    const auto longest = std::ranges::max_element(holds, {}, &PastHold::length);
    return longest != holds.end() ? longest->length : Duration(0);
}

std::size_t HoldHistory::ranOutCount() const
{
    return static_cast<std::size_t>(std::ranges::count_if(holds, &PastHold::ranOut));
}

void HoldHistories::add(const LockRecord& ended, ChangeKind ending, Instant now)
{
    const bool isWhole = ended.isTakenWhileWatching && ended.isConfirmed;
    if (!isWhole || (ending != ChangeKind::Released && ending != ChangeKind::Expired)) {
        return;
    }
    const std::shared_ptr<const HoldHistory> before = of(ended.id);
    auto history = std::make_shared<HoldHistory>(before ? *before : HoldHistory());
    if (history->holds.size() == HoldHistory::kHoldsMax) {
        history->holds.erase(history->holds.begin());
    }
    history->holds.push_back({now - ended.firstSeen, ended.lease, ended.renewals,
                              ending == ChangeKind::Expired});
    ++history->total;
    if (m_recent.size() >= m_locksMax && !m_recent.contains(ended.id)) {
        m_older = std::exchange(m_recent, {});
    }
    m_recent[ended.id] = std::move(history);
}

std::shared_ptr<const HoldHistory> HoldHistories::of(const LockId& lock) const
{
    for (const Generation* const generation : {&m_recent, &m_older}) {
        if (const auto entry = generation->find(lock); entry != generation->end()) {
            return entry->second;
        }
    }
    return nullptr;
}

} // namespace lockscope::inspect
