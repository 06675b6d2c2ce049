#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

// The lines of an INFO reply.
namespace lockscope::store {

/// Calls `visit` with name and value of each line, until it returns false.
template<class Visit>
void visitInfoFields(std::string_view text, Visit visit)
{
    constexpr std::string_view kLineEnd = "\r\n";
    while (!text.empty()) {
        const std::size_t end = std::min(text.find(kLineEnd), text.size());
        const std::string_view line = text.substr(0, end);
        text.remove_prefix(std::min(end + kLineEnd.size(), text.size()));
        const std::size_t colon = line.find(':');
        if (colon != std::string_view::npos
            && !visit(line.substr(0, colon), line.substr(colon + 1))) {
            return;
        }
    }
}

/// A view of the reply.
class InfoFields {
public:
    explicit InfoFields(std::string_view text) : m_text(text) {}

    /// Empty where there is no such line.
    std::string_view at(std::string_view name) const;
    bool isSet(std::string_view name) const { return at(name) == "1"; }
    std::optional<std::int64_t> numberAt(std::string_view name) const;

private:
    std::string_view m_text;
};

/// The number at the beginning of the text.
std::optional<std::int64_t> infoNumber(std::string_view text);

/// What follows "name=" in "name=mymaster,status=ok,…"; empty where nothing does.
std::string_view infoPart(std::string_view line, std::string_view name);

} // namespace lockscope::store
