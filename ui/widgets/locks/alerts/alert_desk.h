#pragma once

#include "core/service/alert_hooks.h"
#include "core/service/lock_monitor.h"
#include "ui/models/locks/activity_model.h"
#include "ui/models/locks/alert_engine.h"
#include "ui/models/locks/lock_table_model.h"

#include <QObject>
#include <QSet>
#include <QTimer>

#include <functional>
#include <vector>

namespace lockscope::widgets {

class Notifier;

/// Has the alerts follow the watched servers, writes what becomes of them into the activity, and
/// passes it on: to the desktop, to commands, to webhooks. A paused table does not pause it.
class AlertDesk : public QObject {
    Q_OBJECT
public:
    /// How late an alert may fire.
    static constexpr std::chrono::milliseconds kTick{250};
    /// Of the locks that fire together, so many are passed to the command and the webhook of an
    /// alert: a whole server that is stuck is one matter, not a thousand processes.
    static constexpr std::size_t kPassedOnAtMost = 5;

    /// All of it outlives the desk.
    struct Parts {
        service::LockMonitor& monitor;
        service::AlertHooks& hooks;
        Notifier& notifier;
        models::ActivityModel& activity;
        const models::LockTableModel& locks; // names the servers
        std::function<WallTime(Instant)> wallTimeOf;
        std::function<QString()> place; // the server, where notifications must name it; or empty
    };

    AlertDesk(Parts parts, QObject* parent);

    void setAlerts(const QList<models::AlertRule>& rules);
    /// Other servers are watched from now on, or none.
    void open(const std::vector<store::Endpoint>& endpoints);

    /// Nothing of this name fires for so long; zero ends it.
    void snooze(const QString& alert, Duration span);
    /// Zero: it is not snoozed.
    Duration snoozeLeft(const QString& alert) const;

private:
    void look();
    void pass(const models::AlertRule& rule, const std::vector<models::AlertEvent>& fired);
    void callHooks(const models::AlertEvent& event);
    void note(const models::AlertEvent& event);
    void noteProblem(const QString& alert, const QString& text);

    Parts m_parts;
    models::AlertEngine m_engine;
    QTimer m_timer;
    QSet<QString> m_called; // the alerts whose command or webhook was called from here
};

} // namespace lockscope::widgets
