#include "app/arguments.h"
#include "app/cli/cli_arguments.h"
#include "app/cli/exit_code.h"
#include "app/cli/output/output.h"
#include "app/cli/program.h"
#include "core/wire/scratch_folder.h"

#include <QCoreApplication>

#include <unistd.h>

#include <csignal>
#include <string>
#include <variant>
#include <vector>

using namespace lockscope;

int main(int argc, char* argv[])
{
    ::signal(SIGPIPE, SIG_IGN); // a closed pipe is an answer to a write, not the end
    const std::vector<std::string> words(argv + (argc > 0 ? 1 : 0), argv + argc);
    app::hidePasswords(std::span(argv, static_cast<std::size_t>(argc)));
    cli::Output output(STDOUT_FILENO, STDERR_FILENO);

    auto parsed = cli::parseCliArguments(words, app::environmentOfProcess());
    if (const auto* const error = std::get_if<app::ArgumentError>(&parsed)) {
        output.complain(error->reason);
        return cli::ExitBadArguments;
    }
    if (const auto* const information = std::get_if<app::Information>(&parsed)) {
        output.print(information->text);
        return cli::ExitDone;
    }
    auto& arguments = std::get<cli::CliArguments>(parsed);
    if (arguments.servers.hasPasswordInUrl) {
        output.complain("a password in a URL is visible in the shell history and the process list; "
                        "use LOCKSCOPE_PASSWORD or --password-file instead");
    }
    wire::ScratchFolder::removeAbandoned();
    QCoreApplication application(argc, argv);
    cli::Program program(std::move(arguments), output);
    QObject::connect(&program, &cli::Program::finished, &application, &QCoreApplication::exit);
    return QCoreApplication::exec();
}
