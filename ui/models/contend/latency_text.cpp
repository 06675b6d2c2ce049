#include "ui/models/contend/latency_text.h"

#include "ui/models/formatting.h"

#include <cmath>

namespace lockscope::models {

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace {

QString withThreeDigits(double number)
{
    const double size = std::abs(number);
    const int decimals = size < 9.995 ? 2 : size < 99.95 ? 1 : 0;
    return QString::number(number, 'f', decimals);
}

} // namespace

QString latencyText(Duration duration)
{
    if (duration < 1ms) {
        return u"%1 µs"_s.arg(duration.count());
    }
    if (duration < 999'500us) { // what rounds to a second is one
        return withThreeDigits(static_cast<double>(duration.count()) / 1e3) + u" ms"_s;
    }
    if (duration < 1min) {
        return withThreeDigits(static_cast<double>(duration.count()) / 1e6) + u" s"_s;
    }
    return durationText(duration);
}

QString numberText(double number)
{
    return std::abs(number) < 999.5 ? withThreeDigits(number) : countText(std::llround(number));
}

} // namespace lockscope::models
