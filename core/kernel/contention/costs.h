#pragma once

#include "base/bytes.h"
#include "base/time.h"
#include "store/command.h"

#include <chrono>
#include <functional>
#include <map>

namespace lockscope::contention {

/// How much of a processor's time something takes. Finer than Duration: a command takes a few
/// microseconds.
using Work = std::chrono::nanoseconds;

/// A point on the time line of a modelled run, which begins at 0.
using Moment = std::chrono::time_point<Timeline, Work>;

/// What everything costs on the machines of a run. Nothing here is negative. The server and each
/// thread of the clients are one event loop each, on a processor that nobody else uses.
///
/// The default values are those of a small virtual machine with the server on the same machine;
/// docs/contention-model.md says how to measure others.
struct Costs {
    struct Server {
        Work plain{6'000};  // a command that is no script: to read, carry out and answer it
        Work script{9'000}; // EVAL, EVALSHA: of scripts that are not in `scripts`
        std::map<Bytes, Work, std::less<>> scripts; // by digest
        Work delivery{3'000}; // whatever else it sends: a message, the answer of a BLPOP that
                              // waited
    };
    struct Driver {
        int threadCount = 1; // that share the contenders evenly
        Work turn{5'000};    // a round of the event loop, whatever it finds to do
        Work step{800};      // from one suspension of a coroutine to the next
        Work send{5'000};    // one command
        Work receive{4'000}; // one answer or message
        /// Timers wait for a whole number of these, rounded up; 0: they are exact.
        Duration timerStep = std::chrono::milliseconds(1);
    };

    Server server;
    Driver driver;
    /// From the arrival of something at a loop that sleeps until it works.
    Work wakeUp{10'000};
    /// The same after a sleep of `deepAfter` or longer: by then the processor sleeps as well.
    Work deepWakeUp{60'000};
    Work deepAfter{200'000};
    /// After such a sleep caches have to be filled again: for `coldFor` work takes so many times
    /// as long. At least 1.
    double coldFactor = 2;
    Work coldFor{100'000};
    /// How much later than at the time for which the system was asked a thread wakes up.
    Work timerDelay{100'000};
    /// What the network adds, half of it each way; nothing on one machine.
    Work roundTrip{0};
};

/// Of one loop: when it fell asleep, and what that means for its waking up.
class Slumber {
public:
    explicit Slumber(const Costs& costs) : m_costs(costs) {}

    void fallAsleep(Moment now) { m_since = now; }
    /// Something arrives at a loop that sleeps. Returns when it is awake.
    Moment wakeUp(Moment now);
    /// The system wakes the loop at the time it was asked for. Returns when it is awake.
    Moment wakeUpByTimer(Moment now);
    /// How long work takes that begins at `now`.
    Work timeFor(Work work, Moment now) const;

private:
    bool isDeepAt(Moment now) const { return now - m_since >= m_costs.deepAfter; }
    Moment awakeAt(Moment when, bool isCold);

    const Costs& m_costs;
    Moment m_since{};
    Moment m_warmAt{};
};

/// What the server spends on the command itself, without what it delivers to others.
Work serviceOf(const store::Command& command, const Costs::Server& server);

} // namespace lockscope::contention
