#include "core/wire/http/http_request.h"

#include <algorithm>

namespace lockscope::wire {

namespace {

constexpr std::string_view kLineEnd = "\r\n";
constexpr std::string_view kHeadEnd = "\r\n\r\n";
constexpr HttpRefusal kMalformed{400};
constexpr HttpRefusal kHeadTooLarge{431};
constexpr HttpRefusal kOtherVersion{505};

bool isControl(char c)
{
    const auto byte = static_cast<unsigned char>(c);
    return byte < 0x20 || byte == 0x7f;
}

/// Takes what is before the separator, and the separator, from the text.
std::string_view takeUntil(std::string_view& text, std::string_view separator)
{
    const std::size_t at = std::min(text.find(separator), text.size());
    const std::string_view first = text.substr(0, at);
    text.remove_prefix(std::min(at + separator.size(), text.size()));
    return first;
}

std::string_view trimmed(std::string_view text)
{
    const std::size_t first = std::min(text.find_first_not_of(" \t"), text.size());
    const std::size_t last = text.find_last_not_of(" \t");
    return text.substr(first, last == std::string_view::npos ? 0 : last - first + 1);
}

bool isSameName(std::string_view typed, std::string_view lowerCase)
{
    return std::ranges::equal(typed, lowerCase, [](char a, char b) {
        return (a >= 'A' && a <= 'Z' ? static_cast<char>(a - 'A' + 'a') : a) == b;
    });
}

std::variant<HttpRequest, HttpRefusal> readRequestLine(std::string_view line)
{
    HttpRequest request;
    request.method = takeUntil(line, " ");
    std::string_view target = takeUntil(line, " ");
    if (request.method.empty() || !target.starts_with('/') || !line.starts_with("HTTP/")
        || std::ranges::any_of(target, isControl)) {
        return kMalformed;
    }
    if (line != "HTTP/1.1" && line != "HTTP/1.0") {
        return kOtherVersion;
    }
    request.path = takeUntil(target, "?");
    return request;
}

std::variant<HttpRequest, HttpRefusal> readHead(std::string_view head)
{
    auto read = readRequestLine(takeUntil(head, kLineEnd));
    auto* const request = std::get_if<HttpRequest>(&read);
    while (request != nullptr && !head.empty()) {
        std::string_view value = takeUntil(head, kLineEnd);
        const bool hasName = value.find(':') != std::string_view::npos;
        const std::string_view name = takeUntil(value, ":");
        if (!hasName || name.empty() || name != trimmed(name)) {
            return kMalformed; // also a line that goes on with the one before: nobody sends these
        }
        if (isSameName(name, "accept")) {
            request->accept += request->accept.empty() ? "" : ",";
            request->accept += trimmed(value);
        }
    }
    return read;
}

} // namespace

std::optional<std::variant<HttpRequest, HttpRefusal>> readHttpRequest(std::string_view bytes)
{
    const std::size_t end = bytes.find(kHeadEnd);
    if (std::min(end, bytes.size()) > kHttpHeadBytesMax) {
        return kHeadTooLarge;
    }
    if (end == std::string_view::npos) {
        return std::nullopt;
    }
    return readHead(bytes.substr(0, end));
}

} // namespace lockscope::wire
