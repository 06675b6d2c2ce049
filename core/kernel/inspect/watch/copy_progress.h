#pragma once

#include "core/kernel/base/time.h"
#include "core/kernel/store/server_info.h"

#include <cstddef>
#include <deque>
#include <optional>

namespace lockscope::inspect {

/// Up to when what was written on a master is known to be on a replica, by what the master says of
/// their offsets now and then.
class CopyProgress {
public:
    /// `askedAt` is before the master answered: what was written until then counts.
    void saw(Instant askedAt, const store::ReplicationOffsets& offsets)
    {
        if (!offsets.ofMaster) {
            return;
        }
        m_samples.push_back({askedAt, *offsets.ofMaster});
        while (!m_samples.empty() && offsets.ofBestReplica
               && m_samples.front().offset <= *offsets.ofBestReplica) {
            m_copiedUntil = m_samples.front().askedAt;
            m_samples.pop_front();
        }
        if (m_samples.size() > kSamplesMax) {
            m_samples.pop_front();
        }
    }

    /// Nullopt: nothing is known to be anywhere else.
    std::optional<Instant> copiedUntil() const { return m_copiedUntil; }

private:
    static constexpr std::size_t kSamplesMax = 600; // a replica that does not come along

    struct Sample {
        Instant askedAt;
        std::int64_t offset = 0;
    };
    std::deque<Sample> m_samples; // that no replica has reached
    std::optional<Instant> m_copiedUntil;
};

} // namespace lockscope::inspect
