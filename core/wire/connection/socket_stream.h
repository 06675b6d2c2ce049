#pragma once

#include "core/wire/connection/read_buffer.h"
#include "core/wire/connection/socket_poller.h"

#include <memory>
#include <string>
#include <string_view>

namespace lockscope::wire {

/// What became of an attempt to connect to a unix socket: a descriptor for the caller to close, or
/// the system's error; EAGAIN when it is to be tried again.
struct UnixConnection {
    int descriptor = -1;
    int error = 0;
};
UnixConnection connectUnixSocket(const std::string& path);

/// A connected stream socket, TCP or unix, with nothing between us and the system: what is written
/// is sent in the same call as far as the system takes it, what arrives is read once. Runs on one
/// thread, which needs an event loop.
class SocketStream final : private SocketPoller::Watcher {
public:
    /// May destroy the stream in any of its methods, which are all called from the event loop or
    /// from readRest(), streamSent() also from write().
    class Listener {
    public:
        /// The bytes are valid until the listener lets the event loop run.
        virtual void streamReceived(std::string_view bytes) = 0;
        /// So many more bytes have been handed to the system.
        virtual void streamSent(std::size_t count) = 0;
        /// Nothing will come any more; the last thing that is said. `reason` is for people.
        virtual void streamEnded(const std::string& reason) = 0;

    protected:
        ~Listener() = default;
    };

    /// Goes on with the connection of that descriptor, by a duplicate of its own: the caller may
    /// close theirs. Throws std::system_error when the system has no descriptors left.
    SocketStream(int connected, Listener& listener);
    /// What has not been handed to the system by then is never sent.
    ~SocketStream();

    SocketStream(const SocketStream&) = delete;
    SocketStream& operator=(const SocketStream&) = delete;

    /// Keeps what the system does not take at once. Should the stream break on this occasion, that
    /// is said later, from the event loop.
    void write(std::string_view bytes);

    /// Reads now what has arrived, as far as it is worth it (limits::kLastWordsBytesMax): a peer
    /// that never stops has no last words.
    void readRest();

private:
    enum class ReadResult { GoesOn, IsDry, IsOver };

    void becameReady(bool canRead, bool canWrite) override;
    /// How far the system takes the bytes.
    std::size_t send(std::string_view bytes);
    void sendUnsent();
    ReadResult readOnce();

    std::shared_ptr<SocketPoller> m_poller;
    Listener& m_listener;
    const int m_descriptor;
    std::string m_unsent;
    std::size_t m_sentOfUnsent = 0; // its beginning, which is gone already
    bool m_isBroken = false;        // takes no bytes any more; the poller will bring the end
    const std::shared_ptr<char> m_life = std::make_shared<char>(); // gone when this is
};

} // namespace lockscope::wire
