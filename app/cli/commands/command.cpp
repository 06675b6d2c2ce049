#include "app/cli/commands/command.h"

#include <utility>

namespace lockscope::cli {

void declareFormat(app::OptionSet& options, Format& format, std::initializer_list<Format> formats,
                   std::string_view help)
{
    static constexpr std::pair<std::string_view, Format> kNames[] = {
        {"text", Format::Text}, {"table", Format::Table},       {"json", Format::Json},
        {"csv", Format::Csv},   {"markdown", Format::Markdown}, {"junit", Format::Junit}};
    std::vector<std::pair<std::string_view, Format>> choices;
    for (const Format possible : formats) {
        for (const auto& name : kNames) {
            if (name.second == possible) {
                choices.push_back(name);
            }
        }
    }
    format = choices.front().second;
    const std::string usual = "Output format (" + std::string(choices.front().first) + ").";
    options.addChoice("format", format, choices, help.empty() ? usual : help);
}

Bytes keyOf(const std::string& text, std::string_view where)
{
    const std::optional<Bytes> bytes = unescaped(text);
    if (!bytes) {
        throw app::ArgumentError{
            std::string(where)
            + ": \\x must be followed by two hexadecimal digits; write a backslash "
              "before an x as \\x5c"};
    }
    return *bytes;
}

} // namespace lockscope::cli
