#pragma once

#include "core/kernel/base/time.h"
#include "core/kernel/conduct/adapter_line.h"

#include <cstdint>
#include <string>
#include <vector>

namespace lockscope::conduct {

/// One thing that happens by itself in a run, where nothing interferes.
struct Act {
    enum class Kind : std::uint8_t {
        Call,        // a process is told a word, if that makes sense by then
        Pass,        // time passes
        PassWaiting, // time passes if somebody waits for a lock that nobody holds
    };

    Kind kind = Kind::Pass;
    int process = 0;
    Word word = Word::Held;
    int lock = 0;
    bool isRead = false;
    bool isRetry = false; // Release: once more, if the one before ended in an error
    Duration span{0};     // Pass, PassWaiting

    static Act call(int process, Word word, int lock = 0);
    static Act pass(Duration span);
};

/// What is known of an adapter before a search.
struct AdapterTraits {
    Vocabulary vocabulary;
    bool isRenewed = false; // it keeps its lock by itself for longer than a lease
};

/// What several processes do with some locks, one after the other: the natural order, from which a
/// search deviates. Every run asks for each lock once more at its end, when nobody can hold it.
struct Workload {
    std::string id;   // "in-turn": in files and on the command line
    std::string name; // "one lock in turn"
    int processCount = 3;
    int lockCount = 1;
    Duration lease{0};   // that an adapter asks for
    Duration waitMax{0}; // that an acquire may wait; 0: no longer than a try takes
    AdapterTraits traits;
    std::vector<Act> acts;
    int firstFinalAct = 0; // from here on nothing interferes any more

    /// How long the lock may outlive a holder that cannot renew it any more, with room for a
    /// library's own tick.
    Duration leaseAtMost() const { return lease + lease / 4; }
    bool hasLease() const { return lease > Duration(0); }
    /// Processes stay in acquire while another one holds.
    bool waits() const { return waitMax > Duration(0); }
    /// What the client is told to wait: many libraries cannot try without waiting at all.
    Duration toldWait() const;
};

/// What an adapter of these traits is held to. `waitMax` of those in which processes wait.
std::vector<Workload> workloadsFor(const AdapterTraits& traits, Duration lease, Duration waitMax);

} // namespace lockscope::conduct
