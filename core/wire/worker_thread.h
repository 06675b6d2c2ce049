#pragma once

#include <QObject>
#include <QThread>

#include <atomic>
#include <memory>
#include <utility>

namespace lockscope::wire {

/// A thread with an event loop that owns an object. The object is created by the caller and moves
/// to the thread, which starts with the first call that is posted: whatever was connected to the
/// object before happened before anything on the thread. The object lives there and dies there;
/// other threads only post calls to it. The destructor ends everything and waits for it.
template<class Object>
class WorkerThread final {
public:
    template<class... Args>
    explicit WorkerThread(const QString& name, Args&&... args)
        : m_object(new Object(std::forward<Args>(args)...))
    {
        m_thread.setObjectName(name);
        m_object->moveToThread(&m_thread);
        QObject::connect(&m_thread, &QThread::finished, m_object, &QObject::deleteLater);
        QObject::connect(m_object, &QObject::destroyed, [this] { m_hasEnded.test_and_set(); });
    }

    ~WorkerThread()
    {
        if (!m_thread.isRunning()) {
            delete m_object; // it was never called
            return;
        }
        m_thread.quit();
        m_thread.wait();
        // Reading what the thread wrote when its object was gone orders its end before ours for the
        // thread sanitizer as well, which does not see how Qt waits.
        [[maybe_unused]] const bool hasEnded = m_hasEnded.test();
        Q_ASSERT(hasEnded);
    }

    WorkerThread(const WorkerThread&) = delete;
    WorkerThread& operator=(const WorkerThread&) = delete;

    /// For connecting signals. Its methods are called on its own thread: see post().
    Object* object() const { return m_object; }

    /// Runs `call` on the object's thread, later, in the order of posting. For the thread that made
    /// this.
    template<class Call>
    void post(Call call)
    {
        if (!m_thread.isRunning()) {
            m_thread.start();
        }
        QMetaObject::invokeMethod(
            m_object, [object = m_object, call = std::move(call)] { call(*object); },
            Qt::QueuedConnection);
    }

private:
    std::atomic_flag m_hasEnded;
    QThread m_thread;
    Object* m_object;
};

} // namespace lockscope::wire
