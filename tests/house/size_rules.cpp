#include "tests/house/function_scanner.h"
#include "tests/house/rule.h"

#include <array>

namespace lockscope::house {

namespace {

constexpr int kFunctionLines = 70;
constexpr int kWidgetConstructorLines = 40;
constexpr int kFileLines = 600;
constexpr int kTestFileLines = 700; // the cases of one subject stay together

Findings longFunctions(const SourceFile& file, const Tree&)
{
    Findings findings;
    if (!file.isCpp()) {
        return findings;
    }
    for (const Function& function : functionsOf(file)) {
        const bool isTableOfCases = file.isIn("tests/") && function.name.ends_with("_data");
        if (!isTableOfCases && function.lineCount() > kFunctionLines) {
            findings.push_back({file.path, function.firstLine,
                                function.name + " has " + std::to_string(function.lineCount())
                                    + " lines, limit " + std::to_string(kFunctionLines),
                                function.lineCount()});
        }
    }
    return findings;
}

Findings longConstructors(const SourceFile& file, const Tree&)
{
    Findings findings;
    if (layerOf(file.path) != Layer::Widgets) {
        return findings;
    }
    for (const Function& function : functionsOf(file)) {
        if (function.isConstructor && function.lineCount() > kWidgetConstructorLines) {
            findings.push_back({file.path, function.firstLine,
                                function.name + " has " + std::to_string(function.lineCount())
                                    + " lines, limit " + std::to_string(kWidgetConstructorLines),
                                function.lineCount()});
        }
    }
    return findings;
}

Findings longFiles(const SourceFile& file, const Tree&)
{
    Findings findings;
    const int most = file.isIn("tests/") ? kTestFileLines : kFileLines;
    if (file.isCode() && file.lineCount() > most) {
        findings.push_back({file.path, 0,
                            std::to_string(file.lineCount()) + " lines, limit "
                                + std::to_string(most),
                            file.lineCount()});
    }
    return findings;
}

constexpr std::array kRules{
    Rule{"long-function", "split it by what its parts do; a list of named steps reads best",
         longFunctions},
    Rule{"long-constructor", "a constructor is a list of named steps; panels build themselves",
         longConstructors},
    Rule{"long-file", "it holds two subjects: give each its own file", longFiles},
};

} // namespace

std::span<const Rule> sizeRules()
{
    return kRules;
}

} // namespace lockscope::house
