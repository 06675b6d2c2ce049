#include "app/cli/completion/bash_completion.h"

#include "core/kernel/report/release_call.h"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>

namespace lockscope::cli {

using report::shellQuoted;

namespace {

// Bash splits words at = and :, so that "--format=json" arrives as three words.
constexpr std::string_view kCommonFunctions = R"(
# Sets cur, option (whose value is being typed), command, and behind (after "--").
# Arguments: the options that take a value, the commands of the program.
_lockscope_look()
{
    local i word
    cur=${COMP_WORDS[COMP_CWORD]} option='' command='' behind=''
    for ((i = 1; i < COMP_CWORD; ++i)); do
        word=${COMP_WORDS[i]}
        if [[ -n $option ]]; then
            [[ $word == '=' ]] || option=''
        elif [[ $word == -- ]]; then
            behind=yes
            break
        elif [[ " $1 " == *" $word "* ]]; then
            option=$word
        elif [[ -z $command && " $2 " == *" $word "* ]]; then
            command=$word
        fi
    done
    if [[ -n $option && $cur == '=' ]]; then
        cur=''
    fi
}

# Adds what begins like the current word. Arguments: of words, list, files and commands those that are
# offered; the words.
_lockscope_offer()
{
    local kind from begun
    for kind in $1; do
        from=${#COMPREPLY[@]}
        case $kind in
            words) mapfile -t -O "$from" COMPREPLY < <(compgen -W "$2" -- "$cur") ;;
            list)
                compopt -o nospace 2>/dev/null
                begun=${cur%"${cur##*,}"}
                mapfile -t -O "$from" COMPREPLY < <(compgen -P "$begun" -W "$2" -- "${cur##*,}")
                ;;
            files)
                compopt -o filenames 2>/dev/null
                mapfile -t -O "$from" COMPREPLY < <(compgen -f -- "$cur")
                ;;
            commands)
                [[ -z $behind ]] || mapfile -t -O "$from" COMPREPLY < <(compgen -c -- "$cur")
                ;;
        esac
    done
}

# The same where no value of an option is expected. Arguments: the options; those of _lockscope_offer.
_lockscope_word()
{
    [[ -z $behind && $cur == -* ]] || _lockscope_offer "$2" "$3"
    [[ -n $behind ]] || _lockscope_offer words "$1"
}
)";

/// What _lockscope_offer is told; empty: there is nothing to offer.
std::string bashOffer(const CompletedValue& value)
{
    std::string kinds;
    if (!value.words.empty()) {
        kinds = value.isList ? "list " : "words ";
    }
    kinds += value.isFile ? "files " : "";
    kinds += value.isCommand ? "commands " : "";
    if (kinds.empty()) {
        return {};
    }
    kinds.pop_back();
    return shellQuoted(kinds) + ' ' + shellQuoted(joinedWords(value.words));
}

/// Values of options, a line for all that are alike.
std::string valueCases(const CompletedProgram& program)
{
    std::map<std::string, std::string> patterns; // by what they offer
    const auto add = [&patterns](const CompletedCommand& command) {
        for (const CompletedOption& option : command.options) {
            const std::string offer = bashOffer(option.value);
            if (!offer.empty()) {
                std::string& all = patterns[offer];
                all += (all.empty() ? "" : " | ") + shellQuoted(command.name + ' ' + option.name);
            }
        }
    };
    add(program.general);
    std::ranges::for_each(program.commands, add);
    std::string text;
    for (const auto& [offer, pattern] : patterns) {
        text.append("            ").append(pattern).append(") _lockscope_offer ");
        text.append(offer).append(" ;;\n");
    }
    return text;
}

std::string wordCase(const CompletedCommand& command)
{
    const std::string offer = bashOffer(command.operand);
    return "        " + shellQuoted(command.name) + ") _lockscope_word "
           + shellQuoted(joinedWords(optionNames(command.options)))
           + (offer.empty() ? " '' ''" : ' ' + offer) + " ;;\n";
}

/// Each once.
std::string valuedOptions(const CompletedProgram& program)
{
    std::set<std::string> names;
    const auto add = [&names](const CompletedCommand& command) {
        for (const CompletedOption& option : command.options) {
            if (!option.value.isNone()) {
                names.insert(option.name);
            }
        }
    };
    add(program.general);
    std::ranges::for_each(program.commands, add);
    return joinedWords({names.begin(), names.end()});
}

std::string bashFunction(const CompletedProgram& program)
{
    std::string text = '\n' + functionName(program) + "()\n{\n"
                       + "    local cur option command behind\n    COMPREPLY=()\n"
                       + "    _lockscope_look " + shellQuoted(valuedOptions(program))
                       + " \\\n        " + shellQuoted(joinedWords(commandNames(program))) + '\n'
                       + "    if [[ -n $option ]]; then\n        case \"$command $option\" in\n"
                       + valueCases(program) + "        esac\n        return\n    fi\n"
                       + "    case $command in\n" + wordCase(program.general);
    for (const CompletedCommand& command : program.commands) {
        text += wordCase(command);
    }
    return text + "    esac\n}\ncomplete -F " + functionName(program) + ' ' + program.name + '\n';
}

} // namespace

std::string bashCompletion(std::span<const CompletedProgram> programs)
{
    std::string text = "# Completion for bash, made by: lockscope-cli completion bash\n";
    text += kCommonFunctions;
    for (const CompletedProgram& program : programs) {
        text += bashFunction(program);
    }
    return text;
}

} // namespace lockscope::cli
