#include "core/wire/connection/tls_probe.h"

#include "core/kernel/store/tls_record.h"

#include <QNetworkProxy>

#include <algorithm>
#include <chrono>

namespace lockscope::wire {

namespace {

using namespace std::chrono_literals;

constexpr std::chrono::milliseconds kProbePatience = 1s;
constexpr qint64 kProofBytesMax = 16;

/// ClientHello of TLS 1.2: what every stack answers with its own hello or with an alert. It holds
/// no end of line, so that a plain Redis takes nothing of it for a command.
QByteArray hello()
{
    const QByteArray body = QByteArray::fromHex("0303")    // the version
                            + QByteArray(32, 'L')          // in place of a random number
                            + QByteArray::fromHex("00"     // no session to go on with
                                                  "0006"   // bytes of ciphers:
                                                  "c02f"   // ECDHE-RSA-AES128-GCM-SHA256
                                                  "c02b"   // ECDHE-ECDSA-AES128-GCM-SHA256
                                                  "002f"   // RSA-AES128-SHA
                                                  "0100"); // no compression
    const auto size = static_cast<char>(body.size());
    const QByteArray message = QByteArray::fromHex("010000") + size + body;
    return QByteArray::fromHex("16030100") + static_cast<char>(message.size()) + message;
}

} // namespace

TlsProbe::TlsProbe(const store::Endpoint& endpoint, QObject* parent)
    : QObject(parent),
      m_socket(this),
      m_patience(this)
{
    m_patience.setSingleShot(true);
    connect(&m_patience, &QTimer::timeout, this, &TlsProbe::conclude);
    connect(&m_socket, &QTcpSocket::connected, this, [this] { m_socket.write(hello()); });
    connect(&m_socket, &QTcpSocket::readyRead, this, [this] {
        if (m_socket.bytesAvailable() >= 2) {
            conclude();
        }
    });
    connect(&m_socket, &QTcpSocket::errorOccurred, this, &TlsProbe::conclude);
    m_socket.setProxy(QNetworkProxy::NoProxy);
    m_socket.connectToHost(QString::fromStdString(endpoint.host), endpoint.port);
    m_patience.start(std::min(kProbePatience, std::chrono::duration_cast<std::chrono::milliseconds>(
                                                  endpoint.connectTimeout)));
}

void TlsProbe::conclude()
{
    m_patience.stop();
    m_socket.disconnect(this);
    const QByteArray heard = m_socket.read(kProofBytesMax);
    m_socket.abort();
    const bool isProof = store::beginsLikeTls({heard.constData(),
                                               static_cast<std::size_t>(heard.size())});
    Q_EMIT answered(isProof ? heard : QByteArray());
}

} // namespace lockscope::wire
