#include "core/kernel/sim/number_text.h"

#include "core/kernel/base/characters.h"

#include <array>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>

namespace lockscope::sim {

namespace {

bool isBlank(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

/// Whatever they are, the number is one of 64 bits.
constexpr std::size_t kDigitsThatFit = 18;

/// Whole numbers below this have at most 16 digits, which "%.17g" writes out in full.
constexpr double kPlainBelow = 1e16;

} // namespace

/// As string2ll() in Redis' util.c: no blanks, no plus sign, no zeros in front.
std::optional<std::int64_t> parseInteger(std::string_view text)
{
    const std::string_view digits = text.substr(text.starts_with('-') ? 1 : 0);
    if (text == "0") {
        return 0;
    }
    if (digits.empty() || digits.front() < '1' || digits.front() > '9') {
        return std::nullopt;
    }
    std::int64_t value = 0;
    if (digits.size() <= kDigitsThatFit) { // most are; each command has one, and scripts have more
        for (const char c : digits) {
            if (!isDigit(c)) {
                return std::nullopt;
            }
            value = value * 10 + (c - '0');
        }
        return digits.size() == text.size() ? value : -value;
    }
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size()) {
        return std::nullopt;
    }
    return value;
}

/// As string2d() in util.c.
std::optional<double> parseScore(std::string_view text)
{
    if (const auto whole = parseInteger(text)) {
        return static_cast<double>(*whole);
    }
    if (text.empty() || isBlank(text.front())) {
        return std::nullopt;
    }
    const Bytes terminated(text);
    char* end = nullptr;
    errno = 0;
    const double value = std::strtod(terminated.c_str(), &end);
    const bool isOutOfRange = errno == ERANGE
                              && (value == HUGE_VAL || value == -HUGE_VAL || value == 0);
    if (end != terminated.c_str() + terminated.size() || isOutOfRange || std::isnan(value)) {
        return std::nullopt;
    }
    return value;
}

/// As zslParseRange() in t_zset.c, which is not as strict as the parser of scores: blanks in front
/// pass, and nothing at all is 0.
std::optional<double> parseScoreBound(std::string_view text)
{
    const Bytes terminated(text);
    char* end = nullptr;
    const double value = std::strtod(terminated.c_str(), &end);
    if (*end != '\0' || std::isnan(value)) {
        return std::nullopt;
    }
    return value;
}

std::optional<long double> parseSeconds(std::string_view text)
{
    if (text.empty() || isBlank(text.front())) {
        return std::nullopt;
    }
    const Bytes terminated(text);
    char* end = nullptr;
    const long double value = std::strtold(terminated.c_str(), &end);
    if (end != terminated.c_str() + terminated.size() || !std::isfinite(value)
        || std::fabs(value) > 1e15L) {
        return std::nullopt;
    }
    return value;
}

/// As string2ld() in util.c.
std::optional<long double> parseLongDouble(std::string_view text)
{
    constexpr std::size_t kLongest = 5 * 1024;
    if (text.empty() || isBlank(text.front()) || text.size() >= kLongest) {
        return std::nullopt;
    }
    const Bytes terminated(text);
    char* end = nullptr;
    errno = 0;
    const long double value = std::strtold(terminated.c_str(), &end);
    const bool isOutOfRange = errno == ERANGE && (std::isinf(value) || value == 0);
    if (end != terminated.c_str() + terminated.size() || isOutOfRange || std::isnan(value)) {
        return std::nullopt;
    }
    return value;
}

/// As ld2string() in util.c, in its form for people.
Bytes formatLongDouble(long double number)
{
    constexpr int kDigits = 17;
    constexpr std::size_t kLongest = 5 * 1024;
    std::array<char, kLongest> text{};
    const int length = std::snprintf(text.data(), text.size(), "%.*Lf", kDigits, number);
    std::string_view digits(text.data(), static_cast<std::size_t>(length));
    digits = digits.substr(0, digits.find_last_not_of('0') + 1);
    if (digits.ends_with('.')) {
        digits.remove_suffix(1);
    }
    return Bytes(digits == "-0" ? "0" : digits);
}

Bytes formatScore(double score)
{
    if (std::isinf(score)) {
        return score > 0 ? "inf" : "-inf";
    }
    return formatScriptNumber(score);
}

Bytes formatScriptNumber(double number)
{
    // Most scores are counts and instants; the general way is ten times as slow.
    if (std::fabs(number) < kPlainBelow && number == std::trunc(number)
        && !(number == 0 && std::signbit(number))) {
        return std::to_string(static_cast<std::int64_t>(number));
    }
    std::array<char, 40> buffer;
    const int length = std::snprintf(buffer.data(), buffer.size(), "%.17g", number);
    return {buffer.data(), static_cast<std::size_t>(length)};
}

} // namespace lockscope::sim
