#pragma once

#include "core/kernel/report/lock_json.h"

#include <cstdint>
#include <optional>
#include <vector>

// Many numbers as one value in a CBOR file: a typed array (RFC 8746), which is a string of bytes
// whose tag says how wide a number is, and whether it has a sign. Little-endian.
namespace lockscope::report {

/// In the narrowest type that holds all of them.
Json typedColumn(const std::vector<std::int64_t>& numbers);

/// nullopt: this is no typed array of a type that typedColumn() writes.
std::optional<std::vector<std::int64_t>> numbersInTypedColumn(const nlohmann::json& value);

} // namespace lockscope::report
