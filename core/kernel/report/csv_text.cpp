#include "core/kernel/report/csv_text.h"

#include "core/kernel/base/printable.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace lockscope::report {

namespace {

/// What spreadsheets begin a formula with, or skip before one; the wide forms where such keyboards
/// are in use.
constexpr std::array<std::string_view, 11> kFormulaSigns{"=",      "+",      "-",     "@",
                                                         "\t",     "\r",     "\n",    "\uff1d",
                                                         "\uff0b", "\uff0d", "\uff20"};

/// "-5", "-1.5e-07": nothing is calculated there.
bool isNegativeNumber(std::string_view field)
{
    double number = 0;
    const char* const end = field.data() + field.size();
    return field.starts_with('-') && std::from_chars(field.data(), end, number).ptr == end
           && field.find_first_not_of("0123456789.e+-") == std::string_view::npos; // "-inf" is a
                                                                                   // word
}

} // namespace

std::string csvGuarded(std::string_view text)
{
    const bool isFormula = std::ranges::any_of(kFormulaSigns,
                                               [text](std::string_view sign) {
                                                   return text.starts_with(sign);
                                               })
                           && !isNegativeNumber(text);
    return isFormula ? "'" + std::string(text) : std::string(text);
}

std::string csvField(std::string_view text)
{
    std::string field = csvGuarded(printable(text));
    if (field.find_first_of(",\"\r\n") == std::string::npos) {
        return field;
    }
    std::string out = "\"";
    for (const char c : field) {
        out += c == '"' ? std::string_view("\"\"") : std::string_view(&c, 1);
    }
    return out + '"';
}

} // namespace lockscope::report
