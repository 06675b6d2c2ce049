#include "inspect/filter_terms.h"

#include "base/duration_text.h"
#include "base/spelling.h"
#include "inspect/text_pattern.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <functional>

namespace lockscope::inspect {

namespace {

using Result = std::variant<FilterNode, FilterError>;

enum class Comparison { Less, LessOrEqual, Equal, GreaterOrEqual, Greater };

/// A word taken apart: `held>=10m`.
struct Term {
    FilterToken token;
    std::string_view field;
    std::string_view sign; // ":", "=", "<", "<=", ">", ">="
    std::string_view value;

    bool isEquality() const { return sign == ":" || sign == "="; }
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

// Text fields

using TextTest = bool (*)(const LockRecord&, const FilterContext&, const TextPattern&);

bool keyMatches(const LockRecord& record, const FilterContext&, const TextPattern& pattern)
{
    const auto isMatch = [&](const Bytes& key) { return pattern.matches(key); };
    return isMatch(record.id.name)
           || std::any_of(record.otherKeys.begin(), record.otherKeys.end(), isMatch);
}

bool ownerMatches(const LockRecord& record, const FilterContext&, const TextPattern& pattern)
{
    return std::any_of(record.holders.begin(), record.holders.end(),
                       [&](const Holder& holder) { return pattern.matches(holder.owner); });
}

bool clientMatches(const LockRecord& record, const FilterContext&, const TextPattern& pattern)
{
    return std::any_of(record.holders.begin(), record.holders.end(), [&](const Holder& holder) {
        return holder.client
               && (pattern.matches(holder.client->name) || pattern.matches(holder.client->address));
    });
}

bool formatMatches(const LockRecord& record, const FilterContext&, const TextPattern& pattern)
{
    return pattern.matches(record.format);
}

bool libraryMatches(const LockRecord& record, const FilterContext&, const TextPattern& pattern)
{
    return pattern.matches(record.library);
}

/// A row that spans the servers of a set is on each of them.
bool serverMatches(const LockRecord& record, const FilterContext& context,
                   const TextPattern& pattern)
{
    const auto isMatch = [&](const std::string& name) { return pattern.matches(name); };
    if (record.id.server == LockId::kWholeSet) {
        return std::any_of(context.serverNames.begin(), context.serverNames.end(), isMatch);
    }
    return record.id.server < context.serverNames.size()
           && isMatch(context.serverNames[record.id.server]);
}

bool anyTextMatches(const LockRecord& record, const FilterContext& context,
                    const TextPattern& pattern)
{
    return keyMatches(record, context, pattern) || ownerMatches(record, context, pattern)
           || formatMatches(record, context, pattern) || libraryMatches(record, context, pattern)
           || clientMatches(record, context, pattern);
}

FilterNode textNode(TextTest test, TextPattern pattern)
{
    return nodeOf([test, pattern = std::move(pattern)](const LockRecord& record,
                                                       const FilterContext& context) {
        return test(record, context, pattern);
    });
}

// Fields with a fixed set of values

using Bits = std::uint32_t;

constexpr Bits bitOf(std::size_t index)
{
    return Bits{1} << index;
}

struct Enumeration {
    std::size_t count;
    std::string_view (*idAt)(std::size_t index);
    Bits (*bitsOf)(const LockRecord& record); // the values that the lock has
};

template<class Enum>
std::string_view enumeratorId(std::size_t index)
{
    return idOf(static_cast<Enum>(index));
}

constexpr Enumeration kModes{4, enumeratorId<Mode>, [](const LockRecord& r) {
                                 return bitOf(static_cast<std::size_t>(r.mode));
                             }};
constexpr Enumeration kConfidences{3, enumeratorId<Confidence>, [](const LockRecord& r) {
                                       return bitOf(static_cast<std::size_t>(r.confidence));
                                   }};
constexpr Enumeration kStates{static_cast<std::size_t>(LockState::StateCount),
                              enumeratorId<LockState>, [](const LockRecord& r) {
                                  return bitOf(static_cast<std::size_t>(stateOf(r)));
                              }};
constexpr Enumeration kFlags{
    static_cast<std::size_t>(Flag::FlagCount), enumeratorId<Flag>, [](const LockRecord& r) {
        Bits bits = 0;
        for (std::size_t i = 0; i < static_cast<std::size_t>(Flag::FlagCount); ++i) {
            bits |= r.flags.has(static_cast<Flag>(i)) ? bitOf(i) : 0;
        }
        return bits;
    }};

// Number fields

using NumberReader = std::optional<std::int64_t> (*)(const LockRecord&);
using DurationReader = Duration (*)(const LockRecord&, Instant now);

constexpr Duration kForEver = Duration::max();

Duration timeToLive(const LockRecord& record, Instant now)
{
    return record.expiresAt ? std::max(*record.expiresAt - now, Duration(0)) : kForEver;
}

Duration timeHeld(const LockRecord& record, Instant now)
{
    return std::max(now - record.firstSeen, Duration(0));
}

std::optional<std::int64_t> waiterCount(const LockRecord& record)
{
    return record.waiters ? std::optional<std::int64_t>(*record.waiters) : std::nullopt;
}

// The table of fields

struct Field {
    std::string_view name;
    std::variant<TextTest, const Enumeration*, NumberReader, DurationReader> meaning;
};

const std::array<Field, 15>& fields()
{
    static const std::array<Field, 15> kFields{{
        {"key", &keyMatches},
        {"owner", &ownerMatches},
        {"format", &formatMatches},
        {"library", &libraryMatches},
        {"mode", &kModes},
        {"state", &kStates},
        {"flag", &kFlags},
        {"server", &serverMatches},
        {"client", &clientMatches},
        {"confidence", &kConfidences},
        {"held", &timeHeld},
        {"ttl", &timeToLive},
        {"waiters", &waiterCount},
        {"holds",
         NumberReader([](const LockRecord& r) { return std::optional<std::int64_t>(r.holds()); })},
        {"renewals",
         NumberReader([](const LockRecord& r) { return std::optional<std::int64_t>(r.renewals); })},
    }};
    return kFields;
}

// Errors

std::string lowered(std::string_view text)
{
    std::string out(text);
    std::transform(out.begin(), out.end(), out.begin(), [](char c) {
        return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    });
    return out;
}

std::string inQuotes(std::string_view text)
{
    return '"' + elidedMiddle(escaped(text), 40) + '"';
}

std::string joined(const std::vector<std::string_view>& words)
{
    std::string out;
    for (const std::string_view word : words) {
        out += (out.empty() ? "" : ", ") + std::string(word);
    }
    return out;
}

FilterError errorAtValue(const Term& term, std::string reason)
{
    const auto offset = static_cast<std::size_t>(term.value.data() - term.token.text.data());
    return FilterError{std::move(reason), term.token.at + offset, term.value.size()};
}

FilterError errorAtField(const Term& term, std::string reason)
{
    return FilterError{std::move(reason), term.token.at, term.field.size()};
}

FilterError unknownField(const Term& term)
{
    const std::string_view guess = nearestWord(lowered(term.field), filterFields(), 2);
    std::string reason = "unknown field " + inQuotes(term.field);
    reason += guess.empty() ? ": the fields are " + joined(filterFields())
                            : ": did you mean " + std::string(guess) + '?';
    return errorAtField(term, std::move(reason));
}

FilterError unknownValue(const Term& term, const std::vector<std::string_view>& known)
{
    const std::string_view guess = nearestWord(lowered(term.value), known, 3);
    std::string reason = "unknown " + std::string(term.field) + ' ' + inQuotes(term.value);
    reason += guess.empty() ? ": use " + joined(known)
                            : ": did you mean " + std::string(guess) + '?';
    return errorAtValue(term, std::move(reason));
}

FilterError needsEquality(const Term& term)
{
    return FilterError{std::string(term.field) + " must be compared with \":\" or \"=\"",
                       term.token.at + term.field.size(), term.sign.size()};
}

// From a term to a node

/// `:` without wildcards looks for a part of the text, `=` and wildcards for all of it.
Result textTerm(const Term& term, TextTest test)
{
    if (!term.isEquality()) {
        return needsEquality(term);
    }
    const TextPattern whole(term.value, TextPattern::Reach::Whole);
    const bool isWhole = term.sign == "=" || whole.hasWildcards() || term.value == "\"\"";
    return textNode(test, isWhole ? whole : TextPattern(term.value, TextPattern::Reach::Anywhere));
}

Result enumerationTerm(const Term& term, const Enumeration& enumeration)
{
    if (!term.isEquality()) {
        return needsEquality(term);
    }
    std::vector<std::string_view> ids;
    for (std::size_t i = 0; i < enumeration.count; ++i) {
        ids.push_back(enumeration.idAt(i));
    }
    const bool isFlag = &enumeration == &kFlags;
    if (isFlag && lowered(term.value) == "none") {
        return nodeOf([](const LockRecord& record, const FilterContext&) {
            return record.flags.isEmpty();
        });
    }
    const TextPattern pattern(term.value, TextPattern::Reach::Whole);
    const bool isAny = isFlag && lowered(term.value) == "any";
    Bits wanted = 0;
    for (std::size_t i = 0; i < ids.size(); ++i) {
        wanted |= isAny || pattern.matches(ids[i]) ? bitOf(i) : 0;
    }
    if (wanted == 0) {
        return unknownValue(term, ids);
    }
    return nodeOf([bitsOf = enumeration.bitsOf, wanted](const LockRecord& record,
                                                        const FilterContext&) {
        return (bitsOf(record) & wanted) != 0;
    });
}

/// What is not known is neither more nor less than anything.
Result numberTerm(const Term& term, NumberReader reader)
{
    std::int64_t number = 0;
    const char* const last = term.value.data() + term.value.size();
    const auto [end, error] = std::from_chars(term.value.data(), last, number);
    if (error != std::errc() || end != last) {
        return errorAtValue(term, inQuotes(term.value) + " is not a whole number");
    }
    return nodeOf([reader, comparison = comparisonOf(term.sign), number](const LockRecord& record,
                                                                         const FilterContext&) {
        const std::optional<std::int64_t> value = reader(record);
        return value && compared(*value, comparison, number);
    });
}

Result durationTerm(const Term& term, DurationReader reader)
{
    const std::string value = lowered(term.value);
    if (reader == &timeToLive && (value == "none" || value == "never")) {
        if (!term.isEquality()) {
            return needsEquality(term);
        }
        return nodeOf([](const LockRecord& record, const FilterContext&) {
            return !record.expiresAt;
        });
    }
    const std::optional<Duration> limit = parseDuration(value);
    if (!limit) {
        return errorAtValue(term,
                            inQuotes(term.value) + " is not a duration such as 250ms, 10s or 5m");
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

Result fieldTerm(const Term& term, const Field& field)
{
    if (term.value.empty()) {
        return errorAt(term.token,
                       std::string(term.field) + std::string(term.sign) + " needs a value");
    }
    struct Reader {
        const Term& term;
        Result operator()(TextTest test) const { return textTerm(term, test); }
        Result operator()(const Enumeration* enumeration) const
        {
            return enumerationTerm(term, *enumeration);
        }
        Result operator()(NumberReader reader) const { return numberTerm(term, reader); }
        Result operator()(DurationReader reader) const { return durationTerm(term, reader); }
    };
    return std::visit(Reader{term}, field.meaning);
}

Result bareTerm(const FilterToken& token)
{
    return textNode(&anyTextMatches, TextPattern(token.text, TextPattern::Reach::Anywhere));
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

std::vector<std::string_view> filterFields()
{
    std::vector<std::string_view> names;
    for (const Field& field : fields()) {
        names.push_back(field.name);
    }
    return names;
}

/// Keys are full of colons, and the key is what people paste: `order:42` is a field only if there
/// is one of that name, and a mistake only if it is one letter away from one.
Result filterTerm(const FilterToken& token)
{
    const std::size_t signAt = findUnquoted(token.text, ":=<>");
    if (signAt == std::string_view::npos) {
        return bareTerm(token);
    }
    const Term term = termOf(token, signAt);
    for (const Field& field : fields()) {
        if (field.name == lowered(term.field)) {
            return fieldTerm(term, field);
        }
    }
    if (term.sign == ":") {
        return nearestWord(lowered(term.field), filterFields(), 1).empty()
                   ? bareTerm(token)
                   : Result(unknownField(term));
    }
    if (term.field.empty()) {
        return errorAt(token, "write the comparison without spaces: held>10m");
    }
    return unknownField(term);
}

} // namespace lockscope::inspect
