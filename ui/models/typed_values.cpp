#include "ui/models/typed_values.h"

#include "core/kernel/base/duration_text.h"
#include "core/kernel/report/lock_fields.h"
#include "ui/models/formatting.h"
#include "ui/models/ui_text.h"

#include <QLocale>

namespace lockscope::models {

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace {

const QString kOff = u"off"_s;

} // namespace

Typed<int> typedNumber(const QString& text, int least, int most)
{
    bool isNumber = false;
    const int typed = text.trimmed().toInt(&isNumber);
    if (isNumber && typed >= least && typed <= most) {
        return typed;
    }
    return UiText::tr("Enter a whole number from %1 to %2.").arg(countText(least), countText(most));
}

Typed<Duration> typedSpan(const QString& text, Duration least, Duration most)
{
    const auto typed = lockscope::parseDuration(text.trimmed().toStdString());
    if (!typed) {
        return UiText::tr("Use a form such as 250ms, 10s or 5m.");
    }
    if (*typed < least || *typed > most) {
        return UiText::tr("Between %1 and %2.").arg(spanWord(least), spanWord(most));
    }
    return *typed;
}

Typed<Duration> typedPeriod(const QString& text, Duration most)
{
    if (text.trimmed() == kOff) {
        return Duration(0);
    }
    const Typed<Duration> typed = typedSpan(text, 1ms, most);
    return std::holds_alternative<Duration>(typed)
               ? typed
               : UiText::tr("Enter off, or a duration such as 10s.");
}

Typed<workload::Distribution> typedDistribution(const QString& text)
{
    if (const auto typed = workload::parseDistribution(text.trimmed().toStdString())) {
        return *typed;
    }
    return UiText::tr("Use a form such as 10ms, 5ms..20ms or ~20ms.");
}

Typed<double> typedShare(const QString& text)
{
    if (const auto typed = parseShare(text)) {
        return *typed;
    }
    return UiText::tr("Enter a share such as 5% or 0.5%, at most 100%.");
}

Typed<std::uint64_t> typedSeed(const QString& text)
{
    bool isNumber = false;
    const quint64 seed = text.trimmed().toULongLong(&isNumber);
    if (isNumber) {
        return std::uint64_t(seed);
    }
    return UiText::tr("Enter a whole number of at least 0.");
}

Typed<inspect::LockFilter> typedFilter(const QString& text)
{
    const std::string typed = text.trimmed().toStdString();
    if (typed.empty()) {
        return UiText::tr("Enter a filter, such as waiters>5.");
    }
    auto parsed = inspect::LockFilter::parse(typed, report::lockFilterFields());
    if (const auto* error = std::get_if<inspect::FilterError>(&parsed)) {
        return toQString(error->reason);
    }
    return std::get<inspect::LockFilter>(std::move(parsed));
}

std::optional<double> parseShare(const QString& text)
{
    QString number = text.trimmed();
    if (number.endsWith(u'%')) {
        number = number.chopped(1).trimmed();
    }
    bool isNumber = false;
    const double percent = QLocale::c().toDouble(number, &isNumber);
    const bool isShare = isNumber && percent >= 0 && percent <= 100;
    return isShare ? std::optional(percent / 100) : std::nullopt;
}

QString shareWord(double share)
{
    return QString::number(share * 100, 'g', 6) + u'%';
}

QString spanWord(Duration duration)
{
    return toQString(lockscope::durationWord(duration));
}

QString periodWord(Duration period)
{
    return period > Duration(0) ? spanWord(period) : kOff;
}

QStringList patternsOfLine(const QString& line)
{
    QStringList patterns;
    QString pattern;
    bool isEscaped = false;
    const QString closed = line + u' ';
    for (const QChar c : closed) {
        if (c.isSpace() && !isEscaped) {
            if (!pattern.isEmpty() && !patterns.contains(pattern)) {
                patterns.append(pattern);
            }
            pattern.clear();
            continue;
        }
        pattern += c;
        isEscaped = c == u'\\' && !isEscaped;
    }
    return patterns;
}

} // namespace lockscope::models
