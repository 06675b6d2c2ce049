#pragma once

#include <QObject>
#include <QString>
#include <QThread>

#include <functional>
#include <thread>

namespace lockscope::wire {

/// A thread with an event loop. Its destructor returns when nothing of it runs any more, which
/// `QThread::wait()` does not promise: Qt tidies the thread up after it has woken who waits, and a
/// program that ends meanwhile ends beside code that still runs. All methods are for the thread
/// that made this.
class EventThread final {
public:
    /// `name` is what debuggers show, of which Linux keeps 15 bytes. `atEnd` runs on the thread
    /// after its last event; it does not run where the thread was never started.
    EventThread(QString name, std::function<void()> atEnd);
    /// Events that were posted before are delivered, later ones are dropped.
    ~EventThread();

    EventThread(const EventThread&) = delete;
    EventThread& operator=(const EventThread&) = delete;

    bool isRunning() const { return m_thread.joinable(); }

    /// Once. Objects may be moved to the thread that it returns, and events be posted to them.
    QThread* start();

private:
    QString m_name;
    std::function<void()> m_atEnd;
    QObject* m_loop = nullptr; // lives on the thread, as long as it runs
    std::thread m_thread;
};

} // namespace lockscope::wire
