#pragma once

#include "core/kernel/report/lock_json.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

// Each line of the audit file says what stood before it, so that a line that is removed, changed,
// inserted or moved later is noticed. See docs/decisions/0014-audit-lines-form-a-chain.md.
namespace lockscope::report {

/// SHA-256 of some bytes, in hexadecimal digits.
using AuditHash = std::function<std::string(std::string_view)>;

/// The place of a line in the chain.
struct AuditLink {
    std::uint64_t number = 0; // from 1, without gaps
    /// SHA-256 of what stands between the beginning of the line with the number before (of the
    /// file, for number 1) and this line, without the line end directly before it: that line and,
    /// where a write was interrupted, the torn one behind it.
    std::string previous;
    friend bool operator==(const AuditLink&, const AuditLink&) = default;
};

/// The link that a parsed line carries; nullopt: it has none.
std::optional<AuditLink> linkOf(const Json& line);

/// The line, one JSON object, with its link at the end.
std::string linked(std::string_view line, const AuditLink& link);

/// Where the last line begins that carries a link; nullopt: no whole line in `text` has one. The
/// first line of `text` is only looked at where `isWhole`: else it may be the end of one.
std::optional<std::size_t> lastLinked(std::string_view text, bool isWhole);

/// The link of a line that is written behind `text`, which begins with the last line that carries
/// one, or with the file if none does.
AuditLink nextLink(std::string_view text, const AuditHash& hash);

} // namespace lockscope::report
