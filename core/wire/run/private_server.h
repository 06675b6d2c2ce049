#pragma once

#include "core/kernel/store/endpoint.h"
#include "core/wire/scratch_folder.h"

#include <QObject>
#include <QProcess>
#include <QStringList>

namespace lockscope::wire {

/// A redis-server of our own: no persistence, a temporary directory, a unix socket or a free
/// loopback port. It is stopped by its own process id when this is destroyed, and the system stops
/// it when the thread that started it dies, however that happens.
class PrivateServer final : public QObject {
    Q_OBJECT
public:
    enum class Listen { UnixSocket, LoopbackPort };

    explicit PrivateServer(Listen listen = Listen::UnixSocket, QObject* parent = nullptr);
    ~PrivateServer() override;

    /// Starts it. Ends with ready() or failed(). `extraArguments` as on redis-server's command
    /// line.
    void start(const QStringList& extraArguments = {});

    /// For programs and tests without an event loop yet: blocks until ready() or failed() would
    /// have come.
    bool waitUntilReady(int timeoutMs = 10'000);

    bool isReady() const { return m_isReady; }

    /// Where it listens.
    store::Endpoint endpoint() const;
    QString directory() const;
    qint64 processId() const { return m_process.processId(); }

    /// The process stops working without closing anything (SIGSTOP), and goes on (SIGCONT).
    void freeze();
    void thaw();
    /// kill -9, and wait until it is gone. start() may be called again.
    void kill();

Q_SIGNALS:
    void ready();
    void failed(const QString& reason);

private:
    void readOutput();
    QString socketPath() const;

    Listen m_listen;
    quint16 m_port = 0;
    ScratchFolder m_directory;
    QProcess m_process;
    QByteArray m_output;
    bool m_isReady = false;
};

} // namespace lockscope::wire
