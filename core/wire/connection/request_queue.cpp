#include "core/wire/connection/request_queue.h"

#include <algorithm>
#include <utility>

namespace lockscope::wire {

using store::Outcome;

async::Pending<Outcome> RequestQueue::add(std::size_t byteCount, Instant now, Instant deadline)
{
    async::Completer<Outcome> completer;
    auto pending = completer.pending();
    push(std::move(completer), byteCount, now, deadline);
    return pending;
}

async::Pending<std::vector<Outcome>> RequestQueue::addBatch(
    const std::vector<std::size_t>& byteCounts, Instant now, Instant deadline)
{
    auto batch = std::make_shared<Batch>();
    batch->outcomes.resize(byteCounts.size());
    batch->openCount = byteCounts.size();
    auto pending = batch->done.pending();
    for (std::size_t i = 0; i < byteCounts.size(); ++i) {
        push(BatchSlot{batch, i}, byteCounts[i], now, deadline);
    }
    return pending;
}

void RequestQueue::push(Waiter waiter, std::size_t byteCount, Instant now, Instant deadline)
{
    m_streamLength += byteCount;
    m_requests.push_back({std::move(waiter), m_streamLength, now, deadline});
}

void RequestQueue::settle(Waiter& waiter, Outcome outcome, std::size_t byteCount)
{
    if (auto* const completer = std::get_if<async::Completer<Outcome>>(&waiter)) {
        completer->complete(std::move(outcome));
    } else if (auto* const slot = std::get_if<BatchSlot>(&waiter)) {
        Batch& batch = *slot->batch;
        batch.outcomes[slot->index] = std::move(outcome);
        batch.heldBytes += byteCount;
        m_heldBytes += byteCount;
        if (--batch.openCount == 0) {
            m_heldBytes -= batch.heldBytes;
            batch.done.complete(std::move(batch.outcomes));
        }
    }
    waiter = Abandoned{};
}

std::optional<Duration> RequestQueue::answer(store::Reply reply, std::size_t byteCount, Instant now)
{
    if (m_requests.empty()) {
        return std::nullopt;
    }
    Request request = std::move(m_requests.front());
    m_requests.pop_front();
    if (m_abandonedCount > 0) {
        --m_abandonedCount;
    }
    settle(request.waiter, std::move(reply), byteCount);
    // The server works on one request at a time: it cannot have begun before its previous answer
    // left.
    const Instant begin = std::max(request.sentAt, m_lastAnswer);
    m_lastAnswer = now;
    return now - begin;
}

std::size_t RequestQueue::expire(Instant now)
{
    std::size_t count = 0;
    while (m_abandonedCount < m_requests.size() && m_requests[m_abandonedCount].deadline <= now) {
        const store::Problem problem{
            store::Problem::Kind::ReplyTimedOut, "no answer in time", {}, {}};
        settle(m_requests[m_abandonedCount].waiter, store::Unknown{problem});
        ++m_abandonedCount;
        ++count;
    }
    return count;
}

void RequestQueue::breakOff(std::uint64_t writtenCount, const store::Problem& problem)
{
    std::deque<Request> requests = std::exchange(m_requests, {});
    m_abandonedCount = 0;
    m_streamLength = 0;
    m_lastAnswer = {};
    for (Request& request : requests) {
        if (request.endOffset <= writtenCount) {
            settle(request.waiter, store::Unknown{problem});
        } else {
            settle(request.waiter, store::Unreachable{problem});
        }
    }
}

std::optional<Instant> RequestQueue::nextDeadline() const
{
    if (m_abandonedCount >= m_requests.size()) {
        return std::nullopt;
    }
    return m_requests[m_abandonedCount].deadline;
}

std::optional<Instant> RequestQueue::oldestSentAt() const
{
    if (m_requests.empty()) {
        return std::nullopt;
    }
    return m_requests.front().sentAt;
}

} // namespace lockscope::wire
