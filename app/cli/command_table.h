#pragma once

#include "option_parser.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

// What the commands are called, which options they have, and what --help says about them.
namespace lockscope::cli {

struct CommandInfo {
    std::string_view name;
    std::string_view operand; // "KEY", "[ID]", "-- COMMAND..."; empty: none
    std::string_view summary; // one line
    std::string_view details; // what a runbook author has to know
    std::string_view examples;
    std::vector<app::Option> options; // its own and the shared ones, in the order of the help

    bool isOperandOptional() const { return operand.starts_with('['); }
    /// Everything behind "--" is a command to start.
    bool takesCommand() const { return operand.starts_with("--"); }
};

/// All commands, in the order of the help.
std::span<const CommandInfo> commandTable();

/// nullptr for an unknown name.
const CommandInfo* findCommand(std::string_view name);

/// Every option of every command, each once: what is needed to tell values from operands.
std::vector<app::Option> everyOption();

std::string programHelp();
std::string commandHelp(const CommandInfo& command);

} // namespace lockscope::cli
