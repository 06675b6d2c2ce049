#include "core/wire/event_thread.h"

#include <QCoreApplication>
#include <QEvent>
#include <QEventLoop>

#include <future>
#include <pthread.h>
#include <utility>

namespace lockscope::wire {

namespace {

constexpr qsizetype kLongestThreadName = 15; // bytes, pthread_setname_np(3)

} // namespace

EventThread::EventThread(QString name, std::function<void()> atEnd)
    : m_name(std::move(name)),
      m_atEnd(std::move(atEnd))
{}

EventThread::~EventThread()
{
    if (isRunning()) {
        // As an event: then everything that was posted before has happened before the end.
        QMetaObject::invokeMethod(
            m_loop, [] { QThread::currentThread()->quit(); }, Qt::QueuedConnection);
        m_thread.join();
    }
}

QThread* EventThread::start()
{
    std::promise<QObject*> running;
    std::future<QObject*> runningLoop = running.get_future();
    m_thread = std::thread([this, running = std::move(running)]() mutable {
        pthread_setname_np(pthread_self(), m_name.toUtf8().left(kLongestThreadName).constData());
        QThread::currentThread()->setObjectName(m_name);
        QEventLoop loop;
        running.set_value(&loop);
        loop.exec();
        m_atEnd();
        // Deletes what is left, while the libraries still have their state of this thread.
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    });
    m_loop = runningLoop.get();
    return m_loop->thread();
}

} // namespace lockscope::wire
