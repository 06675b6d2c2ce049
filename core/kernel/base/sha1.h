#pragma once

#include <string>
#include <string_view>

namespace lockscope {

/// The SHA1 digest (FIPS 180-4) as 40 lower-case hexadecimal digits: the name by which Redis knows
/// a script. No protection against deliberate collisions.
std::string sha1Hex(std::string_view bytes);

} // namespace lockscope
