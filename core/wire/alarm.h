#pragma once

#include "core/kernel/base/time.h"

#include <QObject>
#include <QSocketNotifier>

#include <optional>

namespace lockscope::wire {

/// Rings once at an instant, on the event loop of the thread it lives in: a few microseconds after
/// it while the loop sleeps, and among the sockets, not behind them, while it is busy. A QTimer
/// counts whole milliseconds and comes after everything else. Costs a system call each time it is
/// set, and a file descriptor. Moves to another thread before it is first set, if at all.
class Alarm final : public QObject {
    Q_OBJECT
public:
    /// Throws std::system_error when there are no file descriptors left.
    explicit Alarm(QObject* parent = nullptr);
    ~Alarm() override;

    /// On the time line of LoopClock. Instead of what it was set for; what is past rings soon.
    /// Nothing is done when it is set for that already.
    void setFor(Instant when);
    void cancel();

Q_SIGNALS:
    void rang();

private:
    void ring();
    void tellSystem(Duration sinceBoot) const;

    int m_descriptor;
    QSocketNotifier m_notifier;
    std::optional<Instant> m_setFor;
};

} // namespace lockscope::wire
