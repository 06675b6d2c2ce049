#include "app/cli/completion/fish_completion.h"

namespace lockscope::cli {

namespace {

std::string fishQuoted(std::string_view text)
{
    std::string quoted = "'";
    for (const char c : text) {
        quoted += c == '\'' || c == '\\' ? std::string("\\") + c : std::string(1, c);
    }
    return quoted + '\'';
}

std::string fishList(const std::vector<std::string>& words)
{
    return fishQuoted(joinedWords(words));
}

/// What may stand for the value; fish offers files by itself unless it is told not to.
std::string fishOffer(const CompletedValue& value)
{
    std::string offer = value.isFile ? " -F" : " -f";
    if (value.isList) {
        offer += " -a \"(__lockscope_list " + fishList(value.words) + ")\"";
    } else if (!value.words.empty()) {
        offer += " -a " + fishList(value.words);
    }
    return offer;
}

class FishWriter {
public:
    explicit FishWriter(const CompletedProgram& program) : m_program(program) {}

    std::string text()
    {
        m_text = "\ncomplete -c " + m_program.name + " -f\n";
        const bool hasCommands = !m_program.commands.empty();
        const std::string noCommand = hasCommands ? "not " + seen(commandNames(m_program)) : "";
        addOptions(m_program.general, noCommand);
        if (!hasCommands) {
            addLine("", fishOffer(m_program.general.operand));
        }
        for (const CompletedCommand& command : m_program.commands) {
            addLine(noCommand,
                    " -f -a " + fishQuoted(command.name) + " -d " + fishQuoted(command.summary));
        }
        for (const CompletedCommand& command : m_program.commands) {
            addCommand(command);
        }
        return std::move(m_text);
    }

private:
    static std::string seen(const std::vector<std::string>& names)
    {
        std::string condition = "__fish_seen_subcommand_from";
        for (const std::string& name : names) {
            condition += ' ' + name;
        }
        return condition;
    }

    void addLine(const std::string& condition, const std::string& rest)
    {
        m_text += "complete -c " + m_program.name
                  + (condition.empty() ? "" : " -n " + fishQuoted(condition)) + rest + '\n';
    }

    void addOptions(const CompletedCommand& command, const std::string& condition)
    {
        for (const CompletedOption& option : command.options) {
            const std::string name = " -l " + option.name.substr(2);
            const std::string value = option.value.isNone() ? " -f"
                                                            : " -r" + fishOffer(option.value);
            addLine(condition, name + value + " -d " + fishQuoted(option.help));
        }
    }

    void addCommand(const CompletedCommand& command)
    {
        const std::string condition = seen({command.name});
        if (command.operand.isCommand) {
            addLine(condition + "; and contains -- -- (commandline -opc)",
                    " -f -a \"(__fish_complete_command)\"");
        } else if (command.operand.isFile || !command.operand.words.empty()) {
            addLine(condition, fishOffer(command.operand));
        }
        addOptions(command, condition);
    }

    const CompletedProgram& m_program;
    std::string m_text;
};

constexpr std::string_view kListFunction = R"(
# Each of the words behind those that were typed already, with commas between them.
function __lockscope_list
    set -l begun (commandline -ct | string replace -r '^--[^=]*=' '' | string replace -r '[^,]*$' '')
    for word in (string split ' ' $argv[1])
        echo $begun$word
    end
end
)";

} // namespace

std::string fishCompletion(std::span<const CompletedProgram> programs)
{
    std::string text = "# Completion for fish, made by: lockscope-cli completion fish\n";
    text += kListFunction;
    for (const CompletedProgram& program : programs) {
        text += FishWriter(program).text();
    }
    return text;
}

} // namespace lockscope::cli
