#include "core/kernel/sim/call.h"
#include "core/kernel/sim/command_handlers.h"
#include "core/kernel/sim/number_text.h"

#include <algorithm>

namespace lockscope::sim::handlers {

using store::Reply;

namespace {

using SortedSet = Typed<SortedSetValue>;

/// The scores from one end to the other; "(" before an end leaves it out.
struct ScoreRange {
    double min = 0;
    double max = 0;
    bool isMinOpen = false;
    bool isMaxOpen = false;

    static std::optional<ScoreRange> parse(std::string_view min, std::string_view max);
    /// The members inside, which stand side by side.
    Span in(const SortedSetValue& set) const;
};

std::optional<ScoreRange> ScoreRange::parse(std::string_view min, std::string_view max)
{
    ScoreRange range;
    range.isMinOpen = min.starts_with('(');
    range.isMaxOpen = max.starts_with('(');
    const auto first = parseScoreBound(min.substr(range.isMinOpen ? 1 : 0));
    const auto last = parseScoreBound(max.substr(range.isMaxOpen ? 1 : 0));
    if (!first || !last) {
        return std::nullopt;
    }
    range.min = *first;
    range.max = *last;
    return range;
}

Span ScoreRange::in(const SortedSetValue& set) const
{
    const auto isBelow = [this](const ScoredMember& m) {
        return isMinOpen ? m.score <= min : m.score < min;
    };
    const auto isNotAbove = [this](const ScoredMember& m) {
        return isMaxOpen ? m.score < max : m.score <= max;
    };
    const auto begin = std::ranges::partition_point(set.members, isBelow);
    const auto end = std::ranges::partition_point(set.members, isNotAbove);
    const auto first = static_cast<std::size_t>(begin - set.members.begin());
    const auto last = static_cast<std::size_t>(end - set.members.begin());
    return {first, std::max(first, last)};
}

Reply notARange()
{
    return replies::error("min or max is not a float");
}

/// What the words of ZRANGE and its relatives ask for.
struct RangeQuery {
    bool isByScore = false;
    bool isReversed = false;
    bool mayChooseKind = false; // ZRANGE itself knows BYSCORE and REV
    bool withScores = false;
    std::int64_t offset = 0;
    std::int64_t limit = -1; // negative: all

    /// The error, if there is one.
    std::optional<Reply> read(const std::vector<Bytes>& words);

private:
    bool readFlag(std::string_view word);
    std::optional<Reply> readLimit(std::string_view from, std::string_view count);
};

bool RangeQuery::readFlag(std::string_view word)
{
    if (equalsIgnoringCase(word, "withscores")) {
        return withScores = true;
    }
    if (mayChooseKind && equalsIgnoringCase(word, "rev") && !isReversed) {
        return isReversed = true;
    }
    return mayChooseKind && equalsIgnoringCase(word, "byscore") && !isByScore && (isByScore = true);
}

std::optional<Reply> RangeQuery::readLimit(std::string_view from, std::string_view count)
{
    const auto first = parseInteger(from);
    const auto most = parseInteger(count);
    if (!first || !most) {
        return replies::notAnInteger();
    }
    offset = *first;
    limit = *most;
    return std::nullopt;
}

std::optional<Reply> RangeQuery::read(const std::vector<Bytes>& words)
{
    for (std::size_t i = 4; i < words.size(); ++i) {
        if (equalsIgnoringCase(words[i], "limit") && i + 2 < words.size()) {
            if (std::optional<Reply> error = readLimit(words[i + 1], words[i + 2])) {
                return error;
            }
            i += 2;
        } else if (!readFlag(words[i])) {
            return replies::syntaxError();
        }
    }
    if (limit != -1 && !isByScore) {
        return replies::error("syntax error, LIMIT is only supported in combination with either "
                              "BYSCORE or BYLEX");
    }
    return std::nullopt;
}

Reply listed(const SortedSetValue& set, Span span, const RangeQuery& query)
{
    Reply::Array items;
    for (std::size_t i = span.begin; i < span.end; ++i) {
        const std::size_t index = query.isReversed ? span.end - 1 - (i - span.begin) : i;
        const ScoredMember& found = set.members[index];
        items.push_back(replies::bulk(found.member));
        if (query.withScores) {
            items.push_back(Reply::ofBulk(formatScore(found.score)));
        }
    }
    return Reply::ofArray(std::move(items));
}

/// The part of the span that OFFSET and LIMIT leave, counted in the direction of the query.
Span limited(Span span, const RangeQuery& query)
{
    const auto count = static_cast<std::int64_t>(span.end - span.begin);
    // A negative offset never comes to an end, so nothing is left.
    if (query.offset < 0 || query.offset >= count) {
        return {};
    }
    const std::int64_t left = count - query.offset;
    const auto taken = static_cast<std::size_t>(query.limit < 0 ? left
                                                                : std::min(query.limit, left));
    const auto skipped = static_cast<std::size_t>(query.offset);
    if (query.isReversed) {
        return {span.end - skipped - taken, span.end - skipped};
    }
    return {span.begin + skipped, span.begin + skipped + taken};
}

Reply byRank(Call& call, const RangeQuery& query)
{
    const auto first = parseInteger(call.word(2));
    const auto last = parseInteger(call.word(3));
    if (!first || !last) {
        return replies::notAnInteger();
    }
    const SortedSet found = findTyped<SortedSetValue>(call, call.key());
    if (found.value == nullptr) {
        return found.isOther ? replies::wrongType() : replies::emptyArray();
    }
    const std::size_t count = found.value->members.size();
    std::optional<Span> span = spanOf(*first, *last, count);
    if (!span) {
        return replies::emptyArray();
    }
    if (query.isReversed) {
        span = Span{count - span->end, count - span->begin};
    }
    return listed(*found.value, *span, query);
}

Reply byScore(Call& call, const RangeQuery& query)
{
    const std::size_t min = query.isReversed ? 3 : 2;
    const auto range = ScoreRange::parse(call.word(min), call.word(5 - min));
    if (!range) {
        return notARange();
    }
    const SortedSet found = findTyped<SortedSetValue>(call, call.key());
    if (found.value == nullptr) {
        return found.isOther ? replies::wrongType() : replies::emptyArray();
    }
    return listed(*found.value, limited(range->in(*found.value), query), query);
}

Reply answer(Call& call, RangeQuery query)
{
    if (std::optional<Reply> error = query.read(call.words)) {
        return std::move(*error);
    }
    return query.isByScore ? byScore(call, query) : byRank(call, query);
}

Reply removeSpan(Call& call, const SortedSet& found, Span span)
{
    if (span.begin == span.end) {
        return replies::number(std::int64_t{0});
    }
    std::vector<ScoredMember>& members = found.value->members;
    members.erase(members.begin() + static_cast<std::ptrdiff_t>(span.begin),
                  members.begin() + static_cast<std::ptrdiff_t>(span.end));
    if (members.empty()) {
        call.erase(*found.entry);
    }
    call.touch(call.key());
    return replies::number(span.end - span.begin);
}

} // namespace

Reply zrange(Call& call)
{
    RangeQuery query;
    query.mayChooseKind = true;
    return answer(call, query);
}

Reply zrangebyscore(Call& call)
{
    RangeQuery query;
    query.isByScore = true;
    return answer(call, query);
}

Reply zrevrange(Call& call)
{
    RangeQuery query;
    query.isReversed = true;
    return answer(call, query);
}

Reply zrevrangebyscore(Call& call)
{
    RangeQuery query;
    query.isByScore = true;
    query.isReversed = true;
    return answer(call, query);
}

Reply zremrangebyscore(Call& call)
{
    const auto range = ScoreRange::parse(call.word(2), call.word(3));
    if (!range) {
        return notARange();
    }
    const SortedSet found = findTyped<SortedSetValue>(call, call.key());
    if (found.value == nullptr) {
        return found.isOther ? replies::wrongType() : replies::number(std::int64_t{0});
    }
    return removeSpan(call, found, range->in(*found.value));
}

Reply zremrangebyrank(Call& call)
{
    const auto first = parseInteger(call.word(2));
    const auto last = parseInteger(call.word(3));
    if (!first || !last) {
        return replies::notAnInteger();
    }
    const SortedSet found = findTyped<SortedSetValue>(call, call.key());
    if (found.value == nullptr) {
        return found.isOther ? replies::wrongType() : replies::number(std::int64_t{0});
    }
    const auto span = spanOf(*first, *last, found.value->members.size());
    return removeSpan(call, found, span.value_or(Span()));
}

Reply zcount(Call& call)
{
    const auto range = ScoreRange::parse(call.word(2), call.word(3));
    if (!range) {
        return notARange();
    }
    const SortedSet found = findTyped<SortedSetValue>(call, call.key());
    if (found.value == nullptr) {
        return found.isOther ? replies::wrongType() : replies::number(std::int64_t{0});
    }
    const Span span = range->in(*found.value);
    return replies::number(span.end - span.begin);
}

} // namespace lockscope::sim::handlers
