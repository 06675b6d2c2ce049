#pragma once

#include "core/kernel/base/time.h"
#include "core/kernel/store/endpoint.h"

#include <QObject>
#include <QTimer>

#include <functional>
#include <vector>

namespace lockscope::widgets {

/// Whether the window may write to the servers that it watches, and for how long.
///
/// A production server starts read-only, however it was opened, and can be written to only for a
/// few minutes at a time: who looks at it is not one keystroke away from changing it. Any other
/// server starts as its owner opened it, and is switched freely.
class WritePermit : public QObject {
    Q_OBJECT
public:
    static constexpr Duration kProductionSpan = std::chrono::minutes(10);

    enum class State {
        Closed,   // no server
        ReadOnly, // can be lifted
        Never,    // read-only as long as the program runs
        Limited,  // until left() has passed
        Granted,
    };

    /// `now` is asked at every look; without `mayWrite` nothing is ever granted.
    WritePermit(std::function<Instant()> now, bool mayWrite, QObject* parent = nullptr);

    /// Starts anew with these servers. Says nothing: changed() is for what happens later.
    void open(const std::vector<store::Endpoint>& endpoints);

    /// In production for kProductionSpan, which begins anew when it was granted before.
    void grant();
    void revoke();
    /// Ends what has run out. Called by a timer too, so calling it is never needed, only prompter.
    void expire();

    State state() const { return m_state; }
    bool mayWrite() const { return m_state == State::Limited || m_state == State::Granted; }
    /// Production, where a grant ends by itself.
    bool isLimited() const { return m_isProduction; }
    /// Limited: the time that is left, above zero. Else zero.
    Duration left() const;

    /// The servers, as far as they may be written to now.
    std::vector<store::Endpoint> applyTo(std::vector<store::Endpoint> endpoints) const;

Q_SIGNALS:
    void changed();
    /// The time is over; changed() comes as well.
    void expired();

private:
    void turnTo(State state);

    std::function<Instant()> m_now;
    bool m_mayWrite;
    bool m_isProduction = false;
    State m_state = State::Closed;
    Instant m_end{};
    QTimer m_timer;
};

} // namespace lockscope::widgets
