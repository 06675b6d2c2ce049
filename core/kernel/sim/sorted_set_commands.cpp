#include "core/kernel/sim/call.h"
#include "core/kernel/sim/command_handlers.h"
#include "core/kernel/sim/number_text.h"

#include <cmath>

namespace lockscope::sim::handlers {

using store::Reply;

namespace {

using SortedSet = Typed<SortedSetValue>;

SortedSet findSortedSet(Call& call)
{
    return findTyped<SortedSetValue>(call, call.key());
}

Reply scoreOrNil(const SortedSet& found, const Bytes& member)
{
    if (found.value == nullptr) {
        return replies::nil();
    }
    const std::size_t index = found.value->indexOf(member);
    return index < found.value->members.size()
               ? Reply::ofBulk(formatScore(found.value->members[index].score))
               : replies::nil();
}

/// The words of ZADD between the key and the first score.
struct AddOptions {
    bool onlyNew = false;
    bool onlyPresent = false;
    bool onlyGreater = false;
    bool onlyLess = false;
    bool countsChanged = false;
    bool increments = false;
    std::size_t firstPair = 2;

    void read(const std::vector<Bytes>& words);
    /// The error, if they do not go together.
    std::optional<Reply> conflict(std::size_t wordCount) const;

private:
    bool* flagOf(std::string_view word);
};

bool* AddOptions::flagOf(std::string_view word)
{
    if (equalsIgnoringCase(word, "nx")) {
        return &onlyNew;
    }
    if (equalsIgnoringCase(word, "xx")) {
        return &onlyPresent;
    }
    if (equalsIgnoringCase(word, "gt")) {
        return &onlyGreater;
    }
    if (equalsIgnoringCase(word, "lt")) {
        return &onlyLess;
    }
    if (equalsIgnoringCase(word, "ch")) {
        return &countsChanged;
    }
    return equalsIgnoringCase(word, "incr") ? &increments : nullptr;
}

void AddOptions::read(const std::vector<Bytes>& words)
{
    while (firstPair < words.size()) {
        bool* const flag = flagOf(words[firstPair]);
        if (flag == nullptr) {
            return;
        }
        *flag = true;
        ++firstPair;
    }
}

std::optional<Reply> AddOptions::conflict(std::size_t wordCount) const
{
    const std::size_t count = wordCount - firstPair;
    if (count == 0 || count % 2 != 0) {
        return replies::syntaxError();
    }
    if (onlyNew && onlyPresent) {
        return replies::error("XX and NX options at the same time are not compatible");
    }
    if ((onlyGreater && onlyNew) || (onlyLess && onlyNew) || (onlyGreater && onlyLess)) {
        return replies::error("GT, LT, and/or NX options at the same time are not compatible");
    }
    if (increments && count > 2) {
        return replies::error("INCR option supports a single increment-element pair");
    }
    return std::nullopt;
}

/// What became of one pair.
struct Added {
    enum class Result { Nothing, Same, Changed, New, NotANumber };
    Result result = Result::Nothing;
    double score = 0;
};

/// As zsetAdd() in t_zset.c. GT and LT hold back updates only: a new member is added all the same.
Added addOne(SortedSetValue& set, const AddOptions& options, double score, const Bytes& member)
{
    using enum Added::Result;
    const std::size_t index = set.indexOf(member);
    if (index == set.members.size()) {
        if (options.onlyPresent) {
            return {};
        }
        set.put(member, score);
        return {New, score};
    }
    const double old = set.members[index].score;
    if (options.onlyNew) {
        return {};
    }
    if (options.increments) {
        score += old;
        if (std::isnan(score)) {
            return {NotANumber, 0};
        }
    }
    if ((options.onlyLess && score >= old) || (options.onlyGreater && score <= old)) {
        return {};
    }
    if (score == old) {
        return {Same, score};
    }
    set.put(member, score);
    return {Changed, score};
}

std::optional<std::vector<double>> scoresOf(const Call& call, std::size_t firstPair)
{
    std::vector<double> scores;
    for (std::size_t i = firstPair; i < call.size(); i += 2) {
        const auto score = parseScore(call.word(i));
        if (!score) {
            return std::nullopt;
        }
        scores.push_back(*score);
    }
    return scores;
}

Reply addAll(Call& call, SortedSetValue& set, const AddOptions& options,
             const std::vector<double>& scores)
{
    std::int64_t added = 0;
    std::int64_t changed = 0;
    Added last;
    for (std::size_t i = 0; i < scores.size(); ++i) {
        last = addOne(set, options, scores[i], call.word(options.firstPair + 2 * i + 1));
        if (last.result == Added::Result::NotANumber) {
            break;
        }
        added += last.result == Added::Result::New ? 1 : 0;
        changed += last.result == Added::Result::Changed ? 1 : 0;
    }
    // What was added before a sum that is no number stays, as in zaddGenericCommand().
    if (added + changed > 0) {
        call.touch(call.key());
    }
    if (last.result == Added::Result::NotANumber) {
        return replies::error("resulting score is not a number (NaN)");
    }
    if (options.increments) {
        const bool isDone = last.result != Added::Result::Nothing;
        return isDone ? Reply::ofBulk(formatScore(last.score)) : replies::nil();
    }
    return replies::number(options.countsChanged ? added + changed : added);
}

Reply addPairs(Call& call, const AddOptions& options)
{
    // All scores are read before anything is added, as in zaddGenericCommand() (t_zset.c): a bad
    // one leaves the key as it was.
    const auto scores = scoresOf(call, options.firstPair);
    if (!scores) {
        return replies::notAFloat();
    }
    const SortedSet found = findSortedSet(call);
    if (found.isOther) {
        return replies::wrongType();
    }
    if (found.value == nullptr && options.onlyPresent) {
        return options.increments ? replies::nil() : replies::number(std::int64_t{0});
    }
    SortedSetValue& set =
        found.value != nullptr
            ? *found.value
            : std::get<SortedSetValue>(call.create(call.key(), SortedSetValue()).value);
    return addAll(call, set, options, *scores);
}

Reply rank(Call& call, bool isReversed)
{
    const SortedSet found = findSortedSet(call);
    if (found.value == nullptr) {
        return found.isOther ? replies::wrongType() : replies::nil();
    }
    const std::size_t count = found.value->members.size();
    const std::size_t index = found.value->indexOf(call.word(2));
    if (index == count) {
        return replies::nil();
    }
    return replies::number(isReversed ? count - 1 - index : index);
}

/// Moves one member of a set that has some, and its score, to the end of an answer.
void popMember(SortedSetValue& set, bool isFromEnd, Reply::Array& answer)
{
    const auto place = isFromEnd ? set.members.end() - 1 : set.members.begin();
    answer.push_back(Reply::ofBulk(std::move(place->member)));
    answer.push_back(Reply::ofBulk(formatScore(place->score)));
    set.members.erase(place);
}

/// After something was taken out.
void settle(Call& call, const SortedSet& found, const Bytes& key)
{
    if (found.value->members.empty()) {
        call.erase(*found.entry);
    }
    call.touch(key);
}

Reply popSome(Call& call, bool isFromEnd)
{
    if (call.size() > 3) {
        return replies::syntaxError();
    }
    const auto count = call.size() == 3 ? parseInteger(call.word(2))
                                        : std::optional<std::int64_t>(1);
    if (!count || *count < 0) {
        return replies::error("value is out of range, must be positive");
    }
    const SortedSet found = findSortedSet(call);
    if (found.isOther) {
        return replies::wrongType();
    }
    if (found.value == nullptr || *count == 0) {
        return replies::emptyArray();
    }
    Reply::Array items;
    do {
        popMember(*found.value, isFromEnd, items);
    } while (!found.value->members.empty() && static_cast<std::int64_t>(items.size()) / 2 < *count);
    settle(call, found, call.key());
    return Reply::ofArray(std::move(items));
}

/// One member of the first key that holds some; nil when none does. A blocking command goes on
/// there.
Reply popFromAny(Call& call, bool isFromEnd)
{
    if (std::optional<Reply> error = badTimeout(call)) {
        return std::move(*error);
    }
    for (std::size_t i = 1; i + 1 < call.size(); ++i) {
        const SortedSet found(call.find(call.word(i)));
        if (found.isOther) {
            return replies::wrongType();
        }
        if (found.value != nullptr) {
            Reply::Array answer;
            answer.push_back(replies::bulk(call.word(i)));
            popMember(*found.value, isFromEnd, answer);
            settle(call, found, call.word(i));
            return Reply::ofArray(std::move(answer));
        }
    }
    return replies::nil();
}

} // namespace

Reply zadd(Call& call)
{
    AddOptions options;
    options.read(call.words);
    if (std::optional<Reply> conflict = options.conflict(call.size())) {
        return std::move(*conflict);
    }
    return addPairs(call, options);
}

Reply zincrby(Call& call)
{
    AddOptions options;
    options.increments = true;
    return addPairs(call, options);
}

Reply zrem(Call& call)
{
    return removeWords(call, findSortedSet(call), &SortedSetValue::members);
}

Reply zscore(Call& call)
{
    const SortedSet found = findSortedSet(call);
    return found.isOther ? replies::wrongType() : scoreOrNil(found, call.word(2));
}

Reply zmscore(Call& call)
{
    const SortedSet found = findSortedSet(call);
    if (found.isOther) {
        return replies::wrongType();
    }
    Reply::Array scores;
    for (std::size_t i = 2; i < call.size(); ++i) {
        scores.push_back(scoreOrNil(found, call.word(i)));
    }
    return Reply::ofArray(std::move(scores));
}

Reply zcard(Call& call)
{
    const SortedSet found = findSortedSet(call);
    if (found.isOther) {
        return replies::wrongType();
    }
    return replies::number(found.value != nullptr ? found.value->members.size() : 0);
}

Reply zrank(Call& call)
{
    return rank(call, false);
}

Reply zrevrank(Call& call)
{
    return rank(call, true);
}

Reply zpopmin(Call& call)
{
    return popSome(call, false);
}

Reply zpopmax(Call& call)
{
    return popSome(call, true);
}

Reply bzpopmin(Call& call)
{
    return popFromAny(call, false);
}

Reply bzpopmax(Call& call)
{
    return popFromAny(call, true);
}

} // namespace lockscope::sim::handlers
