#include "core/wire/system_alert_hooks.h"

#include <QNetworkAccessManager>
#include <QNetworkReply>
#include <QNetworkRequest>
#include <QProcess>
#include <QTimer>

namespace lockscope::wire {

using Failure = service::HookFailure;

SystemAlertHooks::SystemAlertHooks(QObject* parent) : SystemAlertHooks(Limits(), parent)
{}

SystemAlertHooks::SystemAlertHooks(const Limits& limits, QObject* parent)
    : AlertHooks(parent),
      m_limits(limits)
{}

/// The processes go first: they must not report to an object that is half destroyed.
SystemAlertHooks::~SystemAlertHooks()
{
    for (QProcess* process : findChildren<QProcess*>()) {
        process->disconnect(this);
        delete process;
    }
    delete m_network;
}

void SystemAlertHooks::run(const QString& alert, const QStringList& words,
                           const QMap<QString, QString>& variables)
{
    if (m_processCount >= kAtOnce) {
        failLater(alert, {Failure::Kind::TooMany});
        return;
    }
    auto* process = new QProcess(this);
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    for (auto variable = variables.begin(); variable != variables.end(); ++variable) {
        environment.insert(variable.key(), variable.value());
    }
    process->setProcessEnvironment(environment);
    process->setStandardInputFile(QProcess::nullDevice());
    process->setStandardOutputFile(QProcess::nullDevice());
    process->setStandardErrorFile(QProcess::nullDevice());
    process->setProgram(words.value(0));
    process->setArguments(words.mid(1));
    ++m_processCount;
    followProcess(alert, *process);
    // Even what cannot be started is told later.
    QTimer::singleShot(0, process, [process] { process->start(); });
}

void SystemAlertHooks::followProcess(const QString& alert, QProcess& process)
{
    const auto end = [this, &process] {
        --m_processCount;
        process.disconnect(this);
        process.deleteLater();
    };
    connect(&process, &QProcess::errorOccurred, this,
            [this, alert, end, &process](QProcess::ProcessError error) {
                if (error == QProcess::FailedToStart) {
                    const QString why = process.errorString();
                    end();
                    Q_EMIT failed(alert, {Failure::Kind::NotStarted, 0, why});
                }
            });
    auto* limit = new QTimer(&process);
    limit->setSingleShot(true);
    connect(limit, &QTimer::timeout, &process, &QProcess::kill);
    limit->start(m_limits.process);
    connect(&process, &QProcess::finished, this,
            [this, alert, end, limit](int code, QProcess::ExitStatus status) {
                const bool wasInTime = limit->isActive();
                end();
                if (status == QProcess::CrashExit) {
                    Q_EMIT failed(alert,
                                  {wasInTime ? Failure::Kind::Crashed : Failure::Kind::TimedOut});
                } else if (code != 0) {
                    Q_EMIT failed(alert, {Failure::Kind::ExitStatus, code});
                }
            });
}

void SystemAlertHooks::post(const QString& alert, const QUrl& url, const QByteArray& json)
{
    if (m_requestCount >= kAtOnce) {
        failLater(alert, {Failure::Kind::TooMany});
        return;
    }
    if (m_network == nullptr) {
        m_network = new QNetworkAccessManager(this);
    }
    QNetworkRequest request(url);
    request.setHeader(QNetworkRequest::ContentTypeHeader, QByteArray("application/json"));
    request.setAttribute(QNetworkRequest::RedirectPolicyAttribute,
                         QNetworkRequest::ManualRedirectPolicy);
    request.setTransferTimeout(static_cast<int>(m_limits.request.count()));
    QNetworkReply* reply = m_network->post(request, json);
    ++m_requestCount;
    connect(reply, &QNetworkReply::finished, this,
            [this, alert, reply] { takeReply(alert, *reply); });
}

void SystemAlertHooks::takeReply(const QString& alert, QNetworkReply& reply)
{
    --m_requestCount;
    reply.deleteLater();
    const int status = reply.attribute(QNetworkRequest::HttpStatusCodeAttribute).toInt();
    constexpr int kHundred = 100;
    if (status != 0 && status / kHundred != 2) {
        Q_EMIT failed(alert, {Failure::Kind::HttpStatus, status});
    } else if (reply.error() == QNetworkReply::OperationCanceledError) {
        Q_EMIT failed(alert, {Failure::Kind::TimedOut}); // only the time limit cancels
    } else if (reply.error() != QNetworkReply::NoError) {
        Q_EMIT failed(alert, {Failure::Kind::NotSent, 0, reply.errorString()});
    }
}

void SystemAlertHooks::failLater(const QString& alert, const Failure& failure)
{
    QTimer::singleShot(0, this, [this, alert, failure] { Q_EMIT failed(alert, failure); });
}

} // namespace lockscope::wire
