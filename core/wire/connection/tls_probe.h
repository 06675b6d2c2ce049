#pragma once

#include "core/kernel/store/endpoint.h"

#include <QByteArray>
#include <QObject>
#include <QTcpSocket>
#include <QTimer>

namespace lockscope::wire {

/// Finds out whether an endpoint speaks TLS, with a connection of its own. A TLS port that is sent
/// a command hangs up without a word, and so do others; but to the first message of a handshake
/// only a TLS port answers in TLS. Nothing is trusted, encrypted or kept.
class TlsProbe final : public QObject {
    Q_OBJECT
public:
    /// Asks once. Destroying the probe ends it without a signal.
    explicit TlsProbe(const store::Endpoint& endpoint, QObject* parent = nullptr);

Q_SIGNALS:
    /// The first bytes of a TLS record, or nothing if that is not what answers.
    void answered(const QByteArray& proof);

private:
    void conclude();

    QTcpSocket m_socket;
    QTimer m_patience;
};

} // namespace lockscope::wire
