#pragma once

#include "core/kernel/protocol/json_file.h"
#include "core/kernel/report/lock_json.h"

#include <functional>
#include <optional>
#include <string>
#include <string_view>

// Files that are too large to be text: CBOR (RFC 8949), which has what JSON has, and strings of
// bytes, with a tag if need be.
namespace lockscope::report {

/// Begins with the tag by which `file` and others recognise CBOR. Texts that are not UTF-8 are
/// written in escaped() form.
std::string cborText(Json content);

/// Whether it begins with that tag.
bool isCbor(std::string_view bytes);

/// Hands what was parsed to `read`, which throws a protocol::FileFault for what it does not like.
/// nullopt: nothing is wrong. Refuses what cborText() does not write: lengths that are not known
/// at the beginning, fractions, tags on anything but bytes, more than a few levels.
std::optional<protocol::FileError> readCborFile(
    std::string_view bytes, const std::function<void(const nlohmann::json&)>& read);

} // namespace lockscope::report
