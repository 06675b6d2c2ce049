#pragma once

#include "core/kernel/store/endpoint.h"
#include "core/kernel/store/problem.h"

#include <QObject>
#include <QProcess>
#include <QTimer>

namespace lockscope::wire {

/// A way to a server through the system's ssh ("ssh -W host:port"): its agent, its jump hosts and
/// its known hosts count, and nothing listens on this machine. It asks no questions (BatchMode),
/// and ends with this, or with this program. Runs on one thread, which needs an event loop.
class SshProcess final : public QObject {
    Q_OBJECT
public:
    /// Starts at once. `endpoint` is behind ssh, and names the server itself.
    explicit SshProcess(const store::Endpoint& endpoint, QObject* parent = nullptr);
    ~SshProcess() override;

    /// Our end of a stream socket, whose other end is the server's, as soon as ssh is there: what
    /// is written before is kept. For the caller to use, not to close. -1: the system has no more.
    int descriptor() const { return m_ours; }

    /// The stream has ended: finds out why from what ssh says, for a second at most.
    void explainEnd();

Q_SIGNALS:
    /// Kind None: ssh had nothing to say.
    void explained(const lockscope::store::Problem& problem);

private:
    void start(const store::Endpoint& endpoint, int theirs);
    void conclude();

    QProcess m_process;
    QTimer m_patience;
    int m_ours = -1;
    bool m_isAsked = false;
};

/// What ssh is called with to reach the server.
QStringList sshArguments(const store::Endpoint& endpoint);

/// What its last words come to. Kind None: there are none.
store::Problem problemOfSsh(const QString& words);

} // namespace lockscope::wire
