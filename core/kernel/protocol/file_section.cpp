#include "core/kernel/protocol/file_section.h"

#include "core/kernel/base/duration_text.h"
#include "core/kernel/base/spelling.h"

#include <algorithm>
#include <utility>

namespace lockscope::protocol {

using nlohmann::json;

namespace {

/// A misspelt name is this near to the right one.
constexpr std::size_t kSlip = 3;

std::string quoted(std::string_view name)
{
    return '"' + std::string(name) + '"';
}

std::string unknownMember(std::string_view name, std::initializer_list<std::string_view> known)
{
    const std::vector<std::string_view> words(known);
    const std::string_view meant = nearestWord(name, words, kSlip);
    std::string reason = quoted(name) + " is not a known member";
    return meant.empty() ? reason + "." : reason + "; did you mean " + quoted(meant) + "?";
}

} // namespace

FileSection::FileSection(const json& object, std::string path,
                         std::initializer_list<std::string_view> known)
    : m_json(object),
      m_path(std::move(path))
{
    if (!m_json.is_object()) {
        throw FileFault{m_path, "An object in braces is expected."};
    }
    for (const auto& [name, value] : m_json.items()) {
        if (std::find(known.begin(), known.end(), name) == known.end()) {
            fail(name, unknownMember(name, known));
        }
    }
}

std::string FileSection::pathOf(std::string_view name) const
{
    return m_path + '/' + std::string(name);
}

void FileSection::fail(std::string_view name, std::string reason) const
{
    throw FileFault{pathOf(name), std::move(reason)};
}

const json& FileSection::at(std::string_view name) const
{
    if (!has(name)) {
        throw FileFault{m_path, quoted(name) + " is missing."};
    }
    return m_json.at(std::string(name));
}

std::string FileSection::text(std::string_view name) const
{
    const json& value = at(name);
    if (!value.is_string()) {
        fail(name, quoted(name) + " must be a string.");
    }
    std::string text = value.get<std::string>();
    if (text.empty()) {
        fail(name, quoted(name) + " is empty.");
    }
    return text;
}

std::string FileSection::lines(std::string_view name) const
{
    if (!at(name).is_array()) {
        return text(name);
    }
    std::string joined;
    for (const std::string& line : texts(name)) {
        joined += line + '\n';
    }
    if (joined.empty()) {
        fail(name, quoted(name) + " is empty.");
    }
    joined.pop_back();
    return joined;
}

std::vector<std::string> FileSection::texts(std::string_view name) const
{
    std::vector<std::string> texts;
    if (!has(name)) {
        return texts;
    }
    const json& list = at(name);
    if (!list.is_array()) {
        fail(name, quoted(name) + " must be a list of strings.");
    }
    for (const json& element : list) {
        if (!element.is_string()) {
            throw FileFault{pathOf(name) + '/' + std::to_string(texts.size()),
                            "Only strings are allowed in " + quoted(name) + "."};
        }
        texts.push_back(element.get<std::string>());
    }
    return texts;
}

std::string FileSection::textOr(std::string_view name, std::string fallback) const
{
    return has(name) ? text(name) : std::move(fallback);
}

bool FileSection::flagOr(std::string_view name, bool fallback) const
{
    if (!has(name)) {
        return fallback;
    }
    if (!at(name).is_boolean()) {
        fail(name, quoted(name) + " must be true or false.");
    }
    return at(name).get<bool>();
}

Duration FileSection::durationOr(std::string_view name, Duration fallback) const
{
    if (!has(name)) {
        return fallback;
    }
    const std::optional<Duration> duration = at(name).is_string()
                                                 ? parseDuration(at(name).get<std::string>())
                                                 : std::nullopt;
    if (!duration) {
        fail(name, quoted(name) + " must be a duration such as \"250ms\" or \"10s\".");
    }
    return *duration;
}

Promise FileSection::promise(std::string_view name) const
{
    const std::optional<Promise> promise = promiseNamed(text(name));
    if (!promise) {
        fail(name, "Unknown promise.");
    }
    return *promise;
}

std::optional<int> FileSection::number(std::string_view name, int least, int most) const
{
    if (!has(name)) {
        return std::nullopt;
    }
    const json& value = at(name);
    const bool isInRange = value.is_number_integer() && value.get<double>() >= least
                           && value.get<double>() <= most;
    if (!isInRange) {
        fail(name, quoted(name) + " must be a whole number from " + std::to_string(least) + " to "
                       + std::to_string(most) + ".");
    }
    return value.get<int>();
}

std::optional<Promise> promiseNamed(std::string_view id)
{
    for (int i = 0; i < static_cast<int>(Promise::PromiseCount); ++i) {
        if (idOf(static_cast<Promise>(i)) == id) {
            return static_cast<Promise>(i);
        }
    }
    return std::nullopt;
}

} // namespace lockscope::protocol
