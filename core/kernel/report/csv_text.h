#pragma once

#include <string>
#include <string_view>

namespace lockscope::report {

/// A field of a line of comma-separated values: printable(), csvGuarded(), and in quotation marks
/// where RFC 4180 asks for them.
std::string csvField(std::string_view text);

/// With an apostrophe in front of what a spreadsheet would take for a formula: any client
/// may choose the name of a key or an owner. For a text that begins a field, or one of several
/// that are joined in a field. Negative numbers stay as they are.
std::string csvGuarded(std::string_view text);

} // namespace lockscope::report
