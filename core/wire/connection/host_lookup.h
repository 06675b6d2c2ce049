#pragma once

#include <QHostAddress>
#include <QList>
#include <QObject>
#include <QString>

#include <memory>

namespace lockscope::wire {

/// Asks the system for the addresses of a host. Never answers from memory: QHostInfo keeps answers
/// for 60 s, and a server that fails over by DNS would be looked for at its old address for so
/// long.
///
/// The system's call blocks, so it runs on a thread of its own, which outlives this if the answer
/// is no longer wanted. Attempts on one thread that begin while the same host is being looked up
/// share the answer, so a thousand clients do not ask a thousand times at once.
class HostLookup final : public QObject, public std::enable_shared_from_this<HostLookup> {
    Q_OBJECT
public:
    /// The lookup of this host that is under way on the calling thread, or a new one. Answers from
    /// the event loop.
    static std::shared_ptr<HostLookup> of(const QString& host);

    ~HostLookup() override;
    HostLookup(const HostLookup&) = delete;
    HostLookup& operator=(const HostLookup&) = delete;

Q_SIGNALS:
    /// In the order in which they should be tried. Without addresses, `error` says why.
    void answered(const QList<QHostAddress>& addresses, const QString& error);

private:
    struct Mailbox;

    explicit HostLookup(QString host);
    void start();
    void answer(const QList<QHostAddress>& addresses, const QString& error);

    const QString m_host;
    const std::shared_ptr<Mailbox> m_mailbox;
};

} // namespace lockscope::wire
