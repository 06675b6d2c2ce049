#include "report/csv_text.h"

#include <algorithm>
#include <array>

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
    return field.size() > 1 && field[0] == '-' && field[1] >= '0' && field[1] <= '9'
           && field.find_first_not_of("0123456789.e+-", 1) == std::string_view::npos
           && field.find_first_of("+-", 1) == field.find_last_of("+-")
           && (field.find_first_of("+-", 1) == std::string_view::npos
               || field[field.find_first_of("+-", 1) - 1] == 'e');
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
    const std::string field = csvGuarded(text);
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
