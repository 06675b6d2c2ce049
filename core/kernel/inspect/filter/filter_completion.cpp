#include "core/kernel/inspect/filter/filter_completion.h"

#include "core/kernel/base/bytes.h"
#include "core/kernel/base/characters.h"
#include "core/kernel/base/natural_order.h"
#include "core/kernel/inspect/filter/filter_terms.h"
#include "core/kernel/inspect/filter/filter_words.h"

#include <algorithm>

namespace lockscope::inspect {

namespace {

std::vector<std::string> valuesOf(const FilterField& field, const KnownTexts& texts)
{
    std::vector<std::string> values;
    if (const auto* const fixed = std::get_if<FilterField::Values>(&field.meaning)) {
        for (std::size_t i = 0; i < fixed->count; ++i) {
            values.emplace_back(fixed->idAt(i));
        }
        if (fixed->isSet) {
            values.insert(values.end(), {"any", "none"});
        }
    } else if (const auto* const time = std::get_if<FilterField::Time>(&field.meaning)) {
        if (time->mayBeEndless) {
            values.emplace_back("never");
        }
    } else if (std::holds_alternative<FilterField::TextTest>(field.meaning) && texts) {
        for (const std::string& text : texts(field.name)) {
            values.push_back(filterValue(escaped(text)));
        }
        std::ranges::sort(values,
                          [](const auto& a, const auto& b) { return naturalOrder(a, b) < 0; });
        values.erase(std::unique(values.begin(), values.end()), values.end());
    }
    return values;
}

bool beginsWith(std::string_view text, std::string_view beginning)
{
    return lowered(text).starts_with(lowered(beginning));
}

} // namespace

std::vector<std::string> filterCompletions(std::string_view word, FilterFields fields,
                                           const KnownTexts& texts)
{
    std::vector<std::string> completions;
    const auto offer = [&](std::string completion) {
        if (beginsWith(completion, word) && completion != word) {
            completions.push_back(std::move(completion));
        }
    };
    const std::size_t signAt = findUnquoted(word, ":=");
    if (signAt == std::string_view::npos) {
        for (const FilterField& field : fields) {
            offer(std::string(field.name) + ':');
        }
        return completions;
    }
    for (const FilterField& field : fields) {
        if (equalsIgnoringCase(word.substr(0, signAt), field.name)) {
            for (const std::string& value : valuesOf(field, texts)) {
                offer(std::string(word.substr(0, signAt + 1)) + value);
            }
        }
    }
    return completions;
}

std::size_t wordBegin(std::string_view text)
{
    std::size_t begin = 0;
    std::size_t end = findUnquoted(text, " \t()");
    while (end != std::string_view::npos) {
        begin += end + 1;
        end = findUnquoted(text.substr(begin), " \t()");
    }
    while (begin < text.size() && text[begin] == '-') {
        ++begin;
    }
    return begin;
}

std::string filterValue(std::string_view text)
{
    if (!text.empty() && text.find_first_of(" \t()*?\"") == std::string::npos) {
        return std::string(text);
    }
    std::string quoted = "\"";
    for (const char c : text) {
        quoted += c == '"' ? "\\\"" : std::string(1, c);
    }
    if (quoted.back() == '\\') { // it would take the closing quote for its own
        quoted.replace(quoted.size() - 1, 1, "\\x5c");
    }
    return quoted + '"';
}

} // namespace lockscope::inspect
