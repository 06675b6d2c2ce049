#pragma once

#include "core/kernel/async/task.h"
#include "core/kernel/protocol/lock_protocol.h"

#include <optional>

namespace lockscope::protocol {

/// The tries of one acquisition: counts them, records them, and knows when to stop.
class Attempts {
public:
    /// `protocol` and `self` outlive this.
    Attempts(const LockProtocol& protocol, Contender& self, LockRequest request);

    /// One more try. While a server is away, or an answer was lost, the outcome says so and the
    /// next try may do better.
    async::Task<AcquireOutcome> next();
    /// The same for a protocol whose tries hang together: `attempt` is the try.
    async::Task<AcquireOutcome> next(async::Task<AcquireOutcome> attempt);

    /// Whether the acquisition ends with this outcome of next(): granted, not worth trying again,
    /// or the limits are used up. Gives `outcome` its final form.
    bool isOver(AcquireOutcome& outcome);

    /// Waits as the retry policy says, up to the wait limit.
    async::Task<void> pause();

    Instant deadline() const { return m_deadline; }
    bool isOutOfTime() const { return m_self.now() >= m_deadline; }
    int count() const { return m_count; }

private:
    bool isWorthAnotherTry(const AcquireOutcome& outcome) const;
    void record(const AcquireOutcome& outcome);

    const LockProtocol& m_protocol;
    Contender& m_self;
    LockRequest m_request;
    Instant m_deadline;
    int m_count = 0;
    std::optional<Uncertain> m_uncertain; // a try that may have been granted after all
    int m_unansweredCount = 0;            // how many such tries there were
};

/// Acquires, and records how it went. All callers use this one.
async::Task<AcquireOutcome> acquire(const LockProtocol& protocol, Contender& self,
                                    LockRequest request);

} // namespace lockscope::protocol
