#pragma once

#include <QObject>
#include <QSocketNotifier>

#include <memory>
#include <unordered_map>

namespace lockscope::wire {

/// Tells when sockets of one thread can be read or written: an epoll set (Linux) behind a single
/// QSocketNotifier. Qt's own event loop passes every descriptor it watches to the system each time
/// it waits, which a thousand connections on a thread make the dearest thing it does.
///
/// Used from the thread that asked for it, and needs an event loop there.
class SocketPoller final : public QObject, public std::enable_shared_from_this<SocketPoller> {
    Q_OBJECT
public:
    /// Hears about one descriptor. An end or an error counts as readable. Now and then it is called
    /// for nothing, so that sockets must not block.
    class Watcher {
    public:
        virtual void becameReady(bool canRead, bool canWrite) = 0;

    protected:
        ~Watcher() = default;
    };

    /// The calling thread's, which lives as long as a caller there keeps it. Throws
    /// std::system_error when the system has no descriptor left for it.
    static std::shared_ptr<SocketPoller> ofThisThread();

    ~SocketPoller() override;
    SocketPoller(const SocketPoller&) = delete;
    SocketPoller& operator=(const SocketPoller&) = delete;

    /// From now on the watcher hears when the socket can be read, until forget(). False when the
    /// system refuses.
    [[nodiscard]] bool watch(int descriptor, Watcher& watcher);
    /// Whether it also hears when the socket takes bytes again.
    void watchWriting(int descriptor, bool isWanted) const;
    /// Before the descriptor is closed.
    void forget(int descriptor);

private:
    explicit SocketPoller(int set);
    void tellWatchers();

    const int m_set;
    QSocketNotifier m_notifier;
    std::unordered_map<int, Watcher*> m_watchers;
};

} // namespace lockscope::wire
