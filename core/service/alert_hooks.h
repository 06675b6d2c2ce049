#pragma once

#include <QByteArray>
#include <QMap>
#include <QObject>
#include <QString>
#include <QStringList>
#include <QUrl>

namespace lockscope::service {

/// How a hook ended that did not go well.
struct HookFailure {
    enum class Kind {
        NotStarted, // `detail`: why
        Crashed,
        ExitStatus, // `code`
        NotSent,    // `detail`: why
        HttpStatus, // `code`
        TimedOut,
        TooMany, // others are still under way
    };

    Kind kind = Kind::NotStarted;
    int code = 0;
    QString detail{}; // technical, in the words of the system

    friend bool operator==(const HookFailure&, const HookFailure&) = default;
};

/// What an alert sets going outside of the program. Runs on the GUI thread and never waits;
/// failures come by signal, never from within a call. What goes well is not spoken of.
class AlertHooks : public QObject {
    Q_OBJECT
public:
    using QObject::QObject;

    /// Starts the program `words[0]` with the other words as its arguments, as they are: no shell
    /// reads them. `variables` are added to the environment. Its input is empty and its output is
    /// discarded.
    virtual void run(const QString& alert, const QStringList& words,
                     const QMap<QString, QString>& variables) = 0;

    /// Sends the JSON by POST. Redirections are not followed.
    virtual void post(const QString& alert, const QUrl& url, const QByteArray& json) = 0;

Q_SIGNALS:
    /// `alert`: as it was handed in.
    void failed(const QString& alert, const lockscope::service::HookFailure& failure);
};

} // namespace lockscope::service
