#pragma once

#include <string>
#include <string_view>

namespace lockscope {

/// Text that a terminal may show, whatever is quoted in it. Line ends (also "\r\n") and tabs stay;
/// other control characters of ASCII and bytes that are not UTF-8 become `\xNN`, as with escaped(),
/// characters beyond ASCII that control or are invisible `\uNNNN`. JSON stays JSON with the same
/// values: it has the former only as escapes, and the latter are its own. What is printable already
/// stays as it is, so that texts with escaped() names can be passed.
std::string printable(std::string_view text);

} // namespace lockscope
