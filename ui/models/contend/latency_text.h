#pragma once

#include "core/kernel/base/time.h"

#include <QString>

namespace lockscope::models {

/// A measured time with three digits: "48 µs", "1.93 ms", "28.4 ms", "1.24 s"; from a minute on as
/// other times are shown. Unlike a countdown it is rounded.
QString latencyText(Duration duration);

/// "206", "8.41", "12,400": a rate or a ratio with about three digits.
QString numberText(double number);

} // namespace lockscope::models
