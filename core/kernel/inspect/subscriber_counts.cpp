#include "core/kernel/inspect/subscriber_counts.h"

#include "core/kernel/inspect/decoder.h"
#include "core/kernel/inspect/key_reader.h"
#include "core/kernel/store/command.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <utility>

namespace lockscope::inspect {

using store::Command;
using store::Outcome;
using store::Problem;
using store::Reply;

bool isUseful(const Reply* reply)
{
    return reply != nullptr && !reply->isError();
}

namespace {

Command countCommand(std::string_view question, std::span<const Bytes> channels)
{
    Command command("PUBSUB", question);
    for (const Bytes& channel : channels) {
        command.append(channel);
    }
    return command;
}

/// Both counts, where the second one is known at all.
std::optional<int> sumOf(std::optional<int> everywhere, std::optional<int> inSlot)
{
    return everywhere ? std::optional(*everywhere + inSlot.value_or(0)) : std::nullopt;
}

/// The channels that the snapshots ask about, each with its snapshots.
using AskedChannels = std::map<Bytes, std::vector<LockSnapshot*>>;

void handOut(const SubscriberCounts& answer, const AskedChannels& asked)
{
    std::size_t i = 0;
    for (const auto& [channel, snapshots] : asked) {
        const std::optional<int> count = answer.counts[i++];
        for (LockSnapshot* const snapshot : snapshots) {
            if (count) {
                snapshot->channels.push_back({channel, *count});
            }
        }
    }
}

/// PUBSUB NUMPAT; nullopt: it was not told.
std::optional<int> patternCountOf(const Outcome& outcome)
{
    const Reply* const reply = replyOf(outcome);
    return isUseful(reply) ? waiterCountOf(*reply) : std::nullopt;
}

/// Of so many channels, everywhere and in their slots. False: the server does not tell.
bool takeCounts(std::span<const Outcome> both, std::size_t channelCount, SubscriberCounts& answer)
{
    if (!isUseful(replyOf(both[0]))) {
        answer.failure = both[0];
        return false;
    }
    const auto everywhere = subscriberCountsOf(*replyOf(both[0]), channelCount);
    const auto inSlot = isUseful(replyOf(both[1]))
                            ? subscriberCountsOf(*replyOf(both[1]), channelCount)
                            : std::vector<std::optional<int>>(channelCount);
    std::ranges::transform(everywhere, inSlot, std::back_inserter(answer.counts), sumOf);
    return true;
}

void addNames(const Outcome& outcome, std::set<Bytes>& names)
{
    const Reply* const reply = replyOf(outcome);
    const Reply::Array* const channels = isUseful(reply) ? reply->array() : nullptr;
    if (channels == nullptr) {
        return;
    }
    for (const Reply& channel : *channels) {
        const std::string* const text = channel.text();
        if (text != nullptr && names.size() < kNamesWaitedForMax) {
            std::ranges::move(locksOfChannel(*text), std::inserter(names, names.end()));
        }
    }
}

} // namespace

std::vector<std::optional<int>> subscriberCountsOf(const Reply& reply, std::size_t channelCount)
{
    std::vector<std::optional<int>> counts(channelCount);
    const Reply::Array* const pairs = reply.array();
    if (pairs == nullptr || pairs->size() != 2 * channelCount) {
        return counts;
    }
    for (std::size_t i = 0; i < channelCount; ++i) {
        counts[i] = waiterCountOf((*pairs)[2 * i + 1]);
    }
    return counts;
}

async::Task<SubscriberCounts> countSubscribers(store::Store& store, std::vector<Bytes> channels,
                                               bool countsPatterns)
{
    SubscriberCounts answer;
    for (std::size_t at = 0; at < channels.size() || countsPatterns; at += kChannelsPerCommand) {
        const std::size_t size = std::min(kChannelsPerCommand, channels.size() - at);
        const auto some = std::span<const Bytes>(channels).subspan(at, size);
        std::vector<Command> commands;
        if (std::exchange(countsPatterns, false)) {
            commands.emplace_back("PUBSUB", "NUMPAT");
        }
        const std::size_t first = commands.size();
        if (size > 0) {
            commands.push_back(countCommand("NUMSUB", some));
            commands.push_back(countCommand("SHARDNUMSUB", some));
        }
        const std::vector<Outcome> outcomes = co_await store.submitAll(std::move(commands));
        if (first > 0) {
            answer.patternCount = patternCountOf(outcomes.front());
        }
        if (size > 0 && !takeCounts(std::span(outcomes).subspan(first), size, answer)) {
            answer.counts.resize(channels.size());
            co_return answer;
        }
    }
    co_return answer;
}

async::Task<std::optional<Problem>> countListeners(store::Store& store,
                                                   std::vector<LockSnapshot>& snapshots)
{
    AskedChannels asked;
    std::vector<LockSnapshot*> askingForPatterns;
    for (LockSnapshot& snapshot : snapshots) {
        ChannelQuestions questions = channelQuestionsOf(snapshot);
        for (Bytes& channel : questions.channels) {
            std::vector<LockSnapshot*>& askers = asked[std::move(channel)];
            if (askers.empty() || askers.back() != &snapshot) {
                askers.push_back(&snapshot);
            }
        }
        if (questions.asksForPatterns) {
            askingForPatterns.push_back(&snapshot);
        }
    }
    if (asked.empty() && askingForPatterns.empty()) {
        co_return std::nullopt;
    }
    std::vector<Bytes> channels;
    std::ranges::transform(asked, std::back_inserter(channels),
                           [](const auto& entry) { return entry.first; });
    const SubscriberCounts answer = co_await countSubscribers(store, std::move(channels),
                                                              !askingForPatterns.empty());
    if (answer.failure && replyOf(*answer.failure) == nullptr) {
        co_return problemOf(*answer.failure);
    }
    handOut(answer, asked);
    for (LockSnapshot* const snapshot : askingForPatterns) {
        snapshot->patternCount = answer.patternCount;
    }
    co_return std::nullopt;
}

async::Task<std::optional<std::vector<Bytes>>> namesWaitedFor(store::Store& store)
{
    std::vector<Command> commands;
    std::set<std::string_view> prefixes;
    for (const Decoder& decoder : builtinDecoders()) {
        const std::string_view prefix = decoder.waiterChannels.prefix;
        if (!prefix.empty() && prefixes.insert(prefix).second) {
            commands.emplace_back("PUBSUB", "CHANNELS", Bytes(prefix) + '*');
            commands.emplace_back("PUBSUB", "SHARDCHANNELS", Bytes(prefix) + '*');
        }
    }
    const std::vector<Outcome> outcomes = co_await store.submitAll(std::move(commands));
    const Reply* const first = replyOf(outcomes.front());
    if (first != nullptr && first->isError()) {
        co_return std::nullopt;
    }
    std::set<Bytes> names;
    for (const Outcome& outcome : outcomes) {
        addNames(outcome, names);
    }
    co_return std::vector<Bytes>(names.begin(), names.end());
}

} // namespace lockscope::inspect
