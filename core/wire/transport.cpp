#include "transport.h"

#include <QLocalSocket>
#include <QNetworkProxy>
#include <QSslSocket>
#include <QTcpSocket>

#include <utility>

namespace lockscope::wire {

using store::Problem;

namespace {

constexpr std::size_t kBufferSize = 64 * 1024;

/// `wasOpen`: TLS streams are open once they are encrypted.
Problem problemOfTcpError(const QAbstractSocket& socket, QAbstractSocket::SocketError error,
                          bool wasOpen)
{
    const std::string detail = socket.errorString().toStdString();
    if (wasOpen) {
        return {Problem::Kind::ConnectionLost, detail, {}, {}};
    }
    switch (error) {
    case QAbstractSocket::HostNotFoundError: return {Problem::Kind::HostNotFound, detail, {}, {}};
    case QAbstractSocket::ConnectionRefusedError:
        return {Problem::Kind::ConnectionRefused, detail, {}, {}};
    case QAbstractSocket::SocketTimeoutError:
    case QAbstractSocket::NetworkError: // "No route to host"
        return {Problem::Kind::ConnectTimedOut, detail, {}, {}};
    case QAbstractSocket::SslHandshakeFailedError:
    case QAbstractSocket::SslInternalError:
    case QAbstractSocket::SslInvalidUserDataError:
        return {Problem::Kind::TlsFailed, detail, {}, {}};
    default:
        // A server that does not speak TLS hangs up on our first words.
        return {qobject_cast<const QSslSocket*>(&socket) != nullptr ? Problem::Kind::TlsFailed
                                                                    : Problem::Kind::ConnectionLost,
                detail,
                {},
                {}};
    }
}

Problem problemOfLocalError(QLocalSocket::LocalSocketError error, const QString& words,
                            bool wasOpen)
{
    const std::string detail = words.toStdString();
    if (wasOpen) {
        return {Problem::Kind::ConnectionLost, detail, {}, {}};
    }
    switch (error) {
    case QLocalSocket::ServerNotFoundError: return {Problem::Kind::SocketMissing, detail, {}, {}};
    case QLocalSocket::ConnectionRefusedError:
        return {Problem::Kind::ConnectionRefused, detail, {}, {}};
    case QLocalSocket::SocketAccessError: return {Problem::Kind::AccessDenied, detail, {}, {}};
    default: return {Problem::Kind::ConnectionLost, detail, {}, {}};
    }
}

} // namespace

Transport::Transport(QObject* parent) : QObject(parent), m_buffer(kBufferSize), m_connectTimer(this)
{
    m_connectTimer.setSingleShot(true);
    connect(&m_connectTimer, &QTimer::timeout, this, [this] {
        becomeClosed(
            {Problem::Kind::ConnectTimedOut, "no answer to the connection attempt", {}, {}});
    });
}

Transport::~Transport()
{
    discardDevice();
}

void Transport::open(const store::Endpoint& endpoint)
{
    drop();
    m_writtenCount = 0;
    m_connectTimer.start(
        std::chrono::duration_cast<std::chrono::milliseconds>(endpoint.connectTimeout));
    switch (endpoint.transport) {
    case store::Endpoint::Transport::Tcp: return openTcp(endpoint);
    case store::Endpoint::Transport::Tls: return openTls(endpoint);
    case store::Endpoint::Transport::UnixSocket: return openUnix(endpoint);
    }
}

void Transport::openTcp(const store::Endpoint& endpoint)
{
    auto* const socket = new QTcpSocket(this);
    socket->setProxy(QNetworkProxy::NoProxy); // the desktop's proxy is for the web
    adopt(socket);
    connect(socket, &QTcpSocket::connected, this, [this, socket] {
        socket->setSocketOption(QAbstractSocket::LowDelayOption, 1);
        becomeOpen();
    });
    connect(socket, &QTcpSocket::errorOccurred, this,
            [this, socket](QAbstractSocket::SocketError error) {
                becomeClosed(problemOfTcpError(*socket, error, m_isOpen));
            });
    socket->connectToHost(QString::fromStdString(endpoint.host), endpoint.port);
}

void Transport::openTls(const store::Endpoint& endpoint)
{
    auto* const socket = new QSslSocket(this);
    socket->setProxy(QNetworkProxy::NoProxy);
    adopt(socket);
    connect(socket, &QSslSocket::encrypted, this, [this, socket] {
        socket->setSocketOption(QAbstractSocket::LowDelayOption, 1);
        becomeOpen();
    });
    connect(socket, &QSslSocket::errorOccurred, this,
            [this, socket](QAbstractSocket::SocketError error) {
                becomeClosed(problemOfTcpError(*socket, error, m_isOpen));
            });
    socket->connectToHostEncrypted(QString::fromStdString(endpoint.host), endpoint.port);
}

void Transport::openUnix(const store::Endpoint& endpoint)
{
    auto* const socket = new QLocalSocket(this);
    adopt(socket);
    connect(socket, &QLocalSocket::connected, this, &Transport::becomeOpen);
    connect(socket, &QLocalSocket::errorOccurred, this,
            [this, socket](QLocalSocket::LocalSocketError error) {
                becomeClosed(problemOfLocalError(error, socket->errorString(), m_isOpen));
            });
    connect(socket, &QLocalSocket::disconnected, this, [this] {
        becomeClosed({Problem::Kind::ConnectionLost, "the server closed the connection", {}, {}});
    });
    // Queued, because a missing socket is reported from inside the call and open() has not returned
    // yet.
    const QString path = QString::fromStdString(endpoint.socketPath);
    QMetaObject::invokeMethod(
        socket, [socket, path] { socket->connectToServer(path); }, Qt::QueuedConnection);
}

void Transport::adopt(QIODevice* device)
{
    m_device = device;
    connect(device, &QIODevice::readyRead, this, [this, device] {
        if (device == m_device) {
            readAvailable();
        }
    });
    connect(device, &QIODevice::bytesWritten, this,
            [this](qint64 count) { m_writtenCount += static_cast<std::uint64_t>(count); });
}

void Transport::readAvailable()
{
    // Into one buffer for good: a fresh large one for every reading makes the allocator tidy up
    // every time.
    QIODevice* const device = m_device;
    while (device == m_device && device->bytesAvailable() > 0) {
        const qint64 count = device->read(m_buffer.data(), static_cast<qint64>(m_buffer.size()));
        if (count <= 0) {
            return;
        }
        Q_EMIT received(std::string_view(m_buffer.data(), static_cast<std::size_t>(count)));
    }
}

void Transport::becomeOpen()
{
    m_connectTimer.stop();
    m_isOpen = true;
    Q_EMIT opened();
}

void Transport::becomeClosed(Problem problem)
{
    if (m_device == nullptr) {
        return;
    }
    if (m_isWriting) {
        fail(problem);
        return;
    }
    // What arrived before the end still counts: it may be the reason for it.
    const QIODevice* const device = m_device;
    readAvailable();
    if (device != m_device) {
        return; // the receiver has already moved on
    }
    problem = m_failure.value_or(std::move(problem));
    drop();
    Q_EMIT closed(problem);
}

void Transport::drop()
{
    m_connectTimer.stop();
    m_isOpen = false;
    m_failure.reset();
    discardDevice();
}

void Transport::fail(const Problem& problem)
{
    QIODevice* const device = m_device;
    m_failure = m_failure.value_or(problem);
    QMetaObject::invokeMethod(
        this,
        [this, device, problem] {
            if (device == m_device) {
                becomeClosed(problem);
            }
        },
        Qt::QueuedConnection);
}

void Transport::write(const std::string& bytes)
{
    if (!m_isOpen) {
        return;
    }
    // At once, not when the event loop comes round: the server could be working on it already. If
    // the stream breaks on this occasion, that is said from the event loop, because the caller is
    // in the middle of something.
    m_isWriting = true;
    m_device->write(bytes.data(), static_cast<qint64>(bytes.size()));
    if (auto* const socket = qobject_cast<QAbstractSocket*>(m_device)) {
        socket->flush();
    } else if (auto* const local = qobject_cast<QLocalSocket*>(m_device)) {
        local->flush();
    }
    m_isWriting = false;
}

void Transport::discardDevice()
{
    if (QIODevice* const device = std::exchange(m_device, nullptr)) {
        device->disconnect(this);
        // Not close(), which would still send what is buffered: that was reported as never sent.
        if (auto* const socket = qobject_cast<QAbstractSocket*>(device)) {
            socket->abort();
        } else if (auto* const localSocket = qobject_cast<QLocalSocket*>(device)) {
            localSocket->abort();
        }
        device->deleteLater();
    }
}

} // namespace lockscope::wire
