#pragma once

#include "core/kernel/base/clock.h"
#include "core/wire/alarm.h"

#include <QObject>

#include <map>

namespace lockscope::wire {

/// The real clock, with timers on the event loop of the thread it lives in. They are as fine as the
/// system's, but a task that is due less than 200 µs after another was woken waits until then.
class LoopClock final : public QObject, public Clock {
    Q_OBJECT
public:
    explicit LoopClock(QObject* parent = nullptr);

    /// The present on the time line that every LoopClock of this process shares. Any thread.
    static Instant present();

    Instant now() const override { return present(); }
    async::Pending<Instant> wakeAt(Instant when) override;
    WallTime wallNow() const override;

private:
    void wakeDue();
    void arm();

    std::multimap<Instant, async::Completer<Instant>> m_sleepers;
    Instant m_notBefore = Instant::min(); // no task is woken before it
    Alarm m_alarm;
};

} // namespace lockscope::wire
