#include "app/cli/commands/command_list.h"
#include "app/cli/completion/bash_completion.h"
#include "app/cli/completion/fish_completion.h"
#include "app/cli/completion/zsh_completion.h"
#include "app/cli/exit_code.h"
#include "app/quoted_words.h"

#include <algorithm>
#include <array>
#include <span>
#include <string>

namespace lockscope::cli {

namespace {

constexpr CommandText kCompletionText{
    .name = "completion",
    .operand = "bash|zsh|fish",
    .summary = "print the completion for a shell",
    .details = R"(
Prints what a shell reads to complete the commands, options and values of lockscope-cli and
lockscope while they are typed. The Debian package installs it; other installations read it when
the shell starts, or keep it in a file that the shell knows. Needs no server.
)",
    .examples = R"(
  source <(lockscope-cli completion bash)      # in ~/.bashrc
  source <(lockscope-cli completion zsh)       # in ~/.zshrc, behind compinit
  lockscope-cli completion fish > ~/.config/fish/completions/lockscope-cli.fish
)",
};

using Writer = std::string (*)(std::span<const CompletedProgram>);

struct Shell {
    std::string_view name;
    Writer write;
};

constexpr std::array kShells{
    Shell{"bash", &bashCompletion},
    Shell{"zsh", &zshCompletion},
    Shell{"fish", &fishCompletion},
};

class CompletionCommand final : public CommandWith<CompletionArguments> {
public:
    CompletionCommand() : CommandWith(kCompletionText) {}

    void declare(app::OptionSet& /*options*/) override {}

    void complete(const Operands& operands) override
    {
        std::vector<std::string_view> names;
        for (const Shell& shell : kShells) {
            if (shell.name == operands.first()) {
                m_arguments.shell = shell.name;
                return;
            }
            names.push_back(shell.name);
        }
        throw app::ArgumentError{app::noneOf(operands.first(), names)};
    }

    async::Task<int> run(Context context) override
    {
        const std::array programs{completedCli(allCommands()), completedWindow()};
        const auto* const shell = std::ranges::find(kShells, m_arguments.shell, &Shell::name);
        context.output.print(shell->write(programs));
        co_return ExitDone;
    }
};

} // namespace

std::unique_ptr<Command> completionCommand()
{
    return std::make_unique<CompletionCommand>();
}

} // namespace lockscope::cli
