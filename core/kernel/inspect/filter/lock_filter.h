#pragma once

#include "core/kernel/inspect/lock_record.h"

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace lockscope::inspect {

struct FilterError {
    std::string reason; // "unknown field \"onwer\": did you mean owner?"
    std::size_t at = 0; // offset in the text
    std::size_t length = 0;
};

struct FilterField;
using FilterFields = std::span<const FilterField>;

/// What a filter needs to know besides the lock. `now` is on the time line of the record's
/// instants; `serverNames` by LockId::server, for the field `server`.
struct FilterContext {
    Instant now{};
    std::span<const std::string> serverNames;
};

/// What the filter box and `--filter` mean. Words are joined by "and"; `or`, `not`, a leading `-`
/// and parentheses work as expected. Double quotes keep spaces, parentheses and wildcards literal;
/// `\xNN` is a byte.
///
/// A bare word is looked for in key, owner, format, library, client name and address, ignoring
/// ASCII case. A word with a colon whose beginning is no field and not one letter away from one is
/// a bare word too, so that a pasted key such as `order:42` finds its lock.
///
/// - `key`, `owner`, `format`, `library`, `server`, `client`: `:` looks for a part of the text, `=`
/// compares all
///   of it. `*` and `?` are wildcards, and then all of the text must match.
/// - `mode`, `state`, `flag`, `confidence`: one of their ids (wildcards allowed); also `flag:any`,
/// `flag:none`.
/// - `held`, `ttl`: durations (`held>10m`, `ttl<5s`); a lock without expiry has more `ttl` than any
/// number and is
///   found by `ttl:none` or `ttl:never`. `held` counts from the moment it was first seen.
/// - `waiters`, `holds`, `renewals`: whole numbers with `:`, `=`, `<`, `<=`, `>`, `>=`. A number
/// that is not known
///   matches none of them.
///
/// A default-constructed filter lets everything pass. Copies are cheap; matching is const and
/// thread-safe.
class LockFilter {
public:
    LockFilter() = default;

    /// `fields`: what there is to ask for, report::lockFilterFields().
    static std::variant<LockFilter, FilterError> parse(std::string_view text, FilterFields fields);

    bool matches(const LockRecord& record, const FilterContext& context) const;

    /// True when it may change its mind about an unchanged lock as time passes (`held>10m`).
    bool dependsOnTime() const;

    bool isEmpty() const { return m_root == nullptr; }

    class Node;

private:
    std::shared_ptr<const Node> m_root;
};

} // namespace lockscope::inspect
