#pragma once

#include "core/kernel/protocol/protocol_info.h"
#include "core/kernel/report/cell_report.h"
#include "core/kernel/report/lock_json.h"
#include "core/kernel/report/row_verdict.h"
#include "core/kernel/search/harm.h"
#include "core/kernel/trace/run_statistics.h"
#include "core/kernel/world/fault_kind.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

// Which lock to use: computed from searches, as the matrix is; nothing of it is written by hand.
namespace lockscope::report {

/// What somebody who needs a lock can say about it.
struct AdviceQuestion {
    std::vector<search::Harm> never;       // what must not happen
    std::vector<world::FaultKind> despite; // whatever of these goes wrong, one at a time
    int serverCount = 1;                   // independent masters that there are
    bool isReentrant = false;              // the same owner takes it again
    bool hasReaders = false;               // several readers, or one writer
    bool hasPermits = false;               // several holders, up to a number
    std::vector<std::string> languages;    // in which there has to be a library; empty: any
};

/// What a protocol lacks of what was asked for.
enum class Misfit : std::uint8_t { Servers, Reentry, Readers, Permits, OneHolder, Library };

/// The faults of the question, and those under which hazardIn() has something to say.
std::vector<world::FaultKind> searchedFor(const AdviceQuestion& question);

std::string_view idOf(Misfit misfit); // "servers"

std::vector<Misfit> misfitsOf(const protocol::ProtocolInfo& info, const AdviceQuestion& question);

/// It lacks something that neither more servers nor code of one's own would give it.
bool isOutOfQuestion(const protocol::ProtocolInfo& info, const AdviceQuestion& question);

/// Independent masters that the protocol needs at least.
int serversNeededBy(const protocol::ProtocolInfo& info);

/// The shortest way to one harm under one fault.
struct Breach {
    search::Harm harm = search::Harm::TwoHolders;
    const CellReport* cell = nullptr; // of those that the advice was made from
    const CellVerdict* verdict = nullptr;
};

/// What the question comes to for one protocol.
struct ProtocolAdvice {
    enum class Standing : std::uint8_t {
        Holds,     // nothing broke in any run within the plans
        HeldSoFar, // nothing broke before the bound was reached
        Untested,  // nothing broke, but one of the harms could not have happened in any run
        NoChoice,  // nothing of the question broke, but see hazards
        Breaks,    // see breaches
        Unfit,     // see misfits; whether it breaks as well is in breaches
    };

    std::string protocol;
    Standing standing = Standing::Unfit;
    std::vector<Misfit> misfits;
    std::vector<Breach> breaches; // one per fault and harm at most, shortest first
    std::vector<Breach> hazards;  // what makes it no choice, asked about or not; shortest first
    std::vector<search::Harm> untested;
    std::vector<search::Harm> others;   // that happen under the faults, and were not asked about
    std::vector<std::string> libraries; // that follow it, in the languages that were asked for
    int serversNeeded = 1;
    RowVerdict rank;       // as in the matrix, over the faults of the question
    bool isFenced = false; // every grant carries a greater number than the one before, whatever
                           // goes wrong

    bool suits() const { return standing == Standing::Holds || standing == Standing::HeldSoFar; }
};

std::string_view idOf(ProtocolAdvice::Standing standing); // "held-so-far"

/// What would have to be different for something to hold.
struct Addition {
    enum class Kind : std::uint8_t {
        Lease,    // many times as long
        Replicas, // WAIT for one after each grant
        Servers,  // as many independent masters as the protocol needs
        Fence,    // the resource refuses what carries a smaller number than it has seen
        OwnCode,  // the protocol without a library in the language
        Unless,   // it may be assumed that `faults` do not happen
    };

    Kind kind = Kind::Servers;
    std::string protocol;
    int serverCount = 1;                        // Servers
    std::vector<world::FaultKind> faults;       // Unless
    std::optional<Kind> besides = std::nullopt; // this as well; neither is enough alone
};

std::string_view idOf(Addition::Kind kind); // "servers"
/// In the order in which additions are listed: one thing, two together, what may only be hoped for.
bool isLess(const Addition& one, const Addition& other);

struct Advice {
    std::vector<ProtocolAdvice> protocols; // by standing; among equals the best first, as in the
                                           // matrix
    std::vector<Addition> additions;       // least first; empty when something suits
};

/// `cells` are those of the protocols under every fault that is searched for the question, and
/// outlive the advice.
Advice adviceOn(const AdviceQuestion& question,
                std::span<const protocol::ProtocolInfo* const> protocols,
                std::span<const CellReport> cells);

/// What alone would make the protocol hold, by the searches that the advice was made from: more
/// servers, a fence that is checked, or code of one's own.
std::optional<Addition> additionFor(const ProtocolAdvice& advice);
/// Likewise, two of these.
std::optional<Addition> pairFor(const ProtocolAdvice& advice);

/// What a protocol costs where nothing goes wrong, by the contention model.
struct AdviceCost {
    double commands = 0;     // per acquisition and release, of a client that is alone
    Duration waitMedian{0};  // of ten clients that want the same lock
    Duration waitLongest{0}; // likewise, the 99th percentile
};

/// Any thread; takes some milliseconds.
AdviceCost costOf(const protocol::LockProtocol& protocol);

/// "two holders at once under pause, in 11 steps: A and B both believe …"
std::string breachText(const Breach& breach);
/// "needs 3 independent servers, not reentrant"
std::string misfitText(const ProtocolAdvice& advice);
/// What speaks against it; empty for what suits. The shortest of several.
std::string reasonText(const ProtocolAdvice& advice);
/// One sentence.
std::string additionText(const Addition& addition);

} // namespace lockscope::report
