#pragma once

#include "core/kernel/lint/suspects.h"
#include "core/kernel/protocol/json_places.h"
#include "core/kernel/protocol/own_lock.h"
#include "core/kernel/report/cell_report.h"
#include "core/kernel/sim/lua_engine.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

// What is suspicious about a lock of the user's own, and the shortest runs that prove it.
namespace lockscope::lint {

/// A run in which something broke.
struct Proof {
    const report::CellReport* cell = nullptr; // of those that the lint was made from
    const report::CellVerdict* verdict = nullptr;

    int length() const { return verdict->result.finding->length; }
};

struct LintFinding {
    Suspect suspect;
    protocol::TextPlace place;  // in the file
    std::optional<Proof> proof; // the shortest; nullopt: no run within the bounds showed it
};

struct Lint {
    std::vector<LintFinding> findings; // those that are proved first, shortest first
    /// Promises that broke without any of the patterns behind it, each with its shortest run.
    std::vector<Proof> otherBreaks;

    bool isAnyProved() const { return !findings.empty() && findings.front().proof.has_value(); }
    bool isClean() const { return findings.empty() && otherBreaks.empty(); }
};

/// `cells` are those of the lock under any faults, and outlive the lint. `fileText` is what the
/// plan was read from.
Lint lintOf(const protocol::OwnLockPlan& plan, std::string_view fileText,
            std::span<const report::CellReport> cells, sim::LuaEngine& lua);

/// "owner-only-release breaks under pause, in 11 steps: A released the hold of B"
std::string proofText(const Proof& proof);

} // namespace lockscope::lint
