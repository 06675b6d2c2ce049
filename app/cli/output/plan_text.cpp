#include "app/cli/output/plan_text.h"

#include "core/kernel/report/release_steps.h"

#include <utility>

namespace lockscope::cli {

namespace {

std::string indented(std::string_view text, std::string_view indent)
{
    std::string lines(indent);
    for (const char c : text) {
        lines += c;
        if (c == '\n') {
            lines += indent;
        }
    }
    return lines + '\n';
}

/// A script is easier to read in lines than as one word of its command.
std::string commandText(const store::Command& command, const std::string& indent)
{
    if (command.words.size() < 2 || command.words[1].find('\n') == Bytes::npos) {
        return indented(store::toText(command), indent + "  ");
    }
    std::vector<Bytes> words = command.words;
    const Bytes script = std::exchange(words[1], "SCRIPT");
    return indented(store::toText(store::Command(std::move(words))), indent + "  ") + indent
           + "where SCRIPT is\n" + indented(script, indent + "  ");
}

} // namespace

std::string planText(const inspect::ReleasePlan& plan, std::string_view indent)
{
    const std::string margin(indent);
    std::string text;
    int number = 0;
    for (const std::string& step : report::releaseSteps(plan)) {
        text.append(indent).append("  ").append(std::to_string(++number)).append(". ");
        text.append(step).append("\n");
    }
    return text + margin + "The command:\n" + commandText(plan.command, margin);
}

} // namespace lockscope::cli
