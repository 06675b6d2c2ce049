#include "ui/models/locks/alert_report.h"

#include "core/kernel/report/lock_json.h"
#include "ui/models/formatting.h"
#include "ui/models/ui_text.h"

#include <QProcess>
#include <QStandardPaths>

namespace lockscope::models {

using namespace Qt::StringLiterals;

namespace {

template<class Value>
QString refusalOf(const Typed<Value>& typed)
{
    const QString* const refusal = std::get_if<QString>(&typed);
    return refusal != nullptr ? *refusal : QString();
}

qint64 millisecondsOf(Duration duration)
{
    return std::chrono::duration_cast<std::chrono::milliseconds>(duration).count();
}

} // namespace

Typed<QStringList> typedCommand(const QString& text)
{
    QStringList words = QProcess::splitCommand(text);
    if (words.isEmpty() || !QStandardPaths::findExecutable(words.constFirst()).isEmpty()) {
        return words;
    }
    return UiText::tr("There is no program %1.").arg(words.constFirst());
}

Typed<QUrl> typedWebhook(const QString& text)
{
    if (text.trimmed().isEmpty()) {
        return QUrl();
    }
    QUrl url(text.trimmed(), QUrl::StrictMode);
    const bool isHttp = url.scheme() == u"https" || url.scheme() == u"http";
    if (!url.isValid() || !isHttp || url.host().isEmpty()) {
        return UiText::tr("Enter an address that begins with https:// or http://.");
    }
    if (!url.userInfo().isEmpty()) {
        return UiText::tr("Leave out name and password: the address is kept in a file.");
    }
    return url;
}

QString mistakeOf(const AlertRule& rule)
{
    for (const QString& mistake :
         {refusalOf(typedFilter(rule.filter)), refusalOf(typedCommand(rule.command)),
          refusalOf(typedWebhook(rule.webhook))}) {
        if (!mistake.isEmpty()) {
            return mistake;
        }
    }
    return {};
}

QString alertText(const AlertEvent& event)
{
    const QString what = event.kind == AlertEvent::Kind::Fired
                             ? UiText::tr("%1: %2 for %3")
                             : UiText::tr("%1 is over: %2 for %3");
    return what.arg(event.rule.name, event.rule.filter, durationText(event.at - event.since));
}

QString alertedLocks(const std::vector<AlertEvent>& events)
{
    const QString first = bytesText(events.front().lock->id.name);
    return events.size() == 1
               ? first
               : UiText::tr("%1 and %2 more").arg(first, countText(events.size() - 1));
}

QMap<QString, QString> alertVariables(const AlertEvent& event, const AlertContext& context)
{
    const inspect::LockRecord& lock = *event.lock;
    return {
        {u"LOCKSCOPE_ALERT"_s, event.rule.name},
        {u"LOCKSCOPE_FILTER"_s, event.rule.filter},
        {u"LOCKSCOPE_MATCHED_MS"_s, QString::number(millisecondsOf(event.at - event.since))},
        {u"LOCKSCOPE_KEY"_s, bytesText(lock.id.name)},
        {u"LOCKSCOPE_OWNER"_s, isOwnerKnown(lock) ? ownerText(lock) : QString()},
        {u"LOCKSCOPE_SERVER"_s, context.server},
        {u"LOCKSCOPE_DATABASE"_s, QString::number(context.database)},
        {u"LOCKSCOPE_WAITERS"_s, lock.waiters ? QString::number(*lock.waiters) : QString()},
        {u"LOCKSCOPE_JSON"_s, QString::fromUtf8(alertJson(event, context))},
    };
}

QByteArray alertJson(const AlertEvent& event, const AlertContext& context)
{
    const report::Json json{
        {"alert", event.rule.name.toStdString()},
        {"filter", event.rule.filter.toStdString()},
        {"matchedForMs", millisecondsOf(event.at - event.since)},
        {"at", report::isoTime(context.at)},
        {"lock",
         report::lockJson(*event.lock, context.server.toStdString(), context.database, event.at)},
    };
    return QByteArray::fromStdString(json.dump());
}

QString hookFailureText(const service::HookFailure& failure)
{
    using Kind = service::HookFailure::Kind;
    switch (failure.kind) {
    case Kind::NotStarted:
        return UiText::tr("The command could not be started: %1").arg(failure.detail);
    case Kind::Crashed: return UiText::tr("The command crashed.");
    case Kind::ExitStatus:
        return UiText::tr("The command exited with status %1.").arg(failure.code);
    case Kind::NotSent: return UiText::tr("The webhook was not reached: %1").arg(failure.detail);
    case Kind::HttpStatus:
        return UiText::tr("The webhook answered with HTTP status %1.").arg(failure.code);
    case Kind::TimedOut: return UiText::tr("It took too long and was stopped.");
    case Kind::TooMany: break;
    }
    return UiText::tr("Too many commands and webhooks are running; this one was skipped.");
}

} // namespace lockscope::models
