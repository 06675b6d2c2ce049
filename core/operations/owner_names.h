#pragma once

#include "core/kernel/base/bytes.h"
#include "core/kernel/inspect/formats/token_pattern.h"

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace lockscope::operations {

/// Who is behind an owner token, in the words of the user.
struct KnownOwner {
    std::string who; // "billing-3, process 4711"
    std::string how; // how that is known: which rule, or that the table has it
    friend bool operator==(const KnownOwner&, const KnownOwner&) = default;
};

/// What the user says of owner tokens, in owners.json:
///
///     {"rules": [{"token": "{host=text}:{pid=digits}:{id=uuid4}", "who": "{host}, process
///     {pid}"}],
///      "names": {"5f0c9a41-77aa-4c1e-9f00-1b2c3d4e5f60": "billing-3"}}
///
/// A rule takes a token apart, in the language of the formats, and puts its parts into `who`. The
/// table has names for whole tokens, and for single parts of them.
class OwnerNames {
public:
    OwnerNames() = default;

    /// Otherwise what is wrong with the text, in one sentence.
    static std::variant<OwnerNames, std::string> read(std::string_view text);

    /// nullopt: no rule fits the token, and the table does not have it.
    std::optional<KnownOwner> find(std::string_view token) const;

    bool isEmpty() const { return m_rules.empty() && m_names.empty(); }

private:
    struct Rule {
        std::string token; // as it was written
        inspect::TokenPattern pattern;
        std::string who;
    };

    std::string nameOf(std::string_view part) const;
    std::string filled(const Rule& rule,
                       const std::vector<inspect::TokenPattern::Match>& parts) const;

    std::vector<Rule> m_rules; // the first that fits counts
    std::map<std::string, std::string, std::less<>> m_names;
};

/// Shared by threads; never changed.
using OwnerNamesPtr = std::shared_ptr<const OwnerNames>;

} // namespace lockscope::operations
