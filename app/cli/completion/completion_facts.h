#pragma once

#include "app/cli/commands/command_list.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

// What a shell may offer while a call of lockscope-cli or lockscope is typed: made of what the
// commands say of themselves, for all shells alike.
namespace lockscope::cli {

/// The value of an option, or the operand of a command.
struct CompletedValue {
    std::string name;               // "FILE", "table|json"; empty: there is none
    std::vector<std::string> words; // which it may be
    bool isFile = false;            // it may be a file
    bool isList = false;            // several of the words, separated by commas
    bool isCommand = false;         // behind "--": a command with its arguments
    bool isRepeatable = false;

    bool isNone() const { return name.empty(); }
};

struct CompletedOption {
    std::string name; // with its dashes
    std::string help; // one line
    CompletedValue value;
};

struct CompletedCommand {
    std::string name;
    std::string summary;
    CompletedValue operand;
    std::vector<CompletedOption> options;
};

struct CompletedProgram {
    std::string name;
    CompletedCommand general; // what is offered as long as there is no command
    std::vector<CompletedCommand> commands;
};

/// What may be offered for a value of this name: "FILE", "[ID]", "table|json", "-- COMMAND...".
CompletedValue completedValue(std::string_view name, std::vector<std::string> words = {});

CompletedProgram completedCli(std::span<const CommandMaker> commands);
CompletedProgram completedWindow();

/// "--a", "--b" … of those options.
std::vector<std::string> optionNames(const std::vector<CompletedOption>& options);
std::vector<std::string> commandNames(const CompletedProgram& program);
/// With spaces between them.
std::string joinedWords(const std::vector<std::string>& words);

/// "_lockscope_cli": what a function for the program is called.
std::string functionName(const CompletedProgram& program);

} // namespace lockscope::cli
