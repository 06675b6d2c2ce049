#include "core/wire/program_words.h"

#include <unistd.h>

#include <algorithm>

namespace lockscope::wire {

std::vector<std::string> environmentWith(const ProgramVariables& variables,
                                         std::span<const std::string_view> without)
{
    std::vector<std::string> all;
    for (const auto& [name, value] : variables) {
        std::string& entry = all.emplace_back(name);
        entry.append("=").append(value);
    }
    for (char** entry = environ; *entry != nullptr; ++entry) {
        const std::string_view text(*entry);
        const std::string_view name = text.substr(0, text.find('='));
        const bool isReplaced = std::any_of(variables.begin(), variables.end(),
                                            [name](const auto& variable) {
                                                return variable.first == name;
                                            });
        if (!isReplaced && std::ranges::find(without, name) == without.end()) {
            all.emplace_back(text);
        }
    }
    return all;
}

std::vector<char*> pointersTo(std::vector<std::string>& words)
{
    std::vector<char*> pointers;
    pointers.reserve(words.size() + 1);
    for (std::string& word : words) {
        pointers.push_back(word.data());
    }
    pointers.push_back(nullptr);
    return pointers;
}

} // namespace lockscope::wire
