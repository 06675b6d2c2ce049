#pragma once

#include "app/cli/commands/command.h"
#include "app/cli/options/search_subject.h"

#include <cstdint>
#include <memory>

namespace lockscope::cli {

struct SimulateArguments {
    SearchSubject subject;
    std::uint64_t seed = 1;
    std::uint64_t runCount = 10'000;
};

/// `simulate`: seeded random runs in virtual time.
std::unique_ptr<Command> simulateCommand();

} // namespace lockscope::cli
