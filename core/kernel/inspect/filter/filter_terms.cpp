#include "core/kernel/inspect/filter/filter_terms.h"

#include "core/kernel/base/characters.h"
#include "core/kernel/base/duration_text.h"
#include "core/kernel/base/joined.h"
#include "core/kernel/base/kernel_text.h"
#include "core/kernel/base/spelling.h"

#include <algorithm>
#include <charconv>

namespace lockscope::inspect {

namespace {

using Result = std::variant<FilterNode, FilterError>;

enum class Comparison { Less, LessOrEqual, Equal, GreaterOrEqual, Greater };

/// A word taken apart: `held>=10m`.
struct Term {
    FilterToken token;
    std::string_view field;
    std::string_view sign; // ":", "=", "~", "<", "<=", ">", ">="
    std::string_view value;

    bool isEquality() const { return sign == ":" || sign == "="; }
    bool comparesText() const { return isEquality() || sign == "~"; }
};

template<class Number>
bool compared(Number left, Comparison comparison, Number right)
{
    switch (comparison) {
    case Comparison::Less: return left < right;
    case Comparison::LessOrEqual: return left <= right;
    case Comparison::Equal: return left == right;
    case Comparison::GreaterOrEqual: return left >= right;
    case Comparison::Greater: return left > right;
    }
    return false;
}

Comparison comparisonOf(std::string_view sign)
{
    if (sign == "<") {
        return Comparison::Less;
    }
    if (sign == "<=") {
        return Comparison::LessOrEqual;
    }
    if (sign == ">") {
        return Comparison::Greater;
    }
    return sign == ">=" ? Comparison::GreaterOrEqual : Comparison::Equal;
}

/// A node that is a single question.
template<class Predicate>
class PredicateNode final : public LockFilter::Node {
public:
    PredicateNode(Predicate predicate, bool dependsOnTime)
        : m_predicate(std::move(predicate)),
          m_dependsOnTime(dependsOnTime)
    {}
    bool matches(const LockRecord& record, const FilterContext& context) const override
    {
        return m_predicate(record, context);
    }
    bool dependsOnTime() const override { return m_dependsOnTime; }

private:
    Predicate m_predicate;
    bool m_dependsOnTime;
};

template<class Predicate>
FilterNode nodeOf(Predicate predicate, bool dependsOnTime = false)
{
    return std::make_unique<const PredicateNode<Predicate>>(std::move(predicate), dependsOnTime);
}

FilterNode textNode(FilterField::TextTest test, TextPattern pattern)
{
    return nodeOf([test, pattern = std::move(pattern)](const LockRecord& record,
                                                       const FilterContext& context) {
        return test(record, context, pattern);
    });
}

using Bits = std::uint32_t;

constexpr Bits bitOf(std::size_t index)
{
    return Bits{1} << index;
}

// Errors

std::string inQuotes(std::string_view text)
{
    return '"' + elidedMiddle(escaped(text), 40) + '"';
}

FilterError errorAtValue(const Term& term, std::string reason)
{
    const auto offset = static_cast<std::size_t>(term.value.data() - term.token.text.data());
    return FilterError{std::move(reason), term.token.at + offset, term.value.size(), {}};
}

FilterError errorAtField(const Term& term, std::string reason)
{
    return FilterError{std::move(reason), term.token.at, term.field.size(), {}};
}

/// In quotes it is looked for as it is. A word that has some already is left to its author.
std::string quotedWord(const FilterToken& token)
{
    return token.text.find('"') == std::string_view::npos ? '"' + std::string(token.text) + '"'
                                                          : std::string();
}

FilterError unknownField(const Term& term, const std::vector<std::string_view>& known)
{
    // Keys are full of colons: `order:42` is rather one than a slip in "owner".
    const std::size_t likely = term.sign == ":" ? 1 : 2;
    const std::string_view guess = nearestWord(lowered(term.field), known, likely);
    const std::string field = inQuotes(term.field);
    if (!guess.empty()) {
        FilterError error = errorAtField(term, KernelText::tr("unknown field %1: did you mean %2?",
                                                              field, guess));
        error.better = guess;
        return error;
    }
    if (term.sign != ":") {
        return errorAtField(term, KernelText::tr("unknown field %1: the fields are %2", field,
                                                 joined(known, ", ")));
    }
    FilterError error = errorAt(
        term.token,
        KernelText::tr("unknown field %1: the fields are %2; text with a colon is looked for in "
                       "quotes",
                       field, joined(known, ", ")));
    error.better = quotedWord(term.token);
    return error;
}

FilterError unknownValue(const Term& term, const std::vector<std::string_view>& known)
{
    const std::string_view guess = nearestWord(lowered(term.value), known, 3);
    const std::string value = inQuotes(term.value);
    FilterError error = errorAtValue(term, guess.empty()
                                               ? KernelText::tr("unknown %1 %2: use %3", term.field,
                                                                value, joined(known, ", "))
                                               : KernelText::tr("unknown %1 %2: did you mean %3?",
                                                                term.field, value, guess));
    error.better = guess;
    return error;
}

FilterError errorAtSign(const Term& term, std::string reason)
{
    return FilterError{std::move(reason), term.token.at + term.field.size(), term.sign.size(), {}};
}

FilterError needsEquality(const Term& term)
{
    return errorAtSign(term, KernelText::tr("%1 must be compared with \":\" or \"=\"", term.field));
}

FilterError hasNoText(const Term& term)
{
    return errorAtSign(term, KernelText::tr("%1 is no text: compare it with \":\", \"=\", \"<\", "
                                            "\"<=\", \">\" or \">=\"",
                                            term.field));
}

// From a term to a node

using Pattern = std::variant<TextPattern, FilterError>;

/// `/…/` behind a `~`.
Pattern regexOf(const Term& term)
{
    std::string_view inside = term.value.substr(1);
    const std::size_t end = inside.find_last_of('/');
    if (end == std::string_view::npos || end + 1 != inside.size()) {
        return errorAtValue(term,
                            KernelText::tr("a regular expression ends with its closing \"/\""));
    }
    inside.remove_suffix(1);
    auto compiled = TextRegex::compile(inside);
    if (const auto* const reason = std::get_if<std::string>(&compiled)) {
        return errorAtValue(term,
                            KernelText::tr("this regular expression cannot be read: %1", *reason));
    }
    return TextPattern(std::get<TextRegex>(std::move(compiled)));
}

/// `:` without wildcards looks for a part of the text; `=`, `~` and wildcards for all of it.
Pattern patternOf(const Term& term)
{
    if (term.sign == "~" && term.value.starts_with('/')) {
        return regexOf(term);
    }
    TextPattern whole(term.value, TextPattern::Reach::Whole);
    const bool isWhole = term.sign != ":" || whole.hasWildcards() || term.value == "\"\"";
    return isWhole ? whole : TextPattern(term.value, TextPattern::Reach::Anywhere);
}

Result textTerm(const Term& term, FilterField::TextTest test)
{
    if (!term.comparesText()) {
        return needsEquality(term);
    }
    Pattern pattern = patternOf(term);
    if (auto* const error = std::get_if<FilterError>(&pattern)) {
        return std::move(*error);
    }
    return textNode(test, std::get<TextPattern>(std::move(pattern)));
}

Result valuesTerm(const Term& term, const FilterField::Values& values)
{
    if (!term.comparesText()) {
        return needsEquality(term);
    }
    if (values.isSet && term.isEquality() && lowered(term.value) == "none") {
        return nodeOf([bitsOf = values.bitsOf](const LockRecord& record, const FilterContext&) {
            return bitsOf(record) == 0;
        });
    }
    // Ids are compared as a whole, also with ":".
    Pattern pattern = term.isEquality() ? TextPattern(term.value, TextPattern::Reach::Whole)
                                        : patternOf(term);
    if (auto* const error = std::get_if<FilterError>(&pattern)) {
        return std::move(*error);
    }
    const auto& wantedText = std::get<TextPattern>(pattern);
    const bool isAny = values.isSet && term.isEquality() && lowered(term.value) == "any";
    std::vector<std::string_view> ids;
    Bits wanted = 0;
    for (std::size_t i = 0; i < values.count; ++i) {
        ids.push_back(values.idAt(i));
        wanted |= isAny || wantedText.matches(ids[i]) ? bitOf(i) : 0;
    }
    if (wanted == 0) {
        return unknownValue(term, ids);
    }
    return nodeOf([bitsOf = values.bitsOf, wanted](const LockRecord& record, const FilterContext&) {
        return (bitsOf(record) & wanted) != 0;
    });
}

/// What is not known is neither more nor less than anything.
Result numberTerm(const Term& term, FilterField::NumberReader reader)
{
    if (term.sign == "~") {
        return hasNoText(term);
    }
    std::int64_t number = 0;
    const char* const last = term.value.data() + term.value.size();
    const auto [end, error] = std::from_chars(term.value.data(), last, number);
    if (error != std::errc() || end != last) {
        return errorAtValue(term, KernelText::tr("%1 is not a whole number", inQuotes(term.value)));
    }
    return nodeOf([reader, comparison = comparisonOf(term.sign), number](const LockRecord& record,
                                                                         const FilterContext&) {
        const std::optional<std::int64_t> value = reader(record);
        return value && compared(*value, comparison, number);
    });
}

Result durationTerm(const Term& term, const FilterField::Time& time)
{
    if (term.sign == "~") {
        return hasNoText(term);
    }
    const std::string value = lowered(term.value);
    const auto reader = time.reader;
    if (time.mayBeEndless && (value == "none" || value == "never")) {
        if (!term.isEquality()) {
            return needsEquality(term);
        }
        return nodeOf([reader](const LockRecord& record, const FilterContext& context) {
            return reader(record, context.now) == Duration::max();
        });
    }
    const std::optional<Duration> limit = parseDuration(value);
    if (!limit) {
        return errorAtValue(term, KernelText::tr("%1 is not a duration such as 250ms, 10s or 5m",
                                                 inQuotes(term.value)));
    }
    const Comparison comparison = comparisonOf(term.sign);
    if (comparison == Comparison::Equal) {
        // No two clocks agree to the microsecond: equal means the same second, below a second the
        // same millisecond.
        const Duration step = *limit < std::chrono::seconds(1) ? Duration(1000) : Duration(1000000);
        return nodeOf(
            [reader, limit = *limit, step](const LockRecord& record, const FilterContext& context) {
                return reader(record, context.now) / step == limit / step;
            },
            true);
    }
    return nodeOf(
        [reader, comparison, limit = *limit](const LockRecord& record,
                                             const FilterContext& context) {
            return compared(reader(record, context.now), comparison, limit);
        },
        true);
}

Result fieldTerm(const Term& term, const FilterField& field)
{
    if (term.value.empty()) {
        return errorAt(term.token, KernelText::tr("%1%2 needs a value", term.field, term.sign));
    }
    struct Reader {
        const Term& term;
        Result operator()(FilterField::TextTest test) const { return textTerm(term, test); }
        Result operator()(const FilterField::Values& values) const
        {
            return valuesTerm(term, values);
        }
        Result operator()(FilterField::NumberReader reader) const
        {
            return numberTerm(term, reader);
        }
        Result operator()(const FilterField::Time& time) const { return durationTerm(term, time); }
    };
    return std::visit(Reader{term}, field.meaning);
}

Result bareTerm(const FilterToken& token, FilterFields fields)
{
    std::vector<FilterField::TextTest> tests;
    for (const FilterField& field : fields) {
        if (field.isInBareWords) {
            tests.push_back(std::get<FilterField::TextTest>(field.meaning));
        }
    }
    return nodeOf([tests = std::move(tests),
                   pattern = TextPattern(token.text, TextPattern::Reach::Anywhere)](
                      const LockRecord& record, const FilterContext& context) {
        return std::ranges::any_of(tests, [&](FilterField::TextTest test) {
            return test(record, context, pattern);
        });
    });
}

Term termOf(const FilterToken& token, std::size_t signAt)
{
    Term term{token, token.text.substr(0, signAt), token.text.substr(signAt, 1), {}};
    std::string_view rest = token.text.substr(signAt);
    const bool isTwoLetters = rest.starts_with("<=") || rest.starts_with(">=");
    term.sign = rest.substr(0, isTwoLetters ? 2 : 1);
    term.value = rest.substr(term.sign.size());
    return term;
}

} // namespace

Result filterTerm(const FilterToken& token, FilterFields fields)
{
    const std::size_t signAt = findUnquoted(token.text, ":=~<>");
    if (signAt == std::string_view::npos) {
        return bareTerm(token, fields);
    }
    const Term term = termOf(token, signAt);
    std::vector<std::string_view> names;
    for (const FilterField& field : fields) {
        if (field.name == lowered(term.field)) {
            return fieldTerm(term, field);
        }
        names.push_back(field.name);
    }
    const bool mayBeKey = term.sign == ":" || term.sign == "~";
    if (mayBeKey && !isFieldName(term.field)) {
        return bareTerm(token, fields);
    }
    if (term.field.empty()) {
        return errorAt(token, KernelText::tr("write the comparison without spaces: held>10m"));
    }
    return unknownField(term, names);
}

} // namespace lockscope::inspect
