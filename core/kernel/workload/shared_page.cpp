#include "core/kernel/workload/shared_page.h"

#include <algorithm>

namespace lockscope::workload {

SharedPage::SharedPage(int lockCount, int permits) : m_permits(permits)
{
    m_pages.reserve(static_cast<std::size_t>(lockCount));
    for (int i = 0; i < lockCount; ++i) {
        m_pages.push_back(std::make_unique<Page>());
    }
}

SharedPage::Visit SharedPage::enter(trace::LockId lock, bool isRead,
                                    std::optional<std::int64_t> fence)
{
    Page& page = *m_pages.at(lock);
    Visit visit;
    if (fence) {
        std::int64_t highest = page.highestFence.load();
        while (highest < *fence && !page.highestFence.compare_exchange_weak(highest, *fence)) {}
        visit.isRejected = highest > *fence;
    }
    if (isRead) {
        page.readers.fetch_add(1);
        visit.conflictCount = page.writers.load();
    } else {
        const int othersWriting = page.writers.fetch_add(1);
        visit.conflictCount = std::max(0, othersWriting + 1 - m_permits) + page.readers.load();
    }
    return visit;
}

void SharedPage::leave(trace::LockId lock, bool isRead)
{
    Page& page = *m_pages.at(lock);
    (isRead ? page.readers : page.writers).fetch_sub(1);
}

} // namespace lockscope::workload
