#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

namespace lockscope::wire {

/// What a client of an HttpListener asks for. Requests have no body: what follows the head is not
/// read.
struct HttpRequest {
    std::string method; // "GET"
    std::string path;   // "/metrics": without what follows a question mark
    std::string accept; // the Accept headers, joined by ","; empty: anything

    friend bool operator==(const HttpRequest&, const HttpRequest&) = default;
};

/// Why a request is not answered as it wants, as HTTP has it.
struct HttpRefusal {
    int status = 400;
    friend bool operator==(const HttpRefusal&, const HttpRefusal&) = default;
};

/// A longer head is refused.
inline constexpr std::size_t kHttpHeadBytesMax = 8 * 1024;

/// Reads the head of a request from the first bytes of a connection. nullopt: more has to come.
std::optional<std::variant<HttpRequest, HttpRefusal>> readHttpRequest(std::string_view bytes);

} // namespace lockscope::wire
