#pragma once

#include "core/kernel/store/endpoint.h"
#include "core/kernel/store/problem.h"
#include "core/wire/connection/socket_stream.h"

#include <QAbstractSocket>
#include <QHostAddress>
#include <QList>
#include <QObject>
#include <QSslConfiguration>
#include <QTimer>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

class QSslSocket;

namespace lockscope::wire {

class HostLookup;
class SshProcess;
class TlsProbe;

/// A stream of bytes to an endpoint: TCP, TLS or a unix socket behind one face, the first two also
/// through ssh. One attempt per open(); it ends with opened() or with closed(), and after opened()
/// comes closed() exactly once.
///
/// The host is looked up anew for each open(), and its addresses are tried one after the other, as
/// long as none takes the connection. Qt connects and encrypts. Where there is nothing to encrypt
/// the connected socket is taken over from it: Qt asks the system four times for every answer,
/// SocketStream once.
///
/// A TCP stream that ends before a byte has come, though something was sent, may have met a port
/// that wants TLS. Before closed() is said that is looked into (see TlsProbe), for a second at
/// most. Through ssh the stream is open as soon as ssh runs; when it ends, ssh is asked why.
class Transport final : public QObject, private SocketStream::Listener {
    Q_OBJECT
public:
    explicit Transport(QObject* parent = nullptr);
    ~Transport() override;

    /// Drops whatever there was, silently, and connects anew.
    void open(const store::Endpoint& endpoint);

    /// Ends the stream without a signal.
    void drop();

    /// Ends the stream and says so by closed(problem), from the event loop. When it ends by itself
    /// before that, this problem is still the reason that is given.
    void fail(const store::Problem& problem);

    void write(const std::string& bytes);

    /// How many of the bytes given to write() since open() have certainly been handed to the
    /// system; what lies beyond was never sent. With TLS the bytes count as handed over once they
    /// are encrypted.
    std::uint64_t writtenCount() const { return m_writtenCount; }

    bool isOpen() const { return m_isOpen; }

Q_SIGNALS:
    void opened();
    /// The bytes are valid only during the call, and until an event loop runs in it.
    void received(std::string_view bytes);
    void closed(const lockscope::store::Problem& problem);

private:
    void openTcp();
    void openTls();
    void openUnix(const store::Endpoint& endpoint);
    void lookUpHost();
    void takeAddresses(const QList<QHostAddress>& addresses, const QString& error);
    void connectToNext();
    void connectTcp();
    void connectTls();
    /// True if the address did not take the connection and another one is tried.
    bool triesNext();
    void tryUnix(std::uint64_t attempt, const std::string& path);
    void adopt(QAbstractSocket* device);
    void takeOver(qintptr descriptor);
    void readAvailable();
    void becomeOpen();
    void becomeClosed(store::Problem problem);
    /// Whether what ended so may be a port that wants TLS.
    bool mayWantTls() const;
    void askForTls(const store::Problem& otherwise);
    void askSsh(const store::Problem& otherwise);
    void end(const store::Problem& problem);
    void discardSocket();
    void discardDevice();

    void streamReceived(std::string_view bytes) override;
    void streamSent(std::size_t count) override;
    void streamEnded(const std::string& reason) override;

    std::uint64_t m_attempt = 0;            // counts what was opened and dropped
    QAbstractSocket* m_device = nullptr;    // while connecting; with TLS for good
    std::unique_ptr<SocketStream> m_stream; // without TLS, once connected
    std::shared_ptr<HostLookup> m_lookup;   // while the host is looked up
    QList<QHostAddress> m_addresses;        // that were not tried yet
    QString m_address;                      // that is tried, or connected to
    std::unique_ptr<SshProcess> m_ssh;      // behind ssh, from open() on
    std::unique_ptr<TlsProbe> m_probe;      // between the end of a stream and closed()
    store::Endpoint m_endpoint;             // as passed to open()
    std::optional<QSslConfiguration> m_tls; // with TLS; even an empty one loads OpenSSL
    QTimer m_connectTimer;
    std::uint64_t m_writtenCount = 0;
    bool m_isWanted = false;    // from open() to drop() or closed()
    bool m_isConnected = false; // TCP; TLS may follow
    bool m_isOpen = false;
    bool m_hasReceived = false;
    bool m_isWriting = false;
    std::optional<store::Problem> m_failure; // as passed to fail(), until it is reported
};

} // namespace lockscope::wire
