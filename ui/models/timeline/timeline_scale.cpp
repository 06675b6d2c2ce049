#include "ui/models/timeline/timeline_scale.h"

#include <QStringList>

#include <algorithm>
#include <array>
#include <cmath>

namespace lockscope::models {

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace {

using Days = std::chrono::duration<std::int64_t, std::ratio<86'400>>;

/// What a clock calls round beyond ten seconds.
constexpr std::array<Duration, 16> kClockSteps{15s,   30s,   1min,    2min,    5min, 10min,
                                               15min, 30min, 1h,      2h,      6h,   12h,
                                               24h,   48h,   Days(5), Days(10)};

bool isUsable(VisibleRange range, double width)
{
    return !range.isEmpty() && std::isfinite(width) && width > 0;
}

/// Not below `least`, which is at most `last`; `last` is a power of ten.
Duration decimalStep(Duration least, Duration last)
{
    for (Duration decade = 1us; decade < last; decade *= 10) {
        for (const int digit : {1, 2, 5}) {
            if (decade * digit >= least) {
                return decade * digit;
            }
        }
    }
    return last;
}

/// The first multiple of `step` that is not before `at`, which may be before the beginning.
Instant multipleFrom(Instant at, Duration step)
{
    const Duration past = at.time_since_epoch() % step;
    if (past == 0us) {
        return at;
    }
    return past > 0us ? at + (step - past) : at - past;
}

/// The digits behind the point without the zeros at their end.
QString shortest(std::int64_t count, std::int64_t unit)
{
    QString text = QString::number(count / unit);
    if (const std::int64_t rest = count % unit; rest != 0) {
        QString digits = QString::number(unit + rest).mid(1);
        while (digits.endsWith(u'0')) {
            digits.chop(1);
        }
        text += u'.' + digits;
    }
    return text;
}

QString clockText(std::int64_t us)
{
    constexpr std::int64_t kSecond = 1'000'000;
    constexpr std::int64_t kMinute = 60 * kSecond;
    QStringList parts;
    if (us >= 60 * kMinute) {
        parts += u"%1 h"_s.arg(us / (60 * kMinute));
    }
    if (const std::int64_t minutes = us / kMinute % 60; minutes != 0) {
        parts += u"%1 min"_s.arg(minutes);
    }
    if (const std::int64_t rest = us % kMinute; rest != 0) {
        parts += u"%1 s"_s.arg(shortest(rest, kSecond));
    }
    return parts.join(u' ');
}

} // namespace

double xOf(Instant at, VisibleRange range, double width)
{
    if (!isUsable(range, width)) {
        return 0;
    }
    return static_cast<double>((at - range.from).count())
           / static_cast<double>(range.length().count()) * width;
}

Instant instantAt(double x, VisibleRange range, double width)
{
    if (!isUsable(range, width) || !std::isfinite(x)) {
        return range.from;
    }
    const double us = x / width * static_cast<double>(range.length().count());
    return range.from + Duration(std::llround(us));
}

Duration tickStep(Duration least)
{
    if (least <= 10s) {
        return decimalStep(least, 10s);
    }
    const auto* const step = std::ranges::lower_bound(kClockSteps, least);
    if (step != kClockSteps.end()) {
        return *step;
    }
    Duration decade = kClockSteps.back();
    while (decade * 10 < least) {
        decade *= 10;
    }
    for (const int digit : {2, 5}) {
        if (decade * digit >= least) {
            return decade * digit;
        }
    }
    return decade * 10;
}

std::vector<Tick> ticks(VisibleRange range, double width, double pixelsBetweenMin)
{
    std::vector<Tick> found;
    if (!isUsable(range, width)) {
        return found;
    }
    const double apart = std::isfinite(pixelsBetweenMin) ? std::max(pixelsBetweenMin, 1.0) : width;
    const double leastUs = static_cast<double>(range.length().count()) * apart / width;
    const Duration step = tickStep(Duration(std::llround(std::ceil(leastUs))));
    for (Instant at = multipleFrom(range.from, step); at <= range.to; at += step) {
        found.push_back({at, xOf(at, range, width)});
    }
    return found;
}

QString tickText(Instant at)
{
    const std::int64_t signedUs = at.time_since_epoch().count();
    const std::int64_t us = std::abs(signedUs);
    const QString sign = signedUs < 0 ? u"-"_s : QString();
    if (us == 0) {
        return u"0 s"_s;
    }
    if (us < 1'000) {
        return sign + u"%1 µs"_s.arg(us);
    }
    if (us < 1'000'000) {
        return sign + u"%1 ms"_s.arg(shortest(us, 1'000));
    }
    return sign + clockText(us);
}

QString exactTimeText(Duration time)
{
    const std::int64_t us = std::abs(time.count());
    const QString sign = time < 0us ? u"-"_s : QString();
    QString digits = QString::number(1'000'000 + us % 1'000'000).mid(1);
    if (us % 1'000 == 0) {
        digits.chop(3);
    }
    return u"%1%2.%3 s"_s.arg(sign).arg(us / 1'000'000).arg(digits);
}

QString storyTimeText(Instant at)
{
    const auto seconds = static_cast<double>(at.time_since_epoch().count()) / 1e6;
    return u"%1 s"_s.arg(seconds, 0, 'f', 3);
}

namespace {

QString plusOf(Instant at, const TimeReference& reference)
{
    return reference && at > *reference ? u"+"_s : QString();
}

/// How long before the reference the run began.
Duration ahead(const TimeReference& reference)
{
    return reference.value_or(Instant{}).time_since_epoch();
}

} // namespace

QString tickText(Instant at, const TimeReference& reference)
{
    return plusOf(at, reference) + tickText(at - ahead(reference));
}

QString exactTimeText(Instant at, const TimeReference& reference)
{
    return plusOf(at, reference) + exactTimeText((at - ahead(reference)).time_since_epoch());
}

std::vector<Tick> ticks(VisibleRange range, double width, double pixelsBetweenMin,
                        const TimeReference& reference)
{
    const Duration shift = ahead(reference);
    std::vector<Tick> found = ticks({range.from - shift, range.to - shift}, width,
                                    pixelsBetweenMin);
    for (Tick& tick : found) {
        tick.at += shift;
    }
    return found;
}

} // namespace lockscope::models
