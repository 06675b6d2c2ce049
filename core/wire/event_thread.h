#pragma once

#include <QString>
#include <QThread>

#include <functional>
#include <semaphore>
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
    /// Drops the events that have not been delivered.
    ~EventThread();

    EventThread(const EventThread&) = delete;
    EventThread& operator=(const EventThread&) = delete;

    bool isRunning() const { return m_thread.joinable(); }

    /// Starts the thread; called once. The guest moves to it before the first event is delivered
    /// there, so everything that was done with the guest, its timers included, happened before.
    void start(QObject& guest);

private:
    void run();

    QString m_name;
    std::function<void()> m_atEnd;
    QThread* m_loopThread = nullptr; ///< Qt's object for the thread; dies with it.
    std::binary_semaphore m_isReady{0};
    std::binary_semaphore m_hasMoved{0};
    std::thread m_thread;
};

} // namespace lockscope::wire
