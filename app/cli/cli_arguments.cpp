#include "cli/cli_arguments.h"

#include "cli/command_table.h"
#include "cli/first_mistake.h"
#include "cli/option_values.h"

#include <algorithm>
#include <array>
#include <utility>

namespace lockscope::cli {

using app::ArgumentError;
using app::Information;
using app::inQuotes;
using app::Words;

namespace {

constexpr const char* kDefaultUrl = "redis://127.0.0.1:6379";
constexpr std::string_view kHelpCommand = "help";

/// Turns the words of one command into values. The first thing that is wrong is kept, and what
/// comes later does not replace it.
class CommandReader : public FirstMistake {
public:
    CommandReader(const CommandInfo& command, const Words& words,
                  const app::Surroundings& surroundings)
        : m_command(command),
          m_words(words),
          m_surroundings(surroundings)
    {}

    std::variant<CliArguments, ArgumentError> read()
    {
        checkOptions();
        checkOperands();
        CliArguments arguments;
        arguments.servers = servers();
        arguments.command = command();
        return orResult(std::move(arguments));
    }

private:
    void checkOptions()
    {
        for (const std::string_view name : m_words.given()) {
            if (!hasOption(name)) {
                fail(std::string(m_command.name) + " has no option --" + std::string(name));
            }
        }
    }

    bool hasOption(std::string_view name) const
    {
        return std::ranges::find(m_command.options, name, &app::Option::name)
               != m_command.options.end();
    }

    void checkOperands()
    {
        if (m_command.takesCommand()) {
            return; // says itself what is wrong
        }
        const std::size_t wanted = m_command.operand.empty() ? 0 : 1;
        const std::size_t given = m_words.positionals.size() - 1;
        if (given < wanted && !m_command.isOperandOptional()) {
            fail(std::string(m_command.name) + " needs a " + std::string(m_command.operand));
        } else if (given > wanted) {
            const std::string& extra = m_words.positionals[1 + wanted];
            const bool isUrl = extra.find("://") != std::string::npos;
            fail(std::string(m_command.name) + " does not accept the argument " + inQuotes(extra)
                 + (isUrl ? "; specify a server with --url" : ""));
        }
    }

    app::ServerArguments servers()
    {
        const bool isNamed = m_words.has("url") || m_command.name == "contend";
        return take(app::serverArguments(m_words,
                                         isNamed ? std::vector<std::string>()
                                                 : std::vector<std::string>{kDefaultUrl},
                                         m_surroundings, hasOption("tls-key") ? "tls-key" : "key"));
    }

    CommandArguments command()
    {
        if (m_command.name == "list") {
            return list();
        }
        if (m_command.name == "watch") {
            watchFormat();
            return WatchArguments{selection()};
        }
        if (m_command.name == "show") {
            return ShowArguments{key(), format({Format::Table, Format::Json})};
        }
        if (m_command.name == "release") {
            return release();
        }
        if (m_command.name == "protocols") {
            return take(readProtocols(call()));
        }
        if (m_command.name == "run") {
            return take(readRun(call()));
        }
        if (m_command.name == "acquire") {
            return take(readAcquire(call()));
        }
        if (m_command.name == "contend") {
            return take(readContend(call()));
        }
        if (isSearch()) {
            return searchCommand();
        }
        return FormatsArguments{format({Format::Table, Format::Json})};
    }

    bool isSearch() const
    {
        return m_command.name == "explore" || m_command.name == "simulate"
               || m_command.name == "replay" || m_command.name == "matrix";
    }

    CommandArguments searchCommand()
    {
        if (m_command.name == "matrix") {
            return take(readMatrix(call({Format::Table, Format::Json, Format::Markdown,
                                         Format::Csv})));
        }
        const LockingCall words = call({Format::Text, Format::Json});
        if (m_command.name == "explore") {
            return take(readExplore(words));
        }
        if (m_command.name == "simulate") {
            return take(readSimulate(words));
        }
        return take(readReplay(words));
    }

    /// What the commands that lock have in common.
    LockingCall call(std::initializer_list<Format> formats = {Format::Table, Format::Json})
    {
        const auto& words = m_words.positionals;
        const std::size_t dashesAt = m_command.takesCommand()
                                         ? m_words.countBeforeDashes.value_or(words.size())
                                         : words.size();
        const auto begin = words.begin() + 1;
        const auto middle = std::max(begin, words.begin() + static_cast<std::ptrdiff_t>(dashesAt));
        return {m_words,
                {begin, middle},
                {middle, words.end()},
                m_command.takesCommand() ? Format::Table : format(formats)};
    }

    ReleaseArguments release()
    {
        ReleaseArguments arguments;
        arguments.key = key();
        const std::optional<std::string> owner = m_words.value("owner");
        arguments.isAll = m_words.has("all");
        if (!owner && !arguments.isAll) {
            fail("release needs --owner TOKEN: the owner of the lock; \"lockscope-cli show KEY\" "
                 "prints it");
        }
        if (owner && arguments.isAll) {
            fail("--owner and --all cannot be combined: release one hold or all holds");
        }
        arguments.owner = OwnerToken{owner.value_or("")};
        arguments.isDryRun = m_words.has("dry-run");
        arguments.reason = m_words.value("reason").value_or("");
        arguments.auditFile = take(fileOption(m_words, "audit-file"));
        arguments.followFor = take(app::durationOption(m_words, "follow", arguments.followFor));
        arguments.format = format({Format::Table, Format::Json});
        return arguments;
    }

    ListArguments list()
    {
        return {selection(), format({Format::Table, Format::Json, Format::Csv}),
                m_words.has("near-misses")};
    }

    Selection selection()
    {
        Selection selection;
        selection.isDeep = m_words.has("deep");
        selection.patterns = m_words.values("pattern");
        if (std::ranges::find(selection.patterns, std::string()) != selection.patterns.end()) {
            fail("--pattern: an empty pattern matches nothing");
        }
        auto parsed = inspect::LockFilter::parse(m_words.value("filter").value_or(""));
        if (const auto* const error = std::get_if<inspect::FilterError>(&parsed)) {
            fail("--filter: " + error->reason + " (at character " + std::to_string(error->at + 1)
                 + ')');
        } else {
            selection.filter = std::get<inspect::LockFilter>(parsed);
        }
        return selection;
    }

    Format format(std::initializer_list<Format> possible)
    {
        static constexpr std::array<std::pair<std::string_view, Format>, 5> kNames{
            {{"text", Format::Text},
             {"table", Format::Table},
             {"json", Format::Json},
             {"csv", Format::Csv},
             {"markdown", Format::Markdown}}};
        const std::optional<std::string> name = m_words.value("format");
        if (!name) {
            return *possible.begin();
        }
        std::string choices;
        for (const auto& [known, format] : kNames) {
            if (std::ranges::find(possible, format) == possible.end()) {
                continue;
            }
            if (known == *name) {
                return format;
            }
            choices += (choices.empty() ? "" : ", ") + std::string(known);
        }
        fail("--format: " + std::string(m_command.name) + " cannot print " + inQuotes(*name)
             + ", only " + choices);
        return Format::Table;
    }

    void watchFormat()
    {
        const std::optional<std::string> name = m_words.value("format");
        if (name && *name != "json") {
            fail("--format: watch prints JSON lines only");
        }
    }

    Bytes key()
    {
        const std::string text = m_words.positionals.size() > 1 ? m_words.positionals[1]
                                                                : std::string();
        std::optional<Bytes> bytes = unescaped(text);
        if (!bytes) {
            fail("KEY: \\x must be followed by two hexadecimal digits; write a backslash before an "
                 "x as \\x5c");
        }
        return bytes.value_or(Bytes());
    }

    const CommandInfo& m_command;
    const Words& m_words;
    const app::Surroundings& m_surroundings;
};

ArgumentError withHint(ArgumentError error, const CommandInfo* command)
{
    const std::string name = command != nullptr ? std::string(command->name) + ' ' : std::string();
    error.reason += error.reason.ends_with('?') ? " See: " : ". See: ";
    error.reason += "lockscope-cli " + name + "--help";
    return error;
}

ArgumentError unknownCommand(const std::string& name)
{
    std::vector<std::string_view> names;
    for (const CommandInfo& command : commandTable()) {
        names.push_back(command.name);
    }
    const std::string_view meant = app::closestTo(name, names);
    const std::string reason = "unknown command " + inQuotes(name);
    return {meant.empty() ? reason : reason + "; did you mean " + std::string(meant) + '?'};
}

/// "list, watch, show or formats"
std::string namesOfCommands()
{
    const auto table = commandTable();
    std::string names;
    for (const CommandInfo& command : table) {
        const bool isLast = &command == &table.back();
        names += (names.empty() ? "" : isLast ? " or " : ", ") + std::string(command.name);
    }
    return names;
}

/// "help", "help list"
std::variant<CliArguments, Information, ArgumentError> helpCommand(const Words& words)
{
    if (words.positionals.size() < 2) {
        return Information{programHelp()};
    }
    const CommandInfo* const command = findCommand(words.positionals[1]);
    if (command == nullptr) {
        return withHint(unknownCommand(words.positionals[1]), nullptr);
    }
    return Information{commandHelp(*command)};
}

} // namespace

bool OwnerToken::means(std::string_view owner) const
{
    return text == owner || unescaped(text) == owner;
}

std::variant<CliArguments, Information, ArgumentError> parseCliArguments(
    std::span<const std::string> words, const app::Surroundings& surroundings)
{
    const CommandInfo* const firstWord = words.empty() ? nullptr : findCommand(words.front());
    const bool isCommandFirst = !words.empty() && !words.front().starts_with('-')
                                && words.front() != kHelpCommand;
    if (isCommandFirst && firstWord == nullptr) {
        return withHint(unknownCommand(words.front()), nullptr);
    }
    const auto read = app::readWords(words, everyOption());
    if (const auto* const error = std::get_if<ArgumentError>(&read)) {
        return withHint(*error, firstWord);
    }
    const auto& given = std::get<Words>(read);
    if (given.has("version")) {
        return Information{"lockscope-cli " LOCKSCOPE_VERSION "\n"};
    }
    if (given.positionals.empty()) {
        if (given.has("help")) {
            return Information{programHelp()};
        }
        return withHint({"no command given: " + namesOfCommands()}, nullptr);
    }
    const std::string& name = given.positionals.front();
    if (name == kHelpCommand) {
        return helpCommand(given);
    }
    const CommandInfo* const command = findCommand(name);
    if (command == nullptr) {
        return withHint(unknownCommand(name), nullptr);
    }
    if (given.has("help")) {
        return Information{commandHelp(*command)};
    }
    auto arguments = CommandReader(*command, given, surroundings).read();
    if (auto* const error = std::get_if<ArgumentError>(&arguments)) {
        return withHint(std::move(*error), command);
    }
    return std::move(std::get<CliArguments>(arguments));
}

} // namespace lockscope::cli
