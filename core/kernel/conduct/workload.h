#pragma once

#include "core/kernel/base/time.h"
#include "core/kernel/conduct/adapter_line.h"

#include <chrono>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace lockscope::conduct {

/// One thing that happens by itself in a run, where nothing interferes.
struct Act {
    enum class Kind : std::uint8_t {
        Call,        // a process is told a word, if that makes sense by then
        Start,       // a whole program begins, and asks for the lock by itself
        Pass,        // time passes
        PassWaiting, // time passes if somebody waits for a lock that nobody holds
        PassStuck,   // time passes if a lock whose keys have no expiry is held by no one
        SkipStuck,   // the same in one step, so that any time takes none
    };

    Kind kind = Kind::Pass;
    int process = 0;
    int thread = 0; // of the process
    Word word = Word::Held;
    int lock = 0;
    bool isRead = false;
    bool isRetry = false;  // Release: once more, if the one before ended in an error
    bool isNested = false; // Acquire: of a lock that it has already
    bool isProbe = false;  // Acquire: only of a lock as PassStuck means it
    Duration span{0};      // of the kinds in which time passes

    static Act call(int process, Word word, int lock = 0);
    static Act start(int process);
    static Act pass(Duration span);
    /// The same by another thread.
    Act onThread(int number) const;
};

/// What is known of an adapter before a search.
struct AdapterTraits {
    Vocabulary vocabulary;
    bool isRenewed = false; // it keeps its lock by itself for longer than a lease
};

/// What there is in a run beside the adapter.
struct Surroundings {
    Duration lease{0};   // that an adapter asks for
    Duration waitMax{0}; // of the workloads in which processes wait
    int processCount = 3;
    int serverCount = 1;  // independent ones
    int replicaCount = 0; // of each, that a client can ask after
    /// The clock of the processes is moved, so that any time passes at once.
    bool isTimeFree = true;
};

/// What several processes do with some locks, one after the other: the natural order, from which a
/// search deviates. Every run asks for each lock once more at its end, when nobody can hold it.
struct Workload {
    std::string id;   // "in-turn": in files and on the command line
    std::string name; // "one lock in turn"
    int processCount = 3;
    int threadCount = 1; // of each process
    int lockCount = 1;
    int serverCount = 1;
    int replicaCount = 0; // of each server
    Duration lease{0};    // that an adapter asks for
    Duration waitMax{0};  // that an acquire may wait; 0: no longer than a try takes
    AdapterTraits traits;
    std::vector<Act> acts;
    int firstFinalAct = 0; // from here on nothing interferes any more
    /// From here on, if there are such acts, a lock whose keys have no expiry is asked for much
    /// later: its end may be in its value.
    int firstProbe = std::numeric_limits<int>::max();

    /// How long the lock may outlive a holder that cannot renew it any more, with room for a
    /// library's own tick.
    Duration leaseAtMost() const { return lease + lease / 4; }
    /// Holds end by themselves. Without that, `lease` still says how long things take.
    bool hasLease() const { return lease > Duration(0) && !traits.vocabulary.hasNoLease; }
    /// How much longer a lock may last whose end is in its value: libraries count whole seconds
    /// there, and add one so that the end is never too early.
    Duration slackOfValue() const { return lease + std::chrono::seconds(2); }
    /// More than a lease. Of a lock without one: longer than what wakes its waiters is kept, which
    /// is a second in python-redis-lock.
    Duration muchTime() const
    {
        return hasLease() ? lease + lease / 8 : Duration(std::chrono::seconds(2));
    }
    /// Its processes are whole programs, which say when they are in their protected section.
    bool isOfPrograms() const { return !acts.empty() && acts.front().kind == Act::Kind::Start; }
    /// Whoever can hold a lock has a number: a process, as long as each has one thread.
    int partyCount() const { return processCount * threadCount; }
    int partyOf(int process, int thread) const { return thread * processCount + process; }
    int processOf(int party) const { return party % processCount; }
    int threadOf(int party) const { return party / processCount; }
    /// Of its servers: more than half.
    int quorum() const { return serverCount / 2 + 1; }
    /// Processes stay in acquire while another one holds.
    bool waits() const { return waitMax > Duration(0); }
    /// What the client is told to wait: many libraries cannot try without waiting at all.
    Duration toldWait() const;
};

/// What an adapter of these traits is held to.
std::vector<Workload> workloadsFor(const AdapterTraits& traits, const Surroundings& surroundings);

inline constexpr std::string_view kProgramsId = "programs";

/// Whole programs that are started one after the other, and end by themselves.
Workload programsWorkload(const Surroundings& surroundings);

/// "A"; of several threads "A's t1".
std::string partyName(const Workload& workload, int party);

} // namespace lockscope::conduct
