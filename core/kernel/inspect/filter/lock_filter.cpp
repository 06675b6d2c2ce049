#include "core/kernel/inspect/filter/lock_filter.h"

#include "core/kernel/base/kernel_text.h"
#include "core/kernel/inspect/filter/filter_terms.h"
#include "core/kernel/inspect/filter/filter_words.h"

#include <algorithm>

namespace lockscope::inspect {

namespace {

using Kind = FilterToken::Kind;

/// "and" of all its parts, or "or" of them.
class JunctionNode final : public LockFilter::Node {
public:
    enum class Kind { And, Or };

    JunctionNode(Kind kind, std::vector<FilterNode> parts) : m_kind(kind), m_parts(std::move(parts))
    {}

    bool matches(const LockRecord& record, const FilterContext& context) const override
    {
        const auto isMatch = [&](const FilterNode& part) { return part->matches(record, context); };
        return m_kind == Kind::And ? std::all_of(m_parts.begin(), m_parts.end(), isMatch)
                                   : std::any_of(m_parts.begin(), m_parts.end(), isMatch);
    }
    bool dependsOnTime() const override
    {
        return std::any_of(m_parts.begin(), m_parts.end(),
                           [](const FilterNode& part) { return part->dependsOnTime(); });
    }

private:
    Kind m_kind;
    std::vector<FilterNode> m_parts;
};

class NotNode final : public LockFilter::Node {
public:
    explicit NotNode(FilterNode part) : m_part(std::move(part)) {}

    bool matches(const LockRecord& record, const FilterContext& context) const override
    {
        return !m_part->matches(record, context);
    }
    bool dependsOnTime() const override { return m_part->dependsOnTime(); }

private:
    FilterNode m_part;
};

/// Recursive descent. A null node says that m_error is set.
///
///     either = both { "or" both }
///     both   = single { ["and"] single }
///     single = ("not" | "-") single | "(" either ")" | word
class FilterParser {
public:
    FilterParser(std::vector<FilterToken> tokens, FilterFields fields, std::size_t textLength)
        : m_tokens(std::move(tokens)),
          m_fields(fields),
          m_textLength(textLength)
    {}

    /// The whole text as one node; null with error() set when it makes no sense.
    FilterNode parse()
    {
        FilterNode node = either();
        if (node && m_next < m_tokens.size()) {
            return fail(errorAt(m_tokens[m_next],
                                KernelText::tr("\")\" without a matching \"(\"")));
        }
        return node;
    }

    const FilterError& error() const { return m_error; }

private:
    static constexpr int kDeepest = 100; // deeper than any real filter, and well within the stack

    FilterNode fail(FilterError error)
    {
        m_error = std::move(error);
        return nullptr;
    }

    bool isNext(Kind kind) const
    {
        return m_next < m_tokens.size() && m_tokens[m_next].kind == kind;
    }

    bool accept(Kind kind)
    {
        const bool isThere = isNext(kind);
        m_next += isThere ? 1 : 0;
        return isThere;
    }

    FilterNode either()
    {
        std::vector<FilterNode> parts;
        do {
            FilterNode part = both();
            if (!part) {
                return nullptr;
            }
            parts.push_back(std::move(part));
        } while (accept(Kind::Or));
        return joined(JunctionNode::Kind::Or, std::move(parts));
    }

    FilterNode both()
    {
        std::vector<FilterNode> parts;
        do {
            FilterNode part = single();
            if (!part) {
                return nullptr;
            }
            parts.push_back(std::move(part));
        } while (accept(Kind::And)
                 || (m_next < m_tokens.size() && !isNext(Kind::Or) && !isNext(Kind::Close)));
        return joined(JunctionNode::Kind::And, std::move(parts));
    }

    static FilterNode joined(JunctionNode::Kind kind, std::vector<FilterNode> parts)
    {
        if (parts.size() == 1) {
            return std::move(parts.front());
        }
        return std::make_unique<const JunctionNode>(kind, std::move(parts));
    }

    FilterNode single()
    {
        if (m_next == m_tokens.size()) {
            return fail(FilterError{
                KernelText::tr("the filter is incomplete"), m_textLength, 0, {}});
        }
        const FilterToken& token = m_tokens[m_next++];
        switch (token.kind) {
        case Kind::Word: return word(token);
        case Kind::Not:
        case Kind::Minus:
        case Kind::Open: return nested(token);
        case Kind::Close:
            return fail(errorAt(token, KernelText::tr("a term is missing before \")\"")));
        case Kind::Or:
        case Kind::And:
            return fail(errorAt(token,
                                KernelText::tr("a term is missing before \"%1\"", token.text)));
        }
        return nullptr;
    }

    FilterNode nested(const FilterToken& opening)
    {
        if (m_depth >= kDeepest) {
            return fail(errorAt(opening, KernelText::tr("the parentheses are nested too deeply")));
        }
        ++m_depth;
        FilterNode node = opening.kind == Kind::Open ? group(opening) : negation();
        --m_depth;
        return node;
    }

    FilterNode group(const FilterToken& opening)
    {
        FilterNode node = either();
        if (node && !accept(Kind::Close)) {
            return fail(errorAt(opening, KernelText::tr("the closing \")\" is missing")));
        }
        return node;
    }

    FilterNode negation()
    {
        FilterNode node = single();
        return node ? std::make_unique<const NotNode>(std::move(node)) : nullptr;
    }

    FilterNode word(const FilterToken& token)
    {
        std::variant<FilterNode, FilterError> term = filterTerm(token, m_fields);
        if (auto* const error = std::get_if<FilterError>(&term)) {
            return fail(std::move(*error));
        }
        return std::get<FilterNode>(std::move(term));
    }

    std::vector<FilterToken> m_tokens;
    FilterFields m_fields;
    std::size_t m_textLength;
    std::size_t m_next = 0;
    int m_depth = 0;
    FilterError m_error;
};

} // namespace

std::string mendedFilter(std::string_view text, const FilterError& error)
{
    if (error.better.empty()) {
        return {};
    }
    return std::string(text.substr(0, error.at)) + error.better
           + std::string(text.substr(error.at + error.length));
}

std::variant<LockFilter, FilterError> LockFilter::parse(std::string_view text, FilterFields fields)
{
    auto tokens = filterTokens(text);
    if (auto* const error = std::get_if<FilterError>(&tokens)) {
        return std::move(*error);
    }
    LockFilter filter;
    auto& words = std::get<std::vector<FilterToken>>(tokens);
    if (words.empty()) {
        return filter;
    }
    FilterParser parser(std::move(words), fields, text.size());
    filter.m_root = parser.parse();
    if (!filter.m_root) {
        return parser.error();
    }
    return filter;
}

bool LockFilter::matches(const LockRecord& record, const FilterContext& context) const
{
    return m_root == nullptr || m_root->matches(record, context);
}

bool LockFilter::dependsOnTime() const
{
    return m_root != nullptr && m_root->dependsOnTime();
}

} // namespace lockscope::inspect
