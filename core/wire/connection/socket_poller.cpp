#include "core/wire/connection/socket_poller.h"

#include <sys/epoll.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdint>
#include <system_error>

namespace lockscope::wire {

namespace {

/// As many as are notified before timers and other events get their turn.
constexpr std::size_t kTurn = 64;

epoll_event wantedOf(int descriptor, bool alsoWriting)
{
    epoll_event wanted{};
    wanted.events = alsoWriting ? EPOLLIN | EPOLLOUT : EPOLLIN;
    wanted.data.fd = descriptor;
    return wanted;
}

} // namespace

std::shared_ptr<SocketPoller> SocketPoller::ofThisThread()
{
    static thread_local std::weak_ptr<SocketPoller> present;
    if (auto poller = present.lock()) {
        return poller;
    }
    const int set = ::epoll_create1(EPOLL_CLOEXEC);
    if (set < 0) {
        throw std::system_error(errno, std::generic_category(), "epoll_create1");
    }
    std::shared_ptr<SocketPoller> poller(new SocketPoller(set));
    present = poller;
    return poller;
}

SocketPoller::SocketPoller(int set) : m_set(set), m_notifier(set, QSocketNotifier::Read)
{
    connect(&m_notifier, &QSocketNotifier::activated, this, &SocketPoller::tellWatchers);
}

SocketPoller::~SocketPoller()
{
    m_notifier.setEnabled(false); // while the descriptor is still open
    ::close(m_set);
}

bool SocketPoller::watch(int descriptor, Watcher& watcher)
{
    epoll_event wanted = wantedOf(descriptor, false);
    if (::epoll_ctl(m_set, EPOLL_CTL_ADD, descriptor, &wanted) != 0) {
        return false;
    }
    m_watchers[descriptor] = &watcher;
    return true;
}

void SocketPoller::watchWriting(int descriptor, bool isWanted) const
{
    epoll_event wanted = wantedOf(descriptor, isWanted);
    ::epoll_ctl(m_set, EPOLL_CTL_MOD, descriptor, &wanted);
}

void SocketPoller::forget(int descriptor)
{
    ::epoll_ctl(m_set, EPOLL_CTL_DEL, descriptor, nullptr);
    m_watchers.erase(descriptor);
}

void SocketPoller::tellWatchers()
{
    const auto alive = shared_from_this(); // also when the last watcher leaves meanwhile
    std::array<epoll_event, kTurn> events; // NOLINT(*-member-init): the system fills it
    const int count = ::epoll_wait(m_set, events.data(), static_cast<int>(events.size()), 0);
    for (int i = 0; i < count; ++i) {
        const epoll_event& event = events.at(static_cast<std::size_t>(i));
        // A watcher that ran before may have ended this one's watching. Should another socket
        // have got its number meanwhile, that one is notified for nothing.
        const auto found = m_watchers.find(event.data.fd);
        if (found != m_watchers.end()) {
            const std::uint32_t happened = event.events;
            found->second->becameReady((happened & (EPOLLIN | EPOLLHUP | EPOLLERR)) != 0,
                                       (happened & EPOLLOUT) != 0);
        }
    }
}

} // namespace lockscope::wire
