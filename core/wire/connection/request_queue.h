#pragma once

#include "core/kernel/async/pending.h"
#include "core/kernel/base/time.h"
#include "core/kernel/store/outcome.h"

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <variant>
#include <vector>

namespace lockscope::wire {

/// Which reply answers which request. Replies come in the order of the requests, so a request whose
/// waiter is gone or whose deadline has passed stays in the queue as *abandoned*: its reply must
/// still be taken off the stream, or every later reply would answer the wrong question. Knows no
/// socket.
class RequestQueue {
public:
    /// A request of `byteCount` encoded bytes that is appended to the stream now.
    async::Pending<store::Outcome> add(std::size_t byteCount, Instant now, Instant deadline);

    /// The same for several requests that are awaited together. `byteCounts` must not be empty.
    async::Pending<std::vector<store::Outcome>> addBatch(const std::vector<std::size_t>& byteCounts,
                                                         Instant now, Instant deadline);

    /// The oldest request is answered. Returns an upper bound of the time that the server spent on
    /// it, or nullopt when there was no request: the server says something that was not asked for.
    /// `byteCount` is what the reply takes in memory.
    std::optional<Duration> answer(store::Reply reply, std::size_t byteCount, Instant now);

    /// What the replies take that wait here until the last one of their batch has come.
    std::size_t heldBytes() const { return m_heldBytes; }

    /// Gives up on requests whose deadline has passed: their outcome is Unknown. Returns how many.
    std::size_t expire(Instant now);

    /// The stream is gone. Requests of which every byte was handed to the system (the first
    /// `writtenCount` bytes of the stream) may have been carried out: Unknown. The others were not:
    /// Unreachable.
    void breakOff(std::uint64_t writtenCount, const store::Problem& problem);

    /// When the next expire() has something to do.
    std::optional<Instant> nextDeadline() const;

    /// When the oldest request that has no answer yet was sent.
    std::optional<Instant> oldestSentAt() const;

    bool isEmpty() const { return m_requests.empty(); }
    std::size_t size() const { return m_requests.size(); }

private:
    struct Batch {
        std::vector<store::Outcome> outcomes;
        std::size_t openCount = 0;
        std::size_t heldBytes = 0;
        async::Completer<std::vector<store::Outcome>> done;
    };
    struct BatchSlot {
        std::shared_ptr<Batch> batch;
        std::size_t index = 0;
    };
    struct Abandoned {};
    using Waiter = std::variant<async::Completer<store::Outcome>, BatchSlot, Abandoned>;
    struct Request {
        Waiter waiter;
        std::uint64_t endOffset = 0;
        Instant sentAt{};
        Instant deadline{};
    };

    void settle(Waiter& waiter, store::Outcome outcome, std::size_t byteCount = 0);
    void push(Waiter waiter, std::size_t byteCount, Instant now, Instant deadline);

    std::deque<Request> m_requests;
    std::size_t m_abandonedCount = 0; // at the front: deadlines pass in order
    std::uint64_t m_streamLength = 0;
    std::size_t m_heldBytes = 0;
    Instant m_lastAnswer{};
};

} // namespace lockscope::wire
