#include "core/wire/event_thread.h"

#include <QCoreApplication>
#include <QEvent>
#include <QEventLoop>

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
        m_loopThread->quit();
        m_thread.join();
    }
}

void EventThread::start(QObject& guest)
{
    m_thread = std::thread(&EventThread::run, this);
    m_isReady.acquire();
    guest.moveToThread(m_loopThread);
    m_hasMoved.release();
}

void EventThread::run()
{
    pthread_setname_np(pthread_self(), m_name.toUtf8().left(kLongestThreadName).constData());
    m_loopThread = QThread::currentThread();
    m_loopThread->setObjectName(m_name);
    QEventLoop loop;
    m_isReady.release();
    m_hasMoved.acquire();
    loop.exec();
    m_atEnd();
    // Deletes what is left, while the libraries still have their state of this thread.
    QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
}

} // namespace lockscope::wire
