#include "app/cli/completion/zsh_completion.h"

#include "core/kernel/report/release_call.h"

namespace lockscope::cli {

using report::shellQuoted;

namespace {

/// With a backslash before each of the characters.
std::string escaped(std::string_view text, std::string_view characters)
{
    std::string result;
    for (const char c : text) {
        result += (characters.find(c) != std::string_view::npos ? "\\" : "") + std::string(1, c);
    }
    return result;
}

/// What zsh calls an action: how the value is completed.
std::string actionOf(const CompletedValue& value)
{
    const std::string words = joinedWords(value.words);
    if (value.isCommand) {
        return "_normal";
    }
    if (value.isList) {
        return "_values -s , word " + words;
    }
    if (value.isFile && !words.empty()) {
        return "_alternative \"words:word:(" + words + ")\" \"files:file:_files\"";
    }
    return value.isFile ? "_files" : words.empty() ? " " : '(' + words + ')';
}

std::string specOf(const CompletedOption& option)
{
    const bool hasValue = !option.value.isNone();
    std::string spec = option.value.isRepeatable ? "*" : "";
    spec += option.name + (hasValue ? "=[" : "[") + escaped(option.help, "[]\\") + ']';
    if (hasValue) {
        spec += ':' + escaped(option.value.name, ":\\") + ':' + actionOf(option.value);
    }
    return spec;
}

std::string operandSpec(const CompletedValue& operand)
{
    if (operand.isNone()) {
        return {};
    }
    const std::string_view place = operand.isCommand ? "*::" : operand.isRepeatable ? "*:" : "1:";
    return std::string(place) + escaped(operand.name, ":\\") + ':' + actionOf(operand);
}

/// A call of _arguments, indented.
std::string argumentsCall(const CompletedCommand& command, const std::string& indent)
{
    std::string call = indent + "_arguments";
    for (const CompletedOption& option : command.options) {
        call += " \\\n    " + indent + shellQuoted(specOf(option));
    }
    if (const std::string spec = operandSpec(command.operand); !spec.empty()) {
        call += " \\\n    " + indent + shellQuoted(spec);
    }
    return call + '\n';
}

std::string commandList(const CompletedProgram& program)
{
    std::string list = "            local -a commands=(";
    for (const CompletedCommand& command : program.commands) {
        list += "\n                " + shellQuoted(command.name + ':' + command.summary);
    }
    return list + ")\n            _describe command commands\n";
}

std::string zshFunction(const CompletedProgram& program)
{
    std::string text = '\n' + functionName(program) + "()\n{\n";
    if (program.commands.empty()) {
        return text + argumentsCall(program.general, "    ") + "}\n";
    }
    text += "    local context state state_descr line\n    typeset -A opt_args\n    _arguments -C";
    for (const CompletedOption& option : program.general.options) {
        text += ' ' + shellQuoted("(- *)" + specOf(option));
    }
    text += " ':command:->command' '*::argument:->argument'\n    case $state in\n        command)\n"
            + commandList(program)
            + "            ;;\n        argument)\n            case $words[1] in\n";
    for (const CompletedCommand& command : program.commands) {
        text += "                " + command.name + ")\n"
                + argumentsCall(command, "                    ") + "                    ;;\n";
    }
    return text + "            esac\n            ;;\n    esac\n}\n";
}

} // namespace

std::string zshCompletion(std::span<const CompletedProgram> programs)
{
    std::string head = "#compdef";
    std::string text = "\n# Completion for zsh, made by: lockscope-cli completion zsh\n";
    std::string choice;
    std::string registration;
    for (const CompletedProgram& program : programs) {
        head += ' ' + program.name;
        text += zshFunction(program);
        choice += "        " + program.name + ") " + functionName(program) + " \"$@\" ;;\n";
        registration += "    compdef " + functionName(program) + ' ' + program.name + '\n';
    }
    // Either this file is a function that zsh loads by its name, or it is read by "source".
    return head + text + "\nif [[ $funcstack[1] == _lockscope* ]]; then\n    case $service in\n"
           + choice + "    esac\nelse\n" + registration + "fi\n";
}

} // namespace lockscope::cli
