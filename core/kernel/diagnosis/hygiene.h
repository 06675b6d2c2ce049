#pragma once

#include "core/kernel/base/bytes.h"
#include "core/kernel/diagnosis/diagnosis.h"
#include "core/kernel/diagnosis/server_facts.h"
#include "core/kernel/inspect/lock_record.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

// What in the set-up of a server will hurt its locks one day. A function of what was observed.
namespace lockscope::diagnosis {

enum class Weakness : std::uint8_t {
    WithoutExpiry,    // "locks-without-expiry"
    SameValue,        // "same-value": nothing tells one hold from the next
    ShortLeases,      // "short-leases": shorter than the holds
    AbsurdLeases,     // "absurd-leases": as good as no expiry, or growing
    DataAmongLocks,   // "data-among-locks": names that locks and data share
    Evicts,           // "evicts-keys": the server may throw locks away
    ForgetsOnRestart, // "forgets-on-restart": what was granted last is not on disk
    AsyncFailover,    // "async-failover": a replica that becomes the master may not know it yet
    ClocksOfSet,      // "clocks-apart": as the reason of that name
    WeaknessCount,
};

/// All that is said of a weakness, wherever it is found. The texts are shown through
/// KernelText::lookUp().
struct WeaknessInfo {
    Weakness weakness = Weakness::WeaknessCount;
    std::string_view id;          // stable: part of the JSON
    const char* title = nullptr;  // a few words
    const char* harm = nullptr;   // what happens one day
    const char* remedy = nullptr; // what to do
    std::string_view protocol;    // of the story that shows the harm; empty: there is none
    std::string_view fault;       // with this fault
};

const WeaknessInfo& infoOf(Weakness weakness);
std::span<const WeaknessInfo> allWeaknesses();

/// "lockscope-cli explore --protocol setnx-no-expiry --faults crash": shows the harm as a story;
/// empty: there is none. `isOfSet`: to the locks of a Redlock set.
std::string storyCall(Weakness weakness, bool isOfSet);

struct WeaknessFinding {
    Weakness weakness = Weakness::WeaknessCount;
    int severity = 0;                   // 2: mend it, 1: know it
    std::vector<std::uint16_t> servers; // on which it was found
    std::string evidence;               // what was seen, with its numbers
    std::vector<Bytes> examples;        // names of locks, a few
    std::vector<std::string> nodes;     // of a cluster, those on which it was found
};

/// A weakness that could not be judged. It may be there.
struct OpenWeakness {
    Weakness weakness = Weakness::WeaknessCount;
    std::string why;
};

struct Hygiene {
    std::vector<WeaknessFinding> findings; // the most urgent first
    std::vector<OpenWeakness> open;
};

/// What was observed of servers and their locks. Views: they last for the call.
struct Examined {
    std::span<const inspect::LockPtr> locks = {};
    std::span<const ServerFacts> servers = {};
    bool isOfSet = false; // the servers are one Redlock set
    Duration watchedFor{0};
};

Hygiene examine(const Examined& examined);

} // namespace lockscope::diagnosis
