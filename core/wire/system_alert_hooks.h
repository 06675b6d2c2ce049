#pragma once

#include "core/service/alert_hooks.h"

#include <chrono>

class QNetworkAccessManager;
class QNetworkReply;
class QProcess;

namespace lockscope::wire {

/// Alert hooks as processes of this machine and HTTP requests from it.
class SystemAlertHooks final : public service::AlertHooks {
    Q_OBJECT
public:
    /// So many processes, and so many requests, at a time.
    static constexpr int kAtOnce = 8;

    struct Limits {
        std::chrono::milliseconds process = std::chrono::seconds(30); // then it is killed
        std::chrono::milliseconds request = std::chrono::seconds(10);
    };

    explicit SystemAlertHooks(QObject* parent = nullptr);
    explicit SystemAlertHooks(const Limits& limits, QObject* parent = nullptr);
    /// Kills the processes that still run.
    ~SystemAlertHooks() override;

    void run(const QString& alert, const QStringList& words,
             const QMap<QString, QString>& variables) override;
    void post(const QString& alert, const QUrl& url, const QByteArray& json) override;

private:
    void followProcess(const QString& alert, QProcess& process);
    void takeReply(const QString& alert, QNetworkReply& reply);
    void failLater(const QString& alert, const service::HookFailure& failure);

    Limits m_limits;
    QNetworkAccessManager* m_network = nullptr; // made for the first request
    int m_processCount = 0;
    int m_requestCount = 0;
};

} // namespace lockscope::wire
