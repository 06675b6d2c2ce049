#pragma once

#include <QLocale>
#include <QString>
#include <QStringList>

namespace lockscope::widgets {

/// The languages of the window: English, and those with a file in resources/translations.
QStringList knownLanguages(); // "en", "zh_CN"

/// The language that fits best: the first of those that the user prefers, most preferred first,
/// that we know. Simplified Chinese is not taken for who reads Traditional only.
QString languageFor(const QStringList& preferred);

/// From now on the program speaks the language: its own texts, those of the kernel and those of
/// Qt's dialogs, as far as Qt's translations are installed. Before the first text is shown, and
/// before other threads begin; without an effect for English.
void speak(const QString& language);

} // namespace lockscope::widgets
