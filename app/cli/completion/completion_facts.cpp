#include "app/cli/completion/completion_facts.h"

#include "app/cli/command_help.h"
#include "core/kernel/base/joined.h"
#include "core/kernel/protocol/catalogue.h"

#include <algorithm>
#include <utility>

namespace lockscope::cli {

namespace {

bool isWord(std::string_view text)
{
    return std::ranges::all_of(text, [](char c) { return (c >= 'a' && c <= 'z') || c == '-'; });
}

/// One of the parts between the bars of a name.
void addPart(std::string_view part, CompletedValue& value)
{
    if (part == "FILE") {
        value.isFile = true;
    } else if (part == "LIST") {
        value.isList = true;
    } else if (part == "ID") {
        for (const auto* const protocol : protocol::builtinProtocols()) {
            value.words.push_back(protocol->info().id);
        }
    } else if (isWord(part)) {
        value.words.emplace_back(part);
    }
}

std::string inOneLine(std::string_view text)
{
    std::string line(text);
    std::ranges::replace(line, '\n', ' ');
    return line;
}

std::vector<CompletedOption> completedOptions(const app::OptionSet& options)
{
    std::vector<CompletedOption> completed;
    for (const app::OptionFact& fact : options.facts()) {
        CompletedOption option{"--" + fact.name, inOneLine(fact.help),
                               completedValue(fact.valueName, fact.words)};
        option.value.isRepeatable = fact.isRepeatable;
        completed.push_back(std::move(option));
    }
    return completed;
}

} // namespace

CompletedValue completedValue(std::string_view name, std::vector<std::string> words)
{
    CompletedValue value;
    value.name = name;
    value.words = std::move(words);
    value.isCommand = name.starts_with("-- ");
    name = name.substr(0, name.find(" [-- ")); // what comes first is what most people type
    if (name.ends_with("...")) {
        name.remove_suffix(3);
        value.isRepeatable = true;
    }
    if (name.starts_with('[') && name.ends_with(']')) {
        name = name.substr(1, name.size() - 2);
    }
    while (!name.empty() && !value.isCommand) {
        const std::size_t bar = std::min(name.find('|'), name.size());
        addPart(name.substr(0, bar), value);
        name.remove_prefix(std::min(bar + 1, name.size()));
    }
    return value;
}

CompletedProgram completedCli(std::span<const CommandMaker> commands)
{
    CompletedProgram program;
    program.name = "lockscope-cli";
    app::OptionSet general;
    app::declareQuestions(general);
    program.general.options = completedOptions(general);
    for (const CommandMaker make : commands) {
        const DeclaredCommand declared(make);
        const CommandText& text = declared.command->text();
        program.commands.push_back({std::string(text.name), inOneLine(text.summary),
                                    completedValue(text.operand),
                                    completedOptions(declared.options)});
    }
    CompletedCommand help;
    help.name = "help";
    help.summary = "print the help of a command";
    help.operand.name = "COMMAND";
    help.operand.words = commandNames(program);
    program.commands.push_back(std::move(help));
    program.general.operand.name = "COMMAND";
    program.general.operand.words = commandNames(program);
    return program;
}

CompletedProgram completedWindow()
{
    const app::WindowCall call;
    CompletedProgram program;
    program.name = "lockscope";
    program.general.operand = completedValue("URL|FILE...");
    program.general.options = completedOptions(call.options());
    return program;
}

std::vector<std::string> optionNames(const std::vector<CompletedOption>& options)
{
    std::vector<std::string> names;
    names.reserve(options.size());
    for (const CompletedOption& option : options) {
        names.push_back(option.name);
    }
    return names;
}

std::vector<std::string> commandNames(const CompletedProgram& program)
{
    std::vector<std::string> names;
    names.reserve(program.commands.size());
    for (const CompletedCommand& command : program.commands) {
        names.push_back(command.name);
    }
    return names;
}

std::string joinedWords(const std::vector<std::string>& words)
{
    return joined(words, " ");
}

std::string functionName(const CompletedProgram& program)
{
    std::string name = '_' + program.name;
    std::ranges::replace(name, '-', '_');
    return name;
}

} // namespace lockscope::cli
