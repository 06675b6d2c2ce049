#include "ui/widgets/locks/alerts/alert_desk.h"

#include "core/kernel/store/endpoint.h"
#include "ui/models/formatting.h"
#include "ui/models/locks/alert_report.h"
#include "ui/widgets/controls/notifier.h"

#include <algorithm>
#include <map>
#include <utility>

namespace lockscope::widgets {

using models::ActivityEntry;
using models::ActivityKind;
using models::AlertEvent;

AlertDesk::AlertDesk(Parts parts, QObject* parent) : QObject(parent), m_parts(std::move(parts))
{
    m_timer.setInterval(kTick);
    connect(&m_timer, &QTimer::timeout, this, &AlertDesk::look);
    connect(&m_parts.monitor, &service::LockMonitor::locksChanged, this,
            [this](const inspect::LockDelta& delta) {
                m_engine.apply(delta, m_parts.monitor.now());
            });
    connect(&m_parts.hooks, &service::AlertHooks::failed, this,
            [this](const QString& alert, const service::HookFailure& failure) {
                if (m_called.contains(alert)) { // the other servers share the hooks
                    noteProblem(alert, models::hookFailureText(failure));
                }
            });
}

void AlertDesk::setAlerts(const QList<models::AlertRule>& rules)
{
    m_engine.setAlerts(rules, m_parts.monitor.now());
    if (m_engine.hasAlerts()) {
        m_timer.start();
    } else {
        m_timer.stop();
    }
}

void AlertDesk::snooze(const QString& alert, Duration span)
{
    const Instant now = m_parts.monitor.now();
    m_engine.snooze(alert, now + span, now);
}

Duration AlertDesk::snoozeLeft(const QString& alert) const
{
    const Instant now = m_parts.monitor.now();
    return m_engine.snoozedUntil(alert, now).value_or(now) - now;
}

void AlertDesk::open(const std::vector<store::Endpoint>& endpoints)
{
    m_engine.forgetLocks();
    m_engine.setServers(store::namesBeside(endpoints));
}

void AlertDesk::look()
{
    std::map<QString, std::vector<AlertEvent>> fired;
    for (const AlertEvent& event : m_engine.look(m_parts.monitor.now())) {
        note(event);
        if (event.kind == AlertEvent::Kind::Fired) {
            fired[event.rule.name].push_back(event);
        }
    }
    for (const auto& [name, events] : fired) {
        pass(events.front().rule, events);
    }
}

void AlertDesk::pass(const models::AlertRule& rule, const std::vector<AlertEvent>& fired)
{
    if (rule.notifies) {
        const QString place = m_parts.place();
        m_parts.notifier.notify(place.isEmpty() ? rule.name : rule.name + u" · " + place,
                                models::alertedLocks(fired) + QChar(u'\n')
                                    + models::alertText(fired.front()));
    }
    if (rule.beeps) {
        m_parts.notifier.beep();
    }
    const std::size_t passedOn = std::min(fired.size(), kPassedOnAtMost);
    for (std::size_t i = 0; i < passedOn; ++i) {
        callHooks(fired[i]);
    }
    if (passedOn < fired.size() && !(rule.command.isEmpty() && rule.webhook.isEmpty())) {
        noteProblem(rule.name, tr("%1 more locks fired at the same time; command and webhook were "
                                  "not told of them.")
                                   .arg(models::countText(fired.size() - passedOn)));
    }
}

void AlertDesk::callHooks(const AlertEvent& event)
{
    m_called.insert(event.rule.name);
    const models::AlertContext context{m_parts.locks.serverText(event.lock->id),
                                       m_parts.locks.placeOf(event.lock->id).database,
                                       m_parts.wallTimeOf(event.at)};
    const auto command = models::typedCommand(event.rule.command);
    if (const auto* mistake = std::get_if<QString>(&command)) {
        noteProblem(event.rule.name, *mistake);
    } else if (const auto& words = std::get<QStringList>(command); !words.isEmpty()) {
        m_parts.hooks.run(event.rule.name, words, models::alertVariables(event, context));
    }
    const auto webhook = models::typedWebhook(event.rule.webhook);
    if (const auto* url = std::get_if<QUrl>(&webhook); url != nullptr && url->isValid()) {
        m_parts.hooks.post(event.rule.name, *url, models::alertJson(event, context));
    }
}

void AlertDesk::note(const AlertEvent& event)
{
    m_parts.activity.append(ActivityEntry{m_parts.wallTimeOf(event.at), ActivityKind::Alert,
                                          event.lock->id, models::alertText(event)});
}

void AlertDesk::noteProblem(const QString& alert, const QString& text)
{
    m_parts.activity.append(ActivityEntry{m_parts.wallTimeOf(m_parts.monitor.now()),
                                          ActivityKind::Problem, std::nullopt, text, alert});
}

} // namespace lockscope::widgets
