#include "app/option_set.h"

#include "app/quoted_words.h"
#include "core/kernel/base/joined.h"
#include "core/kernel/workload/run_parameters.h"

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <cctype>

namespace lockscope::app {

namespace {

constexpr std::size_t kHelpColumn = 28;
constexpr const char* kOwnGroup = "Options";

std::string dashed(std::string_view name)
{
    return "--" + std::string(name);
}

std::string quotedBefore(const std::string& text, const std::string& complaint)
{
    return complaint.empty() ? complaint : inQuotes(text) + ' ' + complaint;
}

} // namespace

std::string readDuration(const std::string& text, Duration& value)
{
    return quotedBefore(text, workload::readSpan(text, Duration(0), value));
}

std::string readNumber(const std::string& text, std::uint64_t min, std::uint64_t max,
                       std::uint64_t& value)
{
    return quotedBefore(text, workload::readCount(text, min, max, value));
}

std::string noneOf(const std::string& text, const std::vector<std::string_view>& words)
{
    return inQuotes(text) + (words.size() > 1 ? " is none of " : " is not ") + joined(words, ", ");
}

std::string_view optionNameIn(std::string_view word)
{
    return word.starts_with("--") ? word.substr(2, word.find('=') - 2) : std::string_view();
}

std::string withManualDashes(std::string_view text)
{
    std::string dashed;
    for (const char c : text) {
        dashed += c == '-' ? "\\-" : std::string(1, c);
    }
    return dashed;
}

OptionSet::OptionSet() : m_app(std::make_unique<CLI::App>()), m_group(kOwnGroup)
{
    m_app->set_help_flag();
    m_app->allow_extras();
}

OptionSet::~OptionSet() = default;

void OptionSet::add(std::string_view name, std::string_view valueName, Reader read,
                    std::string_view help, bool isRepeatable)
{
    const CLI::callback_t readAll = [option = dashed(name), read = std::move(read),
                                     isRepeatable](const CLI::results_t& texts) {
        if (texts.size() > 1 && !isRepeatable) {
            throw ArgumentError{option + " is given twice"};
        }
        for (const std::string& text : texts) {
            const std::string complaint = read(text);
            if (!complaint.empty()) {
                throw ArgumentError{std::string(option).append(": ").append(complaint)};
            }
        }
        return true;
    };
    m_app->add_option(dashed(name), readAll, std::string(help))
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
        ->option_text(std::string(valueName))
        ->group(m_group);
    m_names.emplace(name);
    m_withValues.emplace(dashed(name));
    if (isRepeatable) {
        m_repeatable.emplace(name);
    }
}

void OptionSet::addFile(std::string_view name, std::string& target, std::string_view help)
{
    const auto read = [&target](const std::string& text) {
        target = text;
        return std::string(text.empty() ? "the name of the file is empty" : "");
    };
    add(name, "FILE", read, help);
}

void OptionSet::addDuration(std::string_view name, Duration& target, std::string_view help)
{
    const auto read = [&target](const std::string& text) { return readDuration(text, target); };
    add(name, "DURATION", read, help);
}

void OptionSet::addSwitch(std::string_view name, bool& target, std::string_view help)
{
    m_app->add_flag(dashed(name), target, std::string(help))
        ->disable_flag_override()
        ->group(m_group);
    m_names.emplace(name);
}

void OptionSet::addQuestion(std::string_view name, std::string_view help)
{
    const std::string names = (name == "help" ? "-h," : "") + dashed(name);
    const auto ask = [name = std::string(name)] { throw Asked{name}; };
    m_app->add_flag_callback(names, ask, std::string(help))->trigger_on_parse()->group(m_group);
    m_names.emplace(name);
}

OptionSet::Words OptionSet::read(std::span<const std::string> words)
{
    std::vector<std::string> plain; // what CLI11 cannot misunderstand
    std::size_t at = 0;
    for (; at < words.size() && words[at] != "--"; ++at) {
        const std::string& word = words[at];
        const std::string option = word.substr(0, word.find('='));
        const bool hasValue = option != word;
        if (!takesNext(option)) {
            if (hasValue && m_names.contains(optionNameIn(word))) {
                throw ArgumentError{option + " takes no value"};
            }
            plain.push_back(word);
            continue;
        }
        if (!hasValue && ++at == words.size()) {
            throw ArgumentError{word + " needs a value"};
        }
        const std::string value = hasValue ? word.substr(option.size() + 1) : words[at];
        if (!hasValue && m_names.contains(optionNameIn(value))) {
            std::string reason = word + " needs a value, not " + inQuotes(value);
            reason.append("; if you mean that, write ").append(word).append("=").append(value);
            throw ArgumentError{std::move(reason)};
        }
        plain.insert(plain.end(), {option, value});
    }
    try {
        m_app->parse(std::vector<std::string>(plain.rbegin(), plain.rend()));
    } catch (const CLI::ParseError& error) {
        throw ArgumentError{error.what()};
    }
    Words rest;
    for (const std::string& word : m_app->remaining()) {
        const bool isOption = word.size() > 1 && word.front() == '-';
        (isOption ? rest.unknownOptions : rest.operands).push_back(word);
    }
    rest.countBeforeDashes = rest.operands.size();
    for (++at; at < words.size(); ++at) {
        rest.operands.push_back(words[at]);
    }
    return rest;
}

void OptionSet::suggest(std::string_view name, std::vector<std::string> words)
{
    m_words.insert_or_assign(std::string(name), std::move(words));
}

std::vector<OptionFact> OptionSet::facts() const
{
    std::vector<OptionFact> facts;
    for (const CLI::Option* const option : std::as_const(*m_app).get_options()) {
        const std::string& name = option->get_lnames().front();
        const auto words = m_words.find(name);
        facts.push_back({name, option->get_option_text(), option->get_description(),
                         words != m_words.end() ? words->second : std::vector<std::string>(),
                         m_repeatable.contains(name)});
    }
    return facts;
}

std::string OptionSet::help() const
{
    CLI::Formatter formatter;
    formatter.column_width(kHelpColumn);
    std::string text = formatter.make_groups(m_app.get(), CLI::AppFormatMode::Normal);
    for (std::size_t gap = text.find("\n\n\n"); gap != std::string::npos;
         gap = text.find("\n\n\n")) {
        text.erase(gap, 1);
    }
    return text;
}

std::string OptionSet::synopsis() const
{
    std::string text;
    std::string lastGroup;
    for (const CLI::Option* const option : std::as_const(*m_app).get_options()) {
        std::string group = option->get_group();
        if (group == kOwnGroup) {
            const std::string& value = option->get_option_text();
            text += ".RB [ --" + option->get_lnames().front()
                    + (value.empty() ? " ]\n" : "\n.IR " + value + " ]\n");
        } else if (group != lastGroup && !option->get_trigger_on_parse()) {
            lastGroup = group;
            group.front() = static_cast<char>(std::tolower(group.front()));
            text += ".RI [ \"" + group + "\" ]\n";
        }
    }
    return text;
}

ArgumentError unknownOption(std::string_view word, const OptionSet::Names& known)
{
    const std::string reason = "unknown option " + inQuotes(word.substr(0, word.find('=')));
    if (!word.starts_with("--")) {
        return {reason + "; write arguments that begin with a dash after \"--\""};
    }
    const std::vector<std::string_view> names(known.begin(), known.end());
    const std::string_view meant = closestTo(optionNameIn(word), names);
    return {meant.empty() ? reason : reason + "; did you mean " + dashed(meant) + '?'};
}

} // namespace lockscope::app
