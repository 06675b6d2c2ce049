#include "core/wire/connection/socket_stream.h"

#include "core/kernel/store/limits.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

namespace lockscope::wire {

namespace {

bool isPassing(int error)
{
    return error == EAGAIN || error == EWOULDBLOCK || error == ENOBUFS || error == ENOMEM;
}

std::string textOf(int error)
{
    return std::generic_category().message(error);
}

} // namespace

UnixConnection connectUnixSocket(const std::string& path)
{
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    if (path.size() >= sizeof(address.sun_path)) {
        return {-1, ENAMETOOLONG};
    }
    path.copy(address.sun_path, path.size());
    const int descriptor = ::socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (descriptor < 0) {
        return {-1, errno};
    }
    if (::connect(descriptor, reinterpret_cast<const sockaddr*>(&address), sizeof(address)) == 0) {
        return {descriptor, 0};
    }
    const int error = errno;
    ::close(descriptor);
    return {-1, error};
}

SocketStream::SocketStream(int connected, Listener& listener)
    : m_poller(SocketPoller::ofThisThread()),
      m_listener(listener),
      m_descriptor(::fcntl(connected, F_DUPFD_CLOEXEC, 0))
{
    if (m_descriptor < 0 || !m_poller->watch(m_descriptor, *this)) {
        const int error = errno;
        ::close(m_descriptor);
        throw std::system_error(error, std::generic_category(), "socket");
    }
}

SocketStream::~SocketStream()
{
    m_poller->forget(m_descriptor);
    ::close(m_descriptor);
}

void SocketStream::write(std::string_view bytes)
{
    if (m_isBroken) {
        return;
    }
    if (!m_unsent.empty()) {
        m_unsent.append(bytes);
        return;
    }
    const std::size_t sent = send(bytes);
    if (sent < bytes.size() && !m_isBroken) {
        m_unsent.assign(bytes.substr(sent));
        m_poller->watchWriting(m_descriptor, true);
    }
    if (sent > 0) {
        m_listener.streamSent(sent);
    }
}

std::size_t SocketStream::send(std::string_view bytes)
{
    std::size_t sent = 0;
    while (sent < bytes.size()) {
        const ssize_t count = ::send(m_descriptor, bytes.data() + sent, bytes.size() - sent,
                                     MSG_NOSIGNAL | MSG_DONTWAIT);
        if (count >= 0) {
            sent += static_cast<std::size_t>(count);
        } else if (errno != EINTR) {
            m_isBroken = !isPassing(errno);
            break;
        }
    }
    return sent;
}

void SocketStream::sendUnsent()
{
    const std::size_t sent = send(std::string_view(m_unsent).substr(m_sentOfUnsent));
    m_sentOfUnsent += sent;
    if (m_sentOfUnsent == m_unsent.size() || m_isBroken) {
        m_unsent.clear();
        m_sentOfUnsent = 0;
        m_poller->watchWriting(m_descriptor, false);
    }
    if (sent > 0) {
        m_listener.streamSent(sent);
    }
}

void SocketStream::becameReady(bool canRead, bool canWrite)
{
    const std::weak_ptr<char> life = m_life;
    if (canWrite) {
        sendUnsent();
    }
    if (canRead && !life.expired()) {
        readOnce();
    }
}

void SocketStream::readRest()
{
    const std::size_t readingsMax = store::limits::kLastWordsBytesMax / readBuffer().size();
    for (std::size_t i = 0; i < readingsMax && readOnce() == ReadResult::GoesOn; ++i) {}
}

/// Once it has said something, the stream may be gone.
SocketStream::ReadResult SocketStream::readOnce()
{
    const std::span<char> buffer = readBuffer();
    const ssize_t count = ::recv(m_descriptor, buffer.data(), buffer.size(), MSG_DONTWAIT);
    if (count > 0) {
        const std::weak_ptr<char> life = m_life;
        m_listener.streamReceived(std::string_view(buffer.data(), static_cast<std::size_t>(count)));
        return life.expired() ? ReadResult::IsOver : ReadResult::GoesOn;
    }
    if (count < 0 && (errno == EINTR || isPassing(errno))) {
        return errno == EINTR ? ReadResult::GoesOn : ReadResult::IsDry;
    }
    m_listener.streamEnded(count == 0 ? "the server closed the connection" : textOf(errno));
    return ReadResult::IsOver;
}

} // namespace lockscope::wire
