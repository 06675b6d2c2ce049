#pragma once

#include "core/kernel/base/bytes.h"
#include "core/kernel/base/time.h"
#include "core/kernel/store/command.h"

#include <chrono>
#include <functional>
#include <map>
#include <vector>

namespace lockscope::contention {

/// How much of a processor's time something takes. Finer than Duration: a command takes a few
/// microseconds.
using Work = std::chrono::nanoseconds;

/// A point on the time line of a modelled run, which begins at 0.
using Moment = std::chrono::time_point<Timeline, Work>;

/// What everything costs on the machines of a run. Nothing here is negative. The server and each
/// thread of the clients are one event loop each, on a processor of their own.
///
/// The default values are those of a small virtual machine with the server on the same machine;
/// docs/contention-model.md says how to measure others.
struct Costs {
    struct Server {
        Work plain{5'000};  // a command that is no script: to read, carry out and answer it
        Work script{7'000}; // EVAL, EVALSHA: of scripts that are not in `scripts`
        std::map<Bytes, Work, std::less<>> scripts; // by digest
        Work delivery{1'500}; // anything else it sends: a message, the answer of a BLPOP that
                              // waited
    };
    struct Driver {
        int threadCount = 1; // that share the contenders evenly
        Work turn{4'000};    // a round of the event loop, whatever it finds to do
        Work step{50};       // to go on with a coroutine, whatever it does
        Work sleep{2'000};   // of a coroutine: to remember it until its time has come
        Work send{9'000};    // one command: to prepare and to send it
        Work receive{3'000}; // one answer or message
    };

    /// How long a loop that sleeps needs until it works: the longer it slept, the deeper its
    /// processor sleeps as well.
    struct WakeUp {
        Work asleepFor{0};
        Work byMessage{0}; // from the arrival of something
        Work byTimer{0};   // from the time for which the system was asked
    };

    Server server;
    Driver driver;
    /// At least one, with `asleepFor` rising. What is between two of them is interpolated, what is
    /// outside is as the nearest.
    std::vector<WakeUp> wakeUps{{Work(100'000), Work(60'000), Work(55'000)},
                                {Work(300'000), Work(75'000), Work(60'000)},
                                {Work(1'000'000), Work(110'000), Work(85'000)},
                                {Work(3'000'000), Work(130'000), Work(110'000)}};
    /// How much longer sending takes when the server sleeps: its processor has to be told. Nothing
    /// when it is that of another machine.
    Work rouse{18'000};
    /// After so long a sleep caches have to be filled again: for `coldFor` work takes so many times
    /// as long. At least 1.
    Work coldAfter{200'000};
    double coldFactor = 2.7;
    Work coldFor{100'000};
    /// What the network adds, half of it each way; nothing on one machine.
    Work roundTrip{0};
};

/// Of one loop: when it fell asleep, and what that means for its waking up.
class IdleTimer {
public:
    explicit IdleTimer(const Costs& costs) : m_costs(costs) {}

    void fallAsleep(Moment now) { m_since = now; }
    /// Something arrives at a loop that sleeps. Returns when it is awake.
    Moment wakeUp(Moment now);
    /// The system wakes the loop at the time it was asked for. Returns when it is awake.
    Moment wakeUpByTimer(Moment now);
    /// How long work takes that begins at `now`.
    Work timeFor(Work work, Moment now) const;

private:
    /// `delay`: which one of the costs it is that passes until then.
    Moment awakeAfter(Work Costs::WakeUp::*delay, Moment now);

    const Costs& m_costs;
    Moment m_since{};
    Moment m_warmAt{};
};

/// What the server spends on the command itself, without what it delivers to others.
Work serviceOf(const store::Command& command, const Costs::Server& server);

} // namespace lockscope::contention
