#include "core/kernel/report/audit_chain.h"

#include <algorithm>

namespace lockscope::report {

namespace {

constexpr std::string_view kNumber = "number";
constexpr std::string_view kPrevious = "previous";
constexpr std::size_t kHashDigits = 64;

Json parsed(std::string_view line)
{
    return Json::parse(line, nullptr, false);
}

std::string_view withoutLineEnd(std::string_view text)
{
    return text.substr(0, text.size() - (text.ends_with('\n') ? 1 : 0));
}

} // namespace

std::optional<AuditLink> linkOf(const Json& line)
{
    if (!line.is_object()) {
        return std::nullopt;
    }
    const auto number = line.find(kNumber);
    const auto previous = line.find(kPrevious);
    const bool isLink = number != line.end() && number->is_number_unsigned()
                        && previous != line.end() && previous->is_string();
    if (!isLink || previous->get_ref<const std::string&>().size() != kHashDigits) {
        return std::nullopt;
    }
    return AuditLink{number->get<std::uint64_t>(), previous->get<std::string>()};
}

std::string linked(std::string_view line, const AuditLink& link)
{
    std::string text(line.substr(0, line.rfind('}')));
    text += text == "{" ? "\"" : ",\"";
    text += std::string(kNumber) + "\":" + std::to_string(link.number) + ",\"";
    text += std::string(kPrevious) + "\":\"" + link.previous + "\"}";
    return text;
}

std::optional<std::size_t> lastLinked(std::string_view text, bool isWhole)
{
    std::size_t end = text.size();
    while (end > 0) {
        const std::size_t before = end >= 2 ? text.rfind('\n', end - 2) : std::string_view::npos;
        const bool isFirst = before == std::string_view::npos;
        if (isFirst && !isWhole) {
            return std::nullopt;
        }
        const std::size_t begin = isFirst ? 0 : before + 1;
        const std::string_view line = withoutLineEnd(text.substr(begin, end - begin));
        if (line.find(kPrevious) != std::string_view::npos && linkOf(parsed(line))) {
            return begin;
        }
        end = begin;
    }
    return std::nullopt;
}

AuditLink nextLink(std::string_view text, const AuditHash& hash)
{
    const std::string_view line = text.substr(0, std::min(text.find('\n'), text.size()));
    const std::optional<AuditLink> last = linkOf(parsed(line));
    return {last ? last->number + 1 : 1, hash(withoutLineEnd(text))};
}

} // namespace lockscope::report
