#pragma once

#include "core/kernel/base/time.h"
#include "core/kernel/inspect/filter/lock_filter.h"
#include "core/kernel/workload/distribution.h"

#include <QString>
#include <QStringList>

#include <cstdint>
#include <optional>
#include <variant>

// What the user typed into a field of a form. Spaces around it do not matter.
namespace lockscope::models {

/// The value, or one sentence that says how to write it.
template<class Value>
using Typed = std::variant<Value, QString>;

Typed<int> typedNumber(const QString& text, int least, int most);
Typed<Duration> typedSpan(const QString& text, Duration least, Duration most);
/// How often something is done, or how long at most; "off" is zero.
Typed<Duration> typedPeriod(const QString& text, Duration most);
Typed<workload::Distribution> typedDistribution(const QString& text);
/// Between 0 and 1.
Typed<double> typedShare(const QString& text);
Typed<std::uint64_t> typedSeed(const QString& text);
/// A filter of locks, for what acts on those that it lets pass: nothing typed is no filter.
Typed<inspect::LockFilter> typedFilter(const QString& text);

/// "5%", "0.5 %", also "5": between 0 and 1. nullopt for anything else.
std::optional<double> parseShare(const QString& text);
/// The inverse of parseShare(): "5%".
QString shareWord(double share);

/// "10s": what typedSpan() reads.
QString spanWord(Duration duration);
/// "off", "10s": what typedPeriod() reads.
QString periodWord(Duration period);

/// Glob patterns as they stand in one line, between spaces; a space of a name is written `\ `,
/// which means the same to Redis. Each is named once.
QStringList patternsOfLine(const QString& line);

} // namespace lockscope::models
