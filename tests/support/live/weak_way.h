#pragma once

#include "core/kernel/store/endpoint.h"

#include <QByteArray>
#include <QTemporaryDir>

namespace lockscope::testing {

/// The way to any number of servers, which can be bad in ways that neither end notices. While it
/// exists, the "ssh" of this program is a script of ours that leads over it; see weak_way.py. The
/// servers reach each other without it.
class WeakWay {
public:
    WeakWay();
    ~WeakWay();
    WeakWay(const WeakWay&) = delete;
    WeakWay& operator=(const WeakWay&) = delete;

    static bool canBeMade(); // python3 is there

    /// The same servers over this way.
    store::Endpoint over(store::Endpoint endpoint) const;

    /// Each piece takes so much longer in each direction.
    void delay(int milliseconds);
    /// The connections that there are carry nothing any more, in either direction, and are not
    /// closed (half-open). New ones work.
    void forget();
    /// Nor do new ones: they wait until it is mended.
    void cut();
    /// No delay, and new connections work. What was forgotten stays so.
    void mend();

    int connectionCount() const; // so far

private:
    void tell() const;

    QTemporaryDir m_folder;
    QByteArray m_formerPath;
    int m_delayMs = 0;
    int m_lastForgotten = 0;
    bool m_isCut = false;
};

} // namespace lockscope::testing
