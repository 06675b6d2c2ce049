#pragma once

#include "core/kernel/trace/event.h"

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace lockscope::workload {

/// What the locks protect: a page per lock on which holders note that they are there. It sees
/// overlaps as the real thing would, whatever the locks believe. Safe to use from any thread.
class SharedPage {
public:
    /// `permits` may be inside at once (writers of a lock: 1).
    SharedPage(int lockCount, int permits);

    struct Visit {
        int conflictCount = 0;   // how many were inside who must not be
        bool isRejected = false; // a greater fence has been here already
    };

    Visit enter(trace::LockId lock, bool isRead, std::optional<std::int64_t> fence);
    void leave(trace::LockId lock, bool isRead);

    int lockCount() const { return static_cast<int>(m_pages.size()); }

private:
    struct Page {
        std::atomic<int> readers{0};
        std::atomic<int> writers{0};
        std::atomic<std::int64_t> highestFence{0};
    };

    int m_permits;
    std::vector<std::unique_ptr<Page>> m_pages;
};

} // namespace lockscope::workload
