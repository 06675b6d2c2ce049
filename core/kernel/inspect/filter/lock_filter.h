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
    std::string better; // what may have been meant in place of that part; empty: nobody knows
};

/// The text of a filter as it may have been meant; empty where nobody knows.
std::string mendedFilter(std::string_view text, const FilterError& error);

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
/// ASCII case. Letters before a colon are the name of a field, and one that is not known is
/// refused: a word such as `order:42` is looked for in quotes.
///
/// - `key`, `owner`, `format`, `library`, `server`, `client`: `:` looks for a part of the text, `=`
/// compares all
///   of it. `*` and `?` are wildcards, and then all of the text must match. `~` always compares all
///   of it, as a glob (`key~order:*`), or looks for a regular expression (`key~/^order:\d+$/`).
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
