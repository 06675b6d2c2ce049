#pragma once

#include "core/kernel/async/gate.h"
#include "core/kernel/async/task.h"
#include "core/wire/connection/connection.h"
#include "core/wire/connection/subscriber.h"

#include <QObject>

#include <cstdint>

namespace lockscope::inspect {
struct LockInspection;
} // namespace lockscope::inspect

namespace lockscope::wire {

/// Reports at once when another client takes away a lock that we hold. The lock is read on a
/// connection whose reads the server tracks: it says when one of the keys has changed since, and
/// the lock is read again. That costs the server a table entry per key and nothing for keys that
/// are not ours. Where tracking is refused (Redis before 6, some proxies, permissions) nothing is
/// heard, and the next renewal finds out. Runs on one thread.
class HoldWatch final : public QObject {
    Q_OBJECT
public:
    /// `token`: what the format stores to prove ownership. `suspectsAtOnce`: a first look that
    /// finds no lock of ours is news, too, though the format may just be an unknown one;
    /// otherwise it has to be seen to be ours before.
    HoldWatch(const store::Endpoint& server, async::Executor& executor, Clock& clock, Rng rng,
              Bytes key, Bytes token, bool suspectsAtOnce);
    ~HoldWatch() override;

Q_SIGNALS:
    /// `isOn`: it was seen to be ours, and its changes are heard of from now on; off when the
    /// connection is lost.
    void watching(bool isOn);
    /// It was ours, and does not look so any more. `isGone`: no client has it.
    void lost(bool isGone);

private:
    async::Task<void> watch();
    async::Task<bool> track();
    async::Task<void> look();
    bool isOurs(const inspect::LockInspection& inspection) const;

    Clock& m_clock;
    Bytes m_key;
    Bytes m_token;
    async::Gate m_news;
    bool m_isTracking = false;
    bool m_wasOurs;
    Connection m_connection;
    Subscriber m_subscriber;
    async::BackgroundTask m_task; // last: it uses everything above
};

} // namespace lockscope::wire
