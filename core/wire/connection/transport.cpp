#include "core/wire/connection/transport.h"

#include "core/wire/connection/host_lookup.h"
#include "core/wire/connection/ssh_process.h"
#include "core/wire/connection/tls_probe.h"
#include "core/wire/connection/tls_setup.h"

#include <QNetworkProxy>
#include <QSslSocket>
#include <QTcpSocket>

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <system_error>
#include <utility>

namespace lockscope::wire {

using store::Problem;

namespace {

using namespace std::chrono_literals;

constexpr auto kUnixRetry = 10ms;
/// Decrypted and not yet read; Qt would take as much as the peer sends.
constexpr qint64 kTlsBufferBytes = 1024 * 1024;

/// What kept the socket from being connected; `otherwise` when it was something else.
Problem problemOfConnecting(const QAbstractSocket& socket, QAbstractSocket::SocketError error,
                            const Problem& otherwise)
{
    const std::string detail = socket.errorString().toStdString();
    switch (error) {
    case QAbstractSocket::HostNotFoundError: return {Problem::Kind::HostNotFound, detail, {}, {}};
    case QAbstractSocket::ConnectionRefusedError:
        return {Problem::Kind::ConnectionRefused, detail, {}, {}};
    case QAbstractSocket::SocketTimeoutError:
    case QAbstractSocket::NetworkError: // "No route to host"
        return {Problem::Kind::ConnectTimedOut, detail, {}, {}};
    default: return otherwise;
    }
}

Problem problemOfUnixError(int error)
{
    const std::string detail = std::generic_category().message(error);
    switch (error) {
    case ENOENT:
    case ENOTSOCK: return {Problem::Kind::SocketMissing, detail, {}, {}};
    case ECONNREFUSED: return {Problem::Kind::ConnectionRefused, detail, {}, {}};
    case EACCES:
    case EPERM: return {Problem::Kind::AccessDenied, detail, {}, {}};
    default: return {Problem::Kind::ConnectionLost, detail, {}, {}};
    }
}

} // namespace

Transport::Transport(QObject* parent) : QObject(parent), m_connectTimer(this)
{
    m_connectTimer.setSingleShot(true);
    connect(&m_connectTimer, &QTimer::timeout, this, [this] {
        const bool isConnected = m_device != nullptr
                                 && m_device->state() == QAbstractSocket::ConnectedState;
        becomeClosed({Problem::Kind::ConnectTimedOut,
                      isConnected ? "connected, but no TLS reply was received; check whether this "
                                    "port uses TLS (rediss://)"
                                  : "no answer to the connection attempt",
                      {},
                      {}});
    });
}

Transport::~Transport()
{
    discardSocket();
}

void Transport::open(const store::Endpoint& endpoint)
{
    drop();
    m_isWanted = true;
    m_endpoint = endpoint;
    m_writtenCount = 0;
    m_hasReceived = false;
    m_isConnected = false;
    m_connectTimer.start(
        std::chrono::duration_cast<std::chrono::milliseconds>(endpoint.connectTimeout));
    if (endpoint.isBehindSsh()) {
        m_ssh = std::make_unique<SshProcess>(endpoint, this); // gone with this at the latest
    }
    switch (endpoint.transport) {
    case store::Endpoint::Transport::Tcp: return openTcp();
    case store::Endpoint::Transport::Tls: return openTls();
    case store::Endpoint::Transport::UnixSocket: return openUnix(endpoint);
    }
}

void Transport::openTcp()
{
    if (!m_ssh) {
        lookUpHost();
        return;
    }
    // Queued, because open() has not returned yet.
    QMetaObject::invokeMethod(
        this,
        [this, attempt = m_attempt] {
            if (attempt == m_attempt) {
                takeOver(m_ssh->descriptor());
            }
        },
        Qt::QueuedConnection);
}

void Transport::openTls()
{
    auto configuration = tlsConfigurationOf(m_endpoint.tls, m_endpoint.keyPassphrase);
    if (const auto* const problem = std::get_if<Problem>(&configuration)) {
        fail(*problem);
        return;
    }
    m_tls = std::get<QSslConfiguration>(std::move(configuration));
    if (m_ssh) {
        connectTls();
    } else {
        lookUpHost();
    }
}

void Transport::lookUpHost()
{
    const QString host = QString::fromStdString(m_endpoint.host);
    if (const QHostAddress literal(host); !literal.isNull()) {
        m_addresses = {literal};
        connectToNext();
        return;
    }
    m_lookup = HostLookup::of(host);
    connect(m_lookup.get(), &HostLookup::answered, this, &Transport::takeAddresses);
}

void Transport::takeAddresses(const QList<QHostAddress>& addresses, const QString& error)
{
    m_lookup->disconnect(this);
    m_lookup.reset();
    if (addresses.isEmpty()) {
        becomeClosed({Problem::Kind::HostNotFound, error.toStdString(), {}, {}});
        return;
    }
    m_addresses = addresses;
    connectToNext();
}

void Transport::connectToNext()
{
    m_address = m_addresses.takeFirst().toString();
    if (m_endpoint.transport == store::Endpoint::Transport::Tls) {
        connectTls();
    } else {
        connectTcp();
    }
}

bool Transport::triesNext()
{
    if (m_isConnected || m_addresses.isEmpty() || m_failure) {
        return false;
    }
    discardDevice();
    connectToNext();
    return true;
}

void Transport::connectTcp()
{
    auto* const socket = new QTcpSocket(this);
    socket->setProxy(QNetworkProxy::NoProxy); // the desktop's proxy is for the web
    adopt(socket);
    connect(socket, &QTcpSocket::connected, this, [this, socket] {
        m_isConnected = true;
        socket->setSocketOption(QAbstractSocket::LowDelayOption, 1);
        takeOver(socket->socketDescriptor());
    });
    connect(socket, &QTcpSocket::errorOccurred, this,
            [this, socket](QAbstractSocket::SocketError error) {
                const Problem lost{
                    Problem::Kind::ConnectionLost, socket->errorString().toStdString(), {}, {}};
                if (!triesNext()) {
                    becomeClosed(problemOfConnecting(*socket, error, lost));
                }
            });
    socket->connectToHost(m_address, m_endpoint.port);
}

void Transport::connectTls()
{
    auto* const socket = new QSslSocket(this);
    socket->setSslConfiguration(*m_tls);
    socket->setProxy(QNetworkProxy::NoProxy);
    socket->setReadBufferSize(kTlsBufferBytes);
    adopt(socket);
    connect(socket, &QSslSocket::connected, this, [this] { m_isConnected = true; });
    connect(socket, &QSslSocket::encrypted, this, [this, socket] {
        socket->setSocketOption(QAbstractSocket::LowDelayOption, 1);
        becomeOpen();
    });
    connect(socket, &QSslSocket::errorOccurred, this,
            [this, socket](QAbstractSocket::SocketError error) {
                const Problem ofTls = problemOfTls(*socket, error, m_isOpen);
                if (!triesNext()) {
                    becomeClosed(m_isOpen ? ofTls : problemOfConnecting(*socket, error, ofTls));
                }
            });
    // The certificate is for the name, not for the address that was found for it.
    const QString name = QString::fromStdString(m_endpoint.tls.serverName.empty()
                                                    ? m_endpoint.host
                                                    : m_endpoint.tls.serverName);
    if (!m_ssh) {
        socket->connectToHostEncrypted(m_address, m_endpoint.port, name);
        return;
    }
    // It closes its descriptor itself.
    socket->setSocketDescriptor(::fcntl(m_ssh->descriptor(), F_DUPFD_CLOEXEC, 0));
    socket->setPeerVerifyName(name);
    socket->startClientEncryption();
}

/// By ourselves: a QLocalSocket that is given up while it says connected() closes its descriptor
/// twice, and by the second time the number may be another thread's.
void Transport::openUnix(const store::Endpoint& endpoint)
{
    // Queued, because what is missing shows at once and open() has not returned yet.
    QMetaObject::invokeMethod(
        this, [this, attempt = m_attempt, path = endpoint.socketPath] { tryUnix(attempt, path); },
        Qt::QueuedConnection);
}

void Transport::tryUnix(std::uint64_t attempt, const std::string& path)
{
    if (attempt != m_attempt) {
        return;
    }
    const UnixConnection made = connectUnixSocket(path);
    if (made.error == EAGAIN) { // its queue of clients is full
        QTimer::singleShot(kUnixRetry, this, [this, attempt, path] { tryUnix(attempt, path); });
        return;
    }
    if (made.error != 0) {
        becomeClosed(problemOfUnixError(made.error));
        return;
    }
    takeOver(made.descriptor);
    ::close(made.descriptor);
}

void Transport::adopt(QAbstractSocket* device)
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

void Transport::takeOver(qintptr descriptor)
{
    SocketStream::Listener& listener = *this;
    try {
        m_stream = std::make_unique<SocketStream>(static_cast<int>(descriptor), listener);
    } catch (const std::system_error& refused) {
        fail({Problem::Kind::ConnectionLost, refused.code().message(), {}, {}});
        return;
    }
    discardDevice();
    becomeOpen();
}

void Transport::readAvailable()
{
    if (m_stream) {
        m_stream->readRest();
        return;
    }
    const std::uint64_t attempt = m_attempt;
    const std::span<char> buffer = readBuffer();
    while (attempt == m_attempt && m_device != nullptr && m_device->bytesAvailable() > 0) {
        const qint64 count = m_device->read(buffer.data(), static_cast<qint64>(buffer.size()));
        if (count <= 0) {
            return;
        }
        Q_EMIT received(std::string_view(buffer.data(), static_cast<std::size_t>(count)));
    }
}

void Transport::streamReceived(std::string_view bytes)
{
    m_hasReceived = true;
    Q_EMIT received(bytes);
}

void Transport::streamSent(std::size_t count)
{
    m_writtenCount += count;
}

void Transport::streamEnded(const std::string& reason)
{
    const Problem problem = m_failure.value_or(Problem{
        Problem::Kind::ConnectionLost, reason, {}, {}});
    if (mayWantTls()) {
        askForTls(problem);
        return;
    }
    end(problem);
}

bool Transport::mayWantTls() const
{
    const bool isPlainTcp = m_endpoint.transport == store::Endpoint::Transport::Tcp && !m_ssh;
    return isPlainTcp && !m_hasReceived && m_writtenCount > 0 && !m_failure;
}

void Transport::askForTls(const Problem& otherwise)
{
    m_isOpen = false;
    m_stream.reset();
    store::Endpoint place = m_endpoint;
    place.host = m_address.toStdString(); // another address may be another server
    m_probe = std::make_unique<TlsProbe>(place, this);
    connect(m_probe.get(), &TlsProbe::answered, this, [this, otherwise](const QByteArray& proof) {
        becomeClosed(proof.isEmpty()
                         ? otherwise
                         : Problem{Problem::Kind::NotRedis, proof.toStdString(), {}, {}});
    });
}

void Transport::becomeOpen()
{
    m_connectTimer.stop();
    m_isOpen = true;
    Q_EMIT opened();
}

void Transport::becomeClosed(Problem problem)
{
    if (!m_isWanted) {
        return;
    }
    if (m_isWriting) {
        fail(problem);
        return;
    }
    // What arrived before the end still counts: it may be the reason for it.
    const std::uint64_t attempt = m_attempt;
    readAvailable();
    if (attempt != m_attempt) {
        return; // the receiver has already moved on, or the stream has ended by itself
    }
    end(m_failure.value_or(std::move(problem)));
}

void Transport::end(const Problem& problem)
{
    if (m_ssh && !m_failure) {
        askSsh(problem);
        return;
    }
    drop();
    Q_EMIT closed(problem);
}

void Transport::askSsh(const Problem& otherwise)
{
    m_isOpen = false;
    m_connectTimer.stop();
    m_stream.reset();
    discardDevice();
    m_ssh->disconnect(this);
    connect(m_ssh.get(), &SshProcess::explained, this, [this, otherwise](const Problem& problem) {
        drop();
        Q_EMIT closed(problem.kind != Problem::Kind::None ? problem : otherwise);
    });
    m_ssh->explainEnd();
}

void Transport::drop()
{
    ++m_attempt;
    m_isWanted = false;
    m_connectTimer.stop();
    m_isOpen = false;
    m_failure.reset();
    discardSocket();
}

void Transport::fail(const Problem& problem)
{
    m_failure = m_failure.value_or(problem);
    QMetaObject::invokeMethod(
        this,
        [this, attempt = m_attempt, problem] {
            if (attempt == m_attempt) {
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
    if (m_stream) {
        m_stream->write(bytes);
        return;
    }
    // At once, not when the event loop comes round: the server could be working on it already. If
    // the stream breaks on this occasion, that is said from the event loop, because the caller is
    // in the middle of something.
    m_isWriting = true;
    m_device->write(bytes.data(), static_cast<qint64>(bytes.size()));
    m_device->flush();
    m_isWriting = false;
}

void Transport::discardSocket()
{
    if (TlsProbe* const probe = m_probe.release()) {
        probe->disconnect(this);
        probe->deleteLater(); // it may be the one that speaks
    }
    if (SshProcess* const ssh = m_ssh.release()) {
        ssh->disconnect(this);
        ssh->deleteLater(); // it may be the one that speaks
    }
    if (m_lookup) {
        m_lookup->disconnect(this);
        m_lookup.reset();
    }
    m_addresses.clear();
    m_stream.reset();
    discardDevice();
}

void Transport::discardDevice()
{
    if (QAbstractSocket* const device = std::exchange(m_device, nullptr)) {
        device->disconnect(this);
        device->abort(); // not close(), which would still send what is buffered: that was reported
                         // as never sent
        device->deleteLater();
    }
}

} // namespace lockscope::wire
