#include "core/kernel/base/duration_text.h"

#include "core/kernel/base/characters.h"

#include <array>
#include <cstdio>

namespace lockscope {

namespace {

constexpr Duration kLongest = std::chrono::days(3653); // ten years with their leap days

std::size_t digitCount(std::string_view text)
{
    std::size_t count = 0;
    while (count < text.size() && isDigit(text[count])) {
        ++count;
    }
    return count;
}

std::optional<Duration> unitOf(std::string_view name)
{
    struct Unit {
        std::string_view name;
        Duration length;
    };
    static constexpr std::array<Unit, 5> kUnits{{{"ms", std::chrono::milliseconds(1)},
                                                 {"s", std::chrono::seconds(1)},
                                                 {"m", std::chrono::minutes(1)},
                                                 {"h", std::chrono::hours(1)},
                                                 {"d", std::chrono::days(1)}}};
    for (const Unit& unit : kUnits) {
        if (unit.name == name) {
            return unit.length;
        }
    }
    return std::nullopt;
}

/// A part of a unit: "25" after the point of a second is a quarter of a million microseconds.
Duration fractionOf(Duration unit, std::string_view digits)
{
    Duration sum{0};
    for (const char digit : digits) {
        // Days are divided a few times only before nothing is left, so no digit can overflow.
        sum += unit * (digit - '0') / 10;
        unit /= 10;
    }
    return sum;
}

std::string twoUnits(long long large, const char* largeUnit, long long small, const char* smallUnit)
{
    std::array<char, 48> buffer{};
    std::snprintf(buffer.data(), buffer.size(), "%lld %s %02lld %s", large, largeUnit, small,
                  smallUnit);
    return buffer.data();
}

} // namespace

std::string durationText(Duration d)
{
    const long long ms = d < Duration(0) ? 0 : toMs(d);
    const long long s = ms / 1000;
    if (s < 1) {
        return std::to_string(ms) + " ms";
    }
    if (s < 60) {
        return std::to_string(s) + '.' + std::to_string(ms % 1000 / 100) + " s";
    }
    if (s < 3600) {
        return twoUnits(s / 60, "m", s % 60, "s");
    }
    if (s < 86400) {
        return twoUnits(s / 3600, "h", s % 3600 / 60, "m");
    }
    return twoUnits(s / 86400, "d", s % 86400 / 3600, "h");
}

std::optional<Duration> parseDuration(std::string_view text)
{
    const std::string_view whole = text.substr(0, digitCount(text));
    std::string_view rest = text.substr(whole.size());
    std::string_view fraction;
    if (rest.starts_with('.')) {
        rest.remove_prefix(1);
        fraction = rest.substr(0, digitCount(rest));
        rest.remove_prefix(fraction.size());
        if (fraction.empty()) {
            return std::nullopt;
        }
    }
    const std::optional<Duration> unit = unitOf(rest);
    if (whole.empty() || !unit) {
        return std::nullopt;
    }
    Duration::rep count = 0;
    for (const char digit : whole) {
        count = count * 10 + (digit - '0');
        if (count > kLongest / *unit) {
            return std::nullopt;
        }
    }
    const Duration sum = *unit * count + fractionOf(*unit, fraction);
    return sum <= kLongest ? std::optional(sum) : std::nullopt;
}

std::string durationWord(Duration d)
{
    struct Unit {
        const char* name;
        Duration length;
    };
    static constexpr std::array<Unit, 4> kUnits{{{"h", std::chrono::hours(1)},
                                                 {"m", std::chrono::minutes(1)},
                                                 {"s", std::chrono::seconds(1)},
                                                 {"ms", std::chrono::milliseconds(1)}}};
    for (const Unit& unit : kUnits) {
        if (d.count() > 0 && d % unit.length == Duration(0)) {
            return std::to_string(d / unit.length) + unit.name;
        }
    }
    // A fraction of seconds, or of milliseconds below one second.
    const bool isSeconds = d >= std::chrono::seconds(1);
    const Duration::rep unit = isSeconds ? 1'000'000 : 1'000;
    std::string fraction = std::to_string(unit + d.count() % unit).substr(1);
    fraction.erase(fraction.find_last_not_of('0') + 1);
    std::string text = std::to_string(d.count() / unit);
    if (!fraction.empty()) {
        text.append(".").append(fraction);
    }
    return text + (isSeconds ? "s" : "ms");
}

} // namespace lockscope
