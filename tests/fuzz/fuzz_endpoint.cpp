// Server addresses come from people, files and the environment: whatever they are, they are read or
// refused.

#include "core/kernel/store/endpoint.h"
#include "tests/fuzz/fuzz_check.h"

#include <cstddef>
#include <cstdint>

using namespace lockscope::store;
using lockscope::testing::check;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const std::string_view url(reinterpret_cast<const char*>(data), size);
    const auto result = parseEndpoint(url);
    if (const auto* const error = std::get_if<UrlError>(&result)) {
        check(error->at <= url.size() && !error->reason.empty());
        return 0;
    }
    // What was understood is understood again, except for the password, which no URL of ours
    // contains.
    Endpoint endpoint = std::get<Endpoint>(result);
    endpoint.password.clear();
    const auto again = parseEndpoint(toUrl(endpoint));
    check(std::holds_alternative<Endpoint>(again) && std::get<Endpoint>(again) == endpoint);
    return 0;
}
