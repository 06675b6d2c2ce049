#include "core/kernel/sim/call.h"
#include "core/kernel/sim/command_handlers.h"
#include "core/kernel/sim/number_text.h"

#include <algorithm>
#include <cmath>

namespace lockscope::sim::handlers {

using store::Reply;

namespace {

using Members = std::vector<ScoredMember>;

enum class Aggregate : std::uint8_t { Sum, Min, Max };

/// One of the keys that are combined.
struct Source {
    Members members;
    double weight = 1;
};

double numberOrZero(double score)
{
    return std::isnan(score) ? 0 : score;
}

/// As zunionInterAggregate() in t_zset.c: infinities that cancel each other out make zero.
double combined(double score, double other, Aggregate aggregate)
{
    switch (aggregate) {
    case Aggregate::Sum: return numberOrZero(score + other);
    case Aggregate::Min: return other < score ? other : score;
    case Aggregate::Max: return other > score ? other : score;
    }
    return score;
}

/// What ZINTERSTORE and ZUNIONSTORE are called with behind their destination.
struct Combination {
    std::vector<Source> sources;
    Aggregate aggregate = Aggregate::Sum;

    /// The error, if there is one.
    std::optional<Reply> read(Call& call);
    SortedSetValue intersection() const;
    SortedSetValue unionOfAll() const;

private:
    std::optional<Reply> readSource(const Entry* entry);
    std::optional<Reply> readWeights(const Call& call, std::size_t firstWord);
    std::optional<Reply> readAggregate(std::string_view word);
};

/// A plain set has members whose score is one.
std::optional<Reply> Combination::readSource(const Entry* entry)
{
    Source source;
    if (entry != nullptr) {
        if (const auto* const scored = std::get_if<SortedSetValue>(&entry->value)) {
            source.members = scored->members;
        } else if (const auto* const plain = std::get_if<SetValue>(&entry->value)) {
            for (const Bytes& member : plain->members) {
                source.members.push_back({1, member});
            }
        } else {
            return replies::wrongType();
        }
    }
    sources.push_back(std::move(source));
    return std::nullopt;
}

std::optional<Reply> Combination::readWeights(const Call& call, std::size_t firstWord)
{
    for (std::size_t i = 0; i < sources.size(); ++i) {
        const auto weight = parseScore(call.word(firstWord + i));
        if (!weight) {
            return replies::error("weight value is not a float");
        }
        sources[i].weight = *weight;
    }
    return std::nullopt;
}

std::optional<Reply> Combination::readAggregate(std::string_view word)
{
    if (equalsIgnoringCase(word, "sum")) {
        aggregate = Aggregate::Sum;
    } else if (equalsIgnoringCase(word, "min")) {
        aggregate = Aggregate::Min;
    } else if (equalsIgnoringCase(word, "max")) {
        aggregate = Aggregate::Max;
    } else {
        return replies::syntaxError();
    }
    return std::nullopt;
}

std::optional<Reply> Combination::read(Call& call)
{
    constexpr std::size_t kFirstKey = 3;
    const auto keyCount = parseInteger(call.word(2));
    if (!keyCount) {
        return replies::notAnInteger();
    }
    if (*keyCount < 1) {
        return replies::error("at least 1 input key is needed for '" + Bytes(call.spec.name)
                              + "' command");
    }
    if (static_cast<std::uint64_t>(*keyCount) > call.size() - kFirstKey) {
        return replies::syntaxError();
    }
    const std::size_t firstOption = kFirstKey + static_cast<std::size_t>(*keyCount);
    std::optional<Reply> error;
    for (std::size_t i = kFirstKey; i < firstOption && !error; ++i) {
        error = readSource(call.find(call.word(i)));
    }
    for (std::size_t i = firstOption; i < call.size() && !error;) {
        const std::size_t left = call.size() - i - 1;
        if (left >= sources.size() && equalsIgnoringCase(call.word(i), "weights")) {
            error = readWeights(call, i + 1);
            i += 1 + sources.size();
        } else if (left >= 1 && equalsIgnoringCase(call.word(i), "aggregate")) {
            error = readAggregate(call.word(i + 1));
            i += 2;
        } else {
            error = replies::syntaxError();
        }
    }
    // The order in which scores are added up shows in their last digits.
    std::ranges::stable_sort(sources, {}, [](const Source& s) { return s.members.size(); });
    return error;
}

SortedSetValue Combination::intersection() const
{
    SortedSetValue result;
    for (const auto& [firstScore, member] : sources.front().members) {
        double score = numberOrZero(sources.front().weight * firstScore);
        bool isInAll = true;
        for (std::size_t i = 1; i < sources.size() && isInAll; ++i) {
            const Members& others = sources[i].members;
            const auto found = std::ranges::find(others, member, &ScoredMember::member);
            isInAll = found != others.end();
            score = isInAll ? combined(score, sources[i].weight * found->score, aggregate) : score;
        }
        if (isInAll) {
            result.put(member, score);
        }
    }
    return result;
}

SortedSetValue Combination::unionOfAll() const
{
    SortedSetValue result;
    for (const Source& source : sources) {
        for (const ScoredMember& each : source.members) {
            const double score = numberOrZero(source.weight * each.score);
            const std::size_t index = result.indexOf(each.member);
            const bool isNew = index == result.members.size();
            result.put(each.member,
                       isNew ? score : combined(result.members[index].score, score, aggregate));
        }
    }
    return result;
}

/// The destination is one of the sources more often than not; it loses its expiry.
Reply storeResult(Call& call, SortedSetValue result)
{
    const std::size_t count = result.members.size();
    if (Entry* const present = call.find(call.key())) {
        call.erase(*present);
        call.touch(call.key());
    }
    if (count > 0) {
        call.create(call.key(), std::move(result));
        call.touch(call.key());
    }
    return replies::number(count);
}

} // namespace

Reply zinterstore(Call& call)
{
    Combination combination;
    if (std::optional<Reply> error = combination.read(call)) {
        return std::move(*error);
    }
    return storeResult(call, combination.intersection());
}

Reply zunionstore(Call& call)
{
    Combination combination;
    if (std::optional<Reply> error = combination.read(call)) {
        return std::move(*error);
    }
    return storeResult(call, combination.unionOfAll());
}

} // namespace lockscope::sim::handlers
