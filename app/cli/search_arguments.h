#pragma once

#include "cli/format.h"
#include "cli/locking_arguments.h"
#include "cli/run_outputs.h"
#include "option_parser.h"
#include "report/counterexample_file.h"
#include "report/saved_protocol.h"
#include "search/explorer.h"
#include "world/fault_kind.h"
#include "world/world_plan.h"

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

// The arguments of the commands that need no server: explore, simulate, replay, matrix.
namespace lockscope::cli {

/// What is searched, of explore and simulate.
struct SearchSubject {
    report::SavedProtocol protocol;
    std::optional<world::WorldPlan> scenario; // nullopt: the default plans
    /// Empty: those that the plan of the scenario allows.
    std::vector<world::FaultKind> faults;
    int clientCount = 0;  // 0: as the plans have it
    int threadCount = 0;  // 0: one per core
    std::string saveFile; // where the counterexample goes; empty: nowhere
    RunOutputs outputs;   // of the run that it is
    Format format = Format::Text;
};

struct ExploreArguments {
    SearchSubject subject;
    search::Bounds bounds;
};

struct SimulateArguments {
    SearchSubject subject;
    std::uint64_t seed = 1;
    std::uint64_t runCount = 10'000;
};

struct ReplayArguments {
    std::string fileName;
    report::CounterexampleFile example;
    std::optional<report::RunFile> record; // instead of an example: a run that is only looked at
    RunOutputs outputs;
    bool isLive = false; // on real servers, too
    Format format = Format::Text;
};

struct MatrixArguments {
    std::vector<report::SavedProtocol> protocols;
    std::vector<world::FaultKind> faults;
    search::Bounds bounds;
    int threadCount = 0;
    Format format = Format::Table;
};

std::variant<ExploreArguments, app::ArgumentError> readExplore(const LockingCall& call);
std::variant<SimulateArguments, app::ArgumentError> readSimulate(const LockingCall& call);
std::variant<ReplayArguments, app::ArgumentError> readReplay(const LockingCall& call);
std::variant<MatrixArguments, app::ArgumentError> readMatrix(const LockingCall& call);

} // namespace lockscope::cli
