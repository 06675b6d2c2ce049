#include "cli/option_values.h"

#include <charconv>
#include <string>
#include <system_error>

namespace lockscope::cli {

using app::ArgumentError;
using app::inQuotes;
using app::Words;

namespace {

template<class Number>
std::optional<Number> wholly(std::string_view text)
{
    Number number{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc() && end == text.data() + text.size() ? std::optional(number)
                                                                    : std::nullopt;
}

ArgumentError isNot(std::string_view option, std::string_view text, std::string_view what)
{
    return {"--" + std::string(option) + ": " + inQuotes(text) + " is not " + std::string(what)};
}

} // namespace

std::variant<std::uint64_t, ArgumentError> numberOption(const Words& words, std::string_view option,
                                                        std::uint64_t fallback, std::uint64_t min,
                                                        std::uint64_t max)
{
    const std::optional<std::string> text = words.value(option);
    if (!text) {
        return fallback;
    }
    const auto number = wholly<std::uint64_t>(*text);
    if (!number || *number < min || *number > max) {
        return isNot(option, *text,
                     "a number between " + std::to_string(min) + " and " + std::to_string(max));
    }
    return *number;
}

std::variant<std::string, ArgumentError> fileOption(const Words& words, std::string_view option)
{
    std::string name = words.value(option).value_or("");
    if (words.has(option) && name.empty()) {
        return ArgumentError{"--" + std::string(option) + ": the name of the file is empty"};
    }
    return name;
}

std::optional<double> parseShare(std::string_view text)
{
    const bool isPercentage = text.ends_with('%');
    text.remove_suffix(isPercentage ? 1 : 0);
    const auto number = wholly<double>(text);
    if (!number) {
        return std::nullopt;
    }
    const double share = isPercentage ? *number / 100.0 : *number;
    return share >= 0.0 && share <= 1.0 ? std::optional(share) : std::nullopt; // no NaN either
}

std::variant<double, ArgumentError> shareOption(const Words& words, std::string_view option,
                                                double fallback)
{
    const std::optional<std::string> text = words.value(option);
    if (!text) {
        return fallback;
    }
    const std::optional<double> share = parseShare(*text);
    if (!share) {
        return isNot(option, *text, "a share; write 5% or 0.05, from 0% to 100%");
    }
    return *share;
}

std::variant<workload::Distribution, ArgumentError> distributionOption(
    const Words& words, std::string_view option, const workload::Distribution& fallback)
{
    const std::optional<std::string> text = words.value(option);
    if (!text) {
        return fallback;
    }
    const auto distribution = workload::parseDistribution(*text);
    if (!distribution) {
        return isNot(option, *text,
                     "a time; write 10ms, 5ms..20ms (evenly between) or ~20ms (exponential)");
    }
    return *distribution;
}

} // namespace lockscope::cli
