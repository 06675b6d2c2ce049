#pragma once

#include "cli/commands/command.h"
#include "cli/options/search_subject.h"

#include <memory>

namespace lockscope::cli {

struct ExploreArguments {
    SearchSubject subject;
    search::Bounds bounds;
};

/// `explore`: looks at every run within the bounds; verdicts and the shortest counterexample.
std::unique_ptr<Command> exploreCommand();

} // namespace lockscope::cli
