#include "report/csv_text.h"

namespace lockscope::report {

std::string csvQuoted(std::string_view field)
{
    if (field.find_first_of(",\"\r\n") == std::string_view::npos) {
        return std::string(field);
    }
    std::string out = "\"";
    for (const char c : field) {
        out += c == '"' ? std::string_view("\"\"") : std::string_view(&c, 1);
    }
    return out + '"';
}

} // namespace lockscope::report
