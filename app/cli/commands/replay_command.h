#pragma once

#include "app/cli/commands/command.h"
#include "app/cli/output/run_outputs.h"

#include <memory>
#include <optional>
#include <string>

namespace lockscope::cli {

struct ReplayArguments {
    std::string fileName;
    report::CounterexampleFile example;
    std::optional<report::RunFile> record; // instead of an example: a run that is only looked at
    RunOutputs outputs;
    bool isLive = false; // on real servers, too
    Format format = Format::Text;
};

/// `replay`: runs a saved counterexample again, or tells a saved run.
std::unique_ptr<Command> replayCommand();

} // namespace lockscope::cli
