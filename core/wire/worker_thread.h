#pragma once

#include "core/wire/event_thread.h"

#include <QObject>

#include <utility>

namespace lockscope::wire {

/// An EventThread that owns an object. The object is created by the caller and moves to the thread,
/// which starts with the first call that is posted: whatever was connected to the object before
/// happened before anything on the thread. The object lives there and dies there;
/// other threads only post calls to it. The destructor ends everything and waits for it.
template<class Object>
class WorkerThread final {
public:
    template<class... Args>
    explicit WorkerThread(const QString& name, Args&&... args)
        : m_object(new Object(std::forward<Args>(args)...)),
          m_thread(name, [object = m_object] { delete object; })
    {}

    ~WorkerThread()
    {
        if (!m_thread.isRunning()) {
            delete m_object; // it was never called
        }
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
            m_thread.start(*m_object);
        }
        QMetaObject::invokeMethod(
            m_object, [object = m_object, call = std::move(call)] { call(*object); },
            Qt::QueuedConnection);
    }

private:
    Object* m_object;
    EventThread m_thread;
};

} // namespace lockscope::wire
