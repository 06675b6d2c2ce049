#include "core/kernel/store/metered_store.h"

#include "core/kernel/base/characters.h"
#include "core/kernel/store/subcommands.h"

#include <algorithm>
#include <string>
#include <type_traits>
#include <variant>

namespace lockscope::store {

namespace {

constexpr std::uint64_t kLineEnd = 2;

std::uint64_t digitsOf(std::uint64_t number)
{
    std::uint64_t digits = 1;
    for (; number >= 10; number /= 10) {
        ++digits;
    }
    return digits;
}

/// "$5", the bytes, and two line ends.
std::uint64_t bulkSize(std::uint64_t bytes)
{
    return 1 + digitsOf(bytes) + kLineEnd + bytes + kLineEnd;
}

std::uint64_t arrayHeadSize(std::uint64_t count)
{
    return 1 + digitsOf(count) + kLineEnd;
}

std::uint64_t sizeOf(Nil /*nil*/)
{
    return 3 + kLineEnd; // "$-1"
}

std::uint64_t sizeOf(std::int64_t number)
{
    const auto magnitude = static_cast<std::uint64_t>(number);
    return 1 + (number < 0 ? 1 + digitsOf(0 - magnitude) : digitsOf(magnitude)) + kLineEnd;
}

std::uint64_t sizeOf(const Bytes& bytes)
{
    return bulkSize(bytes.size());
}

std::uint64_t sizeOf(const Status& status)
{
    return 1 + status.text.size() + kLineEnd;
}

std::uint64_t sizeOf(const ServerError& error)
{
    return 1 + error.text.size() + kLineEnd;
}

std::uint64_t sizeOf(const Oversized& passedOver)
{
    return bulkSize(passedOver.size);
}

std::uint64_t sizeOf(const Reply::Array& items)
{
    std::uint64_t size = arrayHeadSize(items.size());
    for (const Reply& item : items) {
        size += wireSizeOf(item);
    }
    return size;
}

std::uint64_t receivedBytesOf(const Outcome& outcome)
{
    const Reply* const reply = replyOf(outcome);
    return reply != nullptr ? wireSizeOf(*reply) : 0;
}

/// "SET", "CLIENT|LIST".
Bytes nameOf(const Command& command)
{
    const Bytes& first = command.words.front();
    return command.words.size() > 1 && hasSubcommands(lowered(first))
               ? first + '|' + command.words[1]
               : first;
}

} // namespace

std::uint64_t wireSizeOf(const Reply& reply)
{
    return std::visit([](const auto& value) { return sizeOf(value); }, reply.value());
}

std::uint64_t wireSizeOf(const Command& command)
{
    std::uint64_t size = arrayHeadSize(command.words.size());
    for (const Bytes& word : command.words) {
        size += bulkSize(word.size());
    }
    return size;
}

void MeteredStore::countSent(const Command& command)
{
    ++m_usage.commandCount;
    m_usage.sentBytes += wireSizeOf(command);
    const auto countOf = [this](const Bytes& name) {
        return std::ranges::find(m_calls, name, &Calls::value_type::first);
    };
    auto known = countOf(command.words.front()); // most have no second word that matters
    if (known == m_calls.end()) {
        const Bytes name = nameOf(command);
        known = countOf(name);
        if (known == m_calls.end()) {
            known = m_calls.insert(known, {name, 0});
        }
    }
    ++known->second;
}

async::Pending<Outcome> MeteredStore::submit(Command command)
{
    ++m_usage.requestCount;
    countSent(command);
    async::Completer<Outcome> completer;
    async::Pending<Outcome> pending = completer.pending();
    m_forwarding.start(forward(m_inner.submit(std::move(command)), std::move(completer)));
    return pending;
}

async::Pending<std::vector<Outcome>> MeteredStore::submitAll(std::vector<Command> commands)
{
    ++m_usage.requestCount;
    for (const Command& command : commands) {
        countSent(command);
    }
    async::Completer<std::vector<Outcome>> completer;
    async::Pending<std::vector<Outcome>> pending = completer.pending();
    m_forwarding.start(forwardAll(m_inner.submitAll(std::move(commands)), std::move(completer)));
    return pending;
}

async::Task<void> MeteredStore::forward(async::Pending<Outcome> coming,
                                        async::Completer<Outcome> completer)
{
    Outcome outcome = co_await std::move(coming);
    m_usage.receivedBytes += receivedBytesOf(outcome);
    completer.complete(std::move(outcome));
}

async::Task<void> MeteredStore::forwardAll(async::Pending<std::vector<Outcome>> coming,
                                           async::Completer<std::vector<Outcome>> completer)
{
    std::vector<Outcome> outcomes = co_await std::move(coming);
    for (const Outcome& outcome : outcomes) {
        m_usage.receivedBytes += receivedBytesOf(outcome);
    }
    completer.complete(std::move(outcomes));
}

} // namespace lockscope::store
