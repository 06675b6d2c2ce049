#pragma once

#include "core/service/alert_hooks.h"
#include "ui/models/locks/alert_engine.h"
#include "ui/models/typed_values.h"

#include <QMap>
#include <QString>
#include <QStringList>
#include <QUrl>

// What an alert says, and to whom, as texts and values.
namespace lockscope::models {

/// A program and its arguments as typed in one line; double quotes keep spaces. Empty for an empty
/// line. The program has to be there.
Typed<QStringList> typedCommand(const QString& text);

/// An http or https address; an invalid one for an empty line. It may hold no password, because it
/// is kept in a file.
Typed<QUrl> typedWebhook(const QString& text);

/// The first thing that is wrong with what was typed, as a sentence; empty when nothing is.
QString mistakeOf(const AlertRule& rule);

/// What is told of an event besides the event.
struct AlertContext {
    QString server; // of the lock
    int database = 0;
    WallTime at{};
};

/// "queue: waiters>5 for 30.0 s"
QString alertText(const AlertEvent& event);

/// "order:1 and 3 more": of events of one alert, at least one.
QString alertedLocks(const std::vector<AlertEvent>& events);

/// LOCKSCOPE_ALERT, LOCKSCOPE_KEY and so on, for a command. Bytes that are not text are escaped.
QMap<QString, QString> alertVariables(const AlertEvent& event, const AlertContext& context);

/// One object: alert, filter, matchedForMs, at, and the lock as `list --format json` has it.
QByteArray alertJson(const AlertEvent& event, const AlertContext& context);

/// "The command exited with status 3."
QString hookFailureText(const service::HookFailure& failure);

} // namespace lockscope::models
