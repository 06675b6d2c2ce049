#pragma once

#include <QRegularExpression>
#include <QString>
#include <QStringList>

namespace lockscope::widgets {

/// The words of what is asked for. Chinese writes none: a phrase of it is one word.
QStringList searchWords(const QString& wanted);

/// Whether a page in Markdown has all of the words, as its reader sees it: whatever is bold, code
/// or a link, and with or without a space between Chinese and other letters.
bool hasWords(const QString& markdown, const QStringList& words);

/// What is asked for as it stands, where the plain text of a page has it so; else each of its
/// words. Not to be called without a word.
QRegularExpression searchPattern(const QString& wanted, const QString& plainText);

} // namespace lockscope::widgets
