#include "app/cli/cli_arguments.h"

#include "app/cli/command_help.h"
#include "app/quoted_words.h"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace lockscope::cli {

using app::ArgumentError;
using app::Information;
using app::inQuotes;
using app::OptionSet;

namespace {

constexpr const char* kDefaultUrl = "redis://127.0.0.1:6379";
constexpr std::string_view kHelpCommand = "help";

/// Reads one call of the program. What is wrong is thrown.
class CallReader {
public:
    CallReader(std::span<const std::string> words, const app::Environment& environment,
               std::span<const CommandMaker> makers)
        : m_words(words.begin(), words.end()),
          m_environment(environment),
          m_makers(makers)
    {
        for (const CommandMaker make : makers) {
            m_commands.push_back(std::make_unique<DeclaredCommand>(make));
        }
    }

    std::variant<CliArguments, Information, ArgumentError> read()
    {
        try {
            return readOrThrow();
        } catch (const OptionSet::Asked& asked) {
            return Information{asked.name != "help"  ? "lockscope-cli " LOCKSCOPE_VERSION "\n"
                               : m_chosen != nullptr ? commandHelp(*m_chosen)
                                                     : programHelp(m_makers)};
        } catch (ArgumentError& error) {
            const bool isSentence = error.reason.ends_with('?') || error.reason.ends_with('.');
            error.reason += isSentence ? " See: " : ". See: ";
            error.reason += "lockscope-cli ";
            error.reason += m_chosen != nullptr ? nameOf(*m_chosen) + ' ' : std::string();
            error.reason += "--help";
            return std::move(error);
        }
    }

private:
    using Rest = OptionSet::Words;

    static std::string nameOf(const DeclaredCommand& declared)
    {
        return std::string(declared.command->text().name);
    }

    CliArguments readOrThrow()
    {
        const std::size_t at = commandIndex();
        if (at == m_words.size()) {
            throwNoCommand();
        }
        const bool isHelp = m_words[at] == kHelpCommand;
        if (isHelp && at + 1 == m_words.size()) {
            throw OptionSet::Asked{"help"};
        }
        m_chosen = find(m_words[isHelp ? at + 1 : at]);
        if (isHelp) {
            throw OptionSet::Asked{"help"};
        }
        m_words.erase(m_words.begin() + static_cast<std::ptrdiff_t>(at));
        const Rest rest = m_chosen->options.read(m_words);
        for (const std::string& word : rest.unknownOptions) {
            throwUnknown(word);
        }
        const CommandText& text = m_chosen->command->text();
        const Operands operands = operandsOf(rest, text);
        CliArguments arguments;
        if (text.servers != ServerUse::None) {
            const bool isLocal = text.servers == ServerUse::NamedOrLocal
                                 && m_chosen->servers.urls().empty();
            arguments.servers = m_chosen->servers.servers(
                isLocal ? std::vector<std::string>{kDefaultUrl} : std::vector<std::string>(),
                m_environment);
        }
        m_chosen->command->complete(operands);
        arguments.command = std::move(m_chosen->command);
        return arguments;
    }

    /// Of the first word that is neither an option nor the value of one.
    std::size_t commandIndex() const
    {
        std::size_t at = 0;
        while (at < m_words.size() && m_words[at].starts_with('-')) {
            const bool takesNext = std::ranges::any_of(m_commands, [&](const auto& declared) {
                return declared->options.takesNext(m_words[at]);
            });
            at += takesNext ? 2 : 1;
        }
        return std::min(at, m_words.size());
    }

    DeclaredCommand* find(const std::string& name) const
    {
        std::vector<std::string_view> names;
        for (const auto& declared : m_commands) {
            if (declared->command->text().name == name) {
                return declared.get();
            }
            names.push_back(declared->command->text().name);
        }
        const std::string_view meant = app::closestTo(name, names);
        const std::string reason = "unknown command " + inQuotes(name);
        throw ArgumentError{meant.empty() ? reason
                                          : reason + "; did you mean " + std::string(meant) + '?'};
    }

    [[noreturn]] void throwNoCommand() const
    {
        OptionSet general;
        app::declareQuestions(general);
        for (const std::string& word : general.read(m_words).unknownOptions) {
            throwUnknown(word);
        }
        std::string names;
        for (const auto& declared : m_commands) {
            const bool isLast = &declared == &m_commands.back();
            names += (names.empty() ? "" : isLast ? " or " : ", ") + nameOf(*declared);
        }
        throw ArgumentError{"no command given: " + names};
    }

    /// Unless it is an option of some command and there is no command that does not have it.
    void throwUnknown(const std::string& word) const
    {
        OptionSet::Names all;
        for (const auto& declared : m_commands) {
            all.insert(declared->options.names().begin(), declared->options.names().end());
        }
        const std::string_view name = app::optionNameIn(word);
        if (!all.contains(name)) {
            throw app::unknownOption(word, all);
        }
        if (m_chosen != nullptr) {
            throw ArgumentError{nameOf(*m_chosen) + " has no option --" + std::string(name)};
        }
    }

    /// Of a command that starts another one, the other one begins behind "--".
    Operands operandsOf(const Rest& rest, const CommandText& text) const
    {
        Operands operands{
            rest.operands, {}, m_chosen->servers.urls().size(), m_environment.environment};
        if (text.takesCommand()) {
            const auto dashes = rest.operands.begin()
                                + static_cast<std::ptrdiff_t>(rest.countBeforeDashes);
            operands.words = {rest.operands.begin(), dashes};
            operands.command = {dashes, rest.operands.end()};
            if (text.isCommand()) {
                return operands; // the command says itself what is wrong
            }
        }
        const std::size_t wanted = text.operand.empty() ? 0 : 1;
        if (operands.words.size() < wanted && !text.isOperandOptional()) {
            const std::string_view one = text.operand.substr(0, text.operand.find_first_of(". "));
            throw ArgumentError{nameOf(*m_chosen) + " needs a " + std::string(one)};
        }
        if (operands.words.size() > wanted && !text.takesSeveral()) {
            const std::string& extra = operands.words[wanted];
            const bool isUrl = extra.find("://") != std::string::npos;
            throw ArgumentError{nameOf(*m_chosen) + " does not accept the argument "
                                + inQuotes(extra) + (isUrl ? "; specify a server with --url" : "")};
        }
        return operands;
    }

    std::vector<std::string> m_words;
    const app::Environment& m_environment;
    std::span<const CommandMaker> m_makers;
    std::vector<std::unique_ptr<DeclaredCommand>> m_commands;
    DeclaredCommand* m_chosen = nullptr;
};

} // namespace

std::variant<CliArguments, Information, ArgumentError> parseCliArguments(
    std::span<const std::string> words, const app::Environment& environment,
    std::span<const CommandMaker> commands)
{
    return CallReader(words, environment, commands).read();
}

} // namespace lockscope::cli
