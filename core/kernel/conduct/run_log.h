#pragma once

#include "core/kernel/base/time.h"
#include "core/kernel/conduct/adapter_line.h"
#include "core/kernel/conduct/deviation.h"
#include "core/kernel/store/command.h"
#include "core/kernel/store/reply.h"

#include <cstdint>
#include <string>
#include <vector>

namespace lockscope::conduct {

/// What a command did to the keys of one lock, as the server has them before and after.
struct LockEffect {
    int lock = 0;
    bool isMade = false;             // there was none, or none that ends, and there is one
    bool isGone = false;             // the other way round
    bool isProlonged = false;        // some key expires later than before
    bool isThere = false;            // there is a key now
    bool isPermanent = false;        // and one of them never expires
    std::int64_t latestExpiryMs = 0; // of them, from the beginning of the run
};

/// One thing that happened in a run of real processes, in the order in which the conductor had it
/// happen. Instants are those of the server's clock, from the beginning of the run.
struct LogEntry {
    enum class Kind : std::uint8_t {
        Called,     // `process` was told `word` for `lock`
        Answered,   // it answered
        LossTold,   // its library said that the lock is lost
        Arrived,    // its `message` came
        Executed,   // … was carried out: `command`, `reply`, `effects`
        Interfered, // `deviation` begins
        LetGo,      // … ends
        Passed,     // time went on to `at`
        Ended,      // the process is gone
        Said,       // a line on its standard error: `text`
    };

    Instant at{};
    Kind kind = Kind::Passed;
    Word word = Word::Held;
    bool isRead = false;
    int act = 0;
    int process = -1;
    int thread = 0;     // of the process: Called, Answered, LossTold
    int lock = -1;      // Called, Answered, LossTold; Arrived, Executed: that the command names
    int deviation = -1; // index
    Answer answer;
    MessageName message;
    store::Command command;
    store::Reply reply;
    std::vector<LockEffect> effects;
    int server = 0; // Executed: that carried it out, from 0
    std::string text;
};

/// One run.
struct RunLog {
    std::vector<LogEntry> entries;
    WallTime begin{}; // by the clock of its servers
    /// Of the deviations asked for: how many came about. A run in which not all did says nothing
    /// about them.
    int deviationsMet = 0;
    std::string trouble; // why it could not be carried out to its end; empty: it was
    /// The trouble is an interruption or the end of the time for it: the client has no part in it.
    bool wasInterrupted = false;
};

} // namespace lockscope::conduct
