#pragma once

#include "app/cli/commands/command.h"
#include "app/cli/options/search_subject.h"

#include <memory>
#include <vector>

namespace lockscope::cli {

struct MatrixArguments {
    std::vector<report::SavedProtocol> protocols;
    std::vector<world::FaultKind> faults;
    search::Bounds bounds;
    int threadCount = 0;
    Format format = Format::Table;
};

/// `matrix`: protocols and faults, each cell a verdict.
std::unique_ptr<Command> matrixCommand();

} // namespace lockscope::cli
