#pragma once

#include "core/kernel/base/time.h"
#include "core/kernel/trace/chronicle.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

namespace lockscope::trace {

/// A client that stands in a lock on the servers, as one look at them shows.
struct CurrentHold {
    /// nullopt: the servers do not say who.
    std::optional<ContenderId> holder;
    LockId lock = 0;
    Instant until = Instant::max(); // when it runs out; max(): never
    /// Tells the holds of one lock apart: from one look to the next the same number is the same
    /// hold.
    std::uint64_t hold = 0;
    std::optional<int> node = std::nullopt; // as in ServerHold
};

/// Makes server holds of looks at the servers, one after the other.
class ServerHoldFold {
public:
    /// How and when a hold ended that is not there any more although it had not run out.
    /// `serverHold` is open, and reaches to the latest look that saw it.
    struct Ending {
        Instant at{};
        SpanEnd how = SpanEnd::Uncertain;
    };
    using EndingOf = std::function<Ending(const ServerHold& serverHold)>;

    /// When the server was looked at: what was seen was there at some instant between.
    struct LookTime {
        Instant from{};
        Instant to{};
        std::uint32_t step = 0; // of a simulated run, the one that was just taken

        static LookTime at(Instant instant, std::uint32_t step = 0)
        {
            return {instant, instant, step};
        }
    };

    /// All that stand there. The looks follow each other. A server hold holds what is certain: it
    /// goes from the end of its first look to the beginning of its latest one. `unseen`: servers of
    /// which this look knows nothing; what stood there alone stays open until they are seen again.
    void see(LookTime when, std::span<const CurrentHold> present, const EndingOf& endingOf,
             std::span<const int> unseen = {});

    /// Those that are over, and those that are not, until their latest look; in order.
    std::vector<ServerHold> serverHolds() const;
    std::size_t size() const { return m_closed.size() + m_open.size(); }

private:
    struct Open {
        ServerHold serverHold;
        CurrentHold currentHold;
    };

    void close(const Open& open, LookTime when, const EndingOf& endingOf);

    std::vector<Open> m_open;
    std::vector<ServerHold> m_closed;
};

} // namespace lockscope::trace
