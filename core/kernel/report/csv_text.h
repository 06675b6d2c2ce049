#pragma once

#include <string>
#include <string_view>

namespace lockscope::report {

/// A field of a line of comma-separated values, in quotation marks where RFC 4180 asks for them.
std::string csvQuoted(std::string_view field);

} // namespace lockscope::report
