#pragma once

#include <QObject>
#include <QString>

namespace lockscope::service {

/// Where passwords are kept from one run of the program to the next, outside everything that the
/// program itself writes. Runs on the GUI thread; answers come by signals, never from within a
/// call, and may take as long as a user needs to unlock something.
class SecretStore : public QObject {
    Q_OBJECT
public:
    using QObject::QObject;
    using RequestId = quint64;

    /// Answered by fetched().
    virtual RequestId fetch(const QString& name) = 0;
    /// Answered by stored().
    virtual RequestId store(const QString& name, const QString& secret) = 0;
    /// What is not there is removed as well. Answered by stored().
    virtual RequestId remove(const QString& name) = 0;

Q_SIGNALS:
    /// `problem`: why there is no secret, as a sentence; empty when there is one, or none is kept.
    void fetched(quint64 request, const QString& secret, const QString& problem);
    /// `problem`: why nothing was changed; empty when it was.
    void stored(quint64 request, const QString& problem);
};

} // namespace lockscope::service
