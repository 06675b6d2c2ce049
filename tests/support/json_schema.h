#pragma once

#include <nlohmann/json.hpp>

#include <string>

namespace lockscope::testing {

/// What is wrong with the value by a JSON schema: the first thing, with its place; empty: nothing.
/// Knows what the schemas of docs/json are made of (type, enum, const, anyOf, pattern, required,
/// properties, additionalProperties: false, items, $ref to $defs or another file), and complains of
/// every other keyword.
std::string schemaComplaint(const nlohmann::json& value, const nlohmann::json& schema);

/// The same for a schema in docs/json: "run".
std::string schemaComplaint(const nlohmann::json& value, const char* nameOfSchema);

} // namespace lockscope::testing
