#pragma once

#include "core/kernel/store/command.h"
#include "core/kernel/store/endpoint.h"
#include "core/kernel/store/outcome.h"
#include "core/kernel/store/problem.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

// What is asked of Sentinels, and what follows from their answers. Nothing here sends anything.
namespace lockscope::store {

/// What one Sentinel says of a master.
struct SentinelAnswer {
    HostPort sentinel;
    std::optional<HostPort> master; // nullopt: it does not know the name, or see problem
    /// Counts the failovers, as all Sentinels do: of two answers the one with more is newer. -1
    /// when it does not tell.
    std::int64_t epoch = -1;
    std::vector<std::string> knownNames; // of masters; asked for when it does not know the name
    Problem problem;                     // why it could not be asked
};

/// Where the master is, by the best answer.
struct MasterLocation {
    HostPort address;
    std::int64_t epoch = -1;
    HostPort sentinel; // that named it

    friend bool operator==(const MasterLocation&, const MasterLocation&) = default;
};

/// Where the master of the name is, and since which failover: two commands.
std::vector<Command> questionsAboutMaster(const std::string& masterName);
/// Reads the outcomes of these.
SentinelAnswer sentinelAnswerOf(const HostPort& sentinel, std::span<const Outcome> outcomes);
/// The names in the outcome of SENTINEL MASTERS.
std::vector<std::string> masterNamesOf(const Outcome& outcome);

/// The newest answer, or why there is none. A Sentinel that is cut off from the others goes on
/// naming the former master, and some may know a master by another address: what is not newer than
/// `known` and differs from it counts only if more than half of the Sentinels say so.
std::variant<MasterLocation, Problem> masterOf(const SentinelSet& sentinels,
                                               std::span<const SentinelAnswer> answers,
                                               const std::optional<MasterLocation>& known);

/// The problem of a connection to the master, with what a person needs to know to mend it: which
/// Sentinel named which address. A problem that the master itself tells of stays what it is.
Problem problemWithMaster(const Problem& problem, const MasterLocation& master);

} // namespace lockscope::store
