#include "core/kernel/protocol/file_section.h"

#include "core/kernel/base/duration_text.h"
#include "core/kernel/base/kernel_text.h"
#include "core/kernel/base/spelling.h"

#include <algorithm>
#include <utility>

namespace lockscope::protocol {

using nlohmann::json;

namespace {

/// A misspelt name is this near to the right one.
constexpr std::size_t kSlip = 3;

std::string unknownMember(std::string_view name, const std::vector<std::string_view>& known)
{
    const std::string_view meant = nearestWord(name, known, kSlip);
    return meant.empty()
               ? KernelText::tr("\"%1\" is not a known member.", name)
               : KernelText::tr("\"%1\" is not a known member; did you mean \"%2\"?", name, meant);
}

} // namespace

FileSection::FileSection(const json& object, std::string path,
                         const std::vector<std::string_view>& known)
    : m_json(object),
      m_path(std::move(path))
{
    if (!m_json.is_object()) {
        throw FileFault{m_path, KernelText::tr("An object in braces is expected.")};
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
        throw FileFault{m_path, KernelText::tr("\"%1\" is missing.", name)};
    }
    return m_json.at(std::string(name));
}

std::string FileSection::text(std::string_view name) const
{
    const json& value = at(name);
    if (!value.is_string()) {
        fail(name, KernelText::tr("\"%1\" must be a string.", name));
    }
    std::string text = value.get<std::string>();
    if (text.empty()) {
        fail(name, KernelText::tr("\"%1\" is empty.", name));
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
        fail(name, KernelText::tr("\"%1\" is empty.", name));
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
        fail(name, KernelText::tr("\"%1\" must be a list of strings.", name));
    }
    for (const json& element : list) {
        if (!element.is_string()) {
            throw FileFault{pathOf(name) + '/' + std::to_string(texts.size()),
                            KernelText::tr("Only strings are allowed in \"%1\".", name)};
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
        fail(name, KernelText::tr("\"%1\" must be true or false.", name));
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
        fail(name, KernelText::tr("\"%1\" must be a duration such as \"250ms\" or \"10s\".", name));
    }
    return *duration;
}

Promise FileSection::promise(std::string_view name) const
{
    const std::optional<Promise> promise = promiseNamed(text(name));
    if (!promise) {
        fail(name, KernelText::tr("Unknown promise."));
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
        fail(name,
             KernelText::tr("\"%1\" must be a whole number from %2 to %3.", name, least, most));
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
