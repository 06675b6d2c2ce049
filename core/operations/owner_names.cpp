#include "core/operations/owner_names.h"

#include "core/kernel/base/kernel_text.h"
#include "core/kernel/protocol/file_section.h"
#include "core/kernel/protocol/json_file.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <utility>

namespace lockscope::operations {

using inspect::TokenPattern;
using protocol::FileSection;

namespace {

/// A name in the table stands for a whole token or for a part of one.
std::map<std::string, std::string, std::less<>> readNames(const FileSection& file)
{
    std::map<std::string, std::string, std::less<>> names;
    if (!file.has("names")) {
        return names;
    }
    const nlohmann::json& table = file.at("names");
    if (!table.is_object()) {
        file.fail("names", KernelText::tr("An object is needed here: tokens and their names."));
    }
    for (const auto& [token, name] : table.items()) {
        if (!name.is_string()) {
            throw protocol::FileFault{"/names/" + token, KernelText::tr("A text is needed here.")};
        }
        names.emplace(token, name.get<std::string>());
    }
    return names;
}

bool hasLabel(const std::vector<TokenPattern::Match>& parts, std::string_view label)
{
    return std::ranges::find(parts, label, &TokenPattern::Match::label) != parts.end();
}

} // namespace

std::variant<OwnerNames, std::string> OwnerNames::read(std::string_view text)
{
    OwnerNames owners;
    const auto error = protocol::readJsonFile(text, [&owners](const nlohmann::json& json) {
        const FileSection file(json, "", {"rules", "names"});
        owners.m_names = readNames(file);
        const nlohmann::json rules = file.has("rules") ? file.at("rules") : nlohmann::json::array();
        if (!rules.is_array()) {
            file.fail("rules", KernelText::tr("A list is needed here."));
        }
        for (std::size_t i = 0; i < rules.size(); ++i) {
            const FileSection rule(rules.at(i), "/rules/" + std::to_string(i), {"token", "who"});
            std::string reason;
            const std::string token = rule.text("token");
            std::optional<TokenPattern> pattern = TokenPattern::parse(token, reason);
            if (!pattern) {
                rule.fail("token", reason);
            }
            owners.m_rules.push_back({token, std::move(*pattern), rule.text("who")});
        }
    });
    if (error) {
        return protocol::toText(*error);
    }
    return owners;
}

std::string OwnerNames::nameOf(std::string_view part) const
{
    const auto name = m_names.find(part);
    return name != m_names.end() ? name->second : escaped(part);
}

/// What stands in braces and is no label of the token stays as it is.
std::string OwnerNames::filled(const Rule& rule,
                               const std::vector<TokenPattern::Match>& parts) const
{
    std::string text;
    std::string_view rest = rule.who;
    while (!rest.empty()) {
        const std::size_t begin = rest.find('{');
        const std::size_t end = begin == std::string_view::npos ? begin : rest.find('}', begin);
        if (end == std::string_view::npos) {
            return text + std::string(rest);
        }
        const std::string_view label = rest.substr(begin + 1, end - begin - 1);
        text += rest.substr(0, begin);
        const auto part = std::ranges::find(parts, label, &TokenPattern::Match::label);
        text += hasLabel(parts, label) ? nameOf(part->text)
                                       : std::string(rest.substr(begin, end + 1 - begin));
        rest.remove_prefix(end + 1);
    }
    return text;
}

std::optional<KnownOwner> OwnerNames::find(std::string_view token) const
{
    if (const auto name = m_names.find(token); name != m_names.end()) {
        return KnownOwner{name->second, KernelText::tr("your table of names has the token")};
    }
    for (const Rule& rule : m_rules) {
        if (const auto parts = rule.pattern.match(token)) {
            return KnownOwner{filled(rule, *parts),
                              KernelText::tr("your rule %1 fits the token", rule.token)};
        }
    }
    return std::nullopt;
}

} // namespace lockscope::operations
