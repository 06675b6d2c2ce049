#include "ui/widgets/help/help_search.h"

#include <algorithm>

namespace lockscope::widgets {

using namespace Qt::StringLiterals;

namespace {

bool isChinese(QChar letter)
{
    return letter.script() == QChar::Script_Han;
}

/// A space beside a Chinese letter is a matter of taste: "Redis 锁" is "Redis锁".
QString patternOf(QString words)
{
    static const QRegularExpression kLooseSpace(u"(?<=\\p{Han}) | (?=\\p{Han})"_s);
    words.remove(kLooseSpace);
    QString pattern;
    QChar before;
    for (const QChar letter : words) {
        if (!before.isNull() && (isChinese(before) || isChinese(letter))) {
            pattern += u"\\s*"_s;
        }
        pattern += letter.isLowSurrogate() ? QString(letter)
                                           : QRegularExpression::escape(QString(letter));
        before = letter;
    }
    return pattern;
}

QRegularExpression expressionOf(const QStringList& alternatives)
{
    QStringList patterns;
    for (const QString& words : alternatives) {
        patterns += patternOf(words);
    }
    return QRegularExpression(patterns.join(u'|'), QRegularExpression::CaseInsensitiveOption);
}

/// Without the marks and the targets of links.
QString withoutMarks(QString markdown)
{
    static const QRegularExpression kMarks(u"[*`]|\\]\\([^)\\s]+\\)|\\["_s);
    return markdown.remove(kMarks);
}

} // namespace

QStringList searchWords(const QString& wanted)
{
    return wanted.simplified().split(u' ', Qt::SkipEmptyParts);
}

bool hasWords(const QString& markdown, const QStringList& words)
{
    const QString text = withoutMarks(markdown);
    return std::ranges::all_of(words, [&](const QString& word) {
        const QRegularExpression expression = expressionOf({word});
        return text.contains(expression) || markdown.contains(expression); // "job:*"
    });
}

QRegularExpression searchPattern(const QString& wanted, const QString& plainText)
{
    QRegularExpression whole = expressionOf({wanted.simplified()});
    return plainText.contains(whole) ? whole : expressionOf(searchWords(wanted));
}

} // namespace lockscope::widgets
