#pragma once

#include "app/cli/commands/command.h"
#include "app/cli/options/search_subject.h"

#include <memory>

namespace lockscope::cli {

struct ExploreArguments {
    SearchSubject subject;
    search::Bounds bounds;
};

/// `explore`: looks at every run within the bounds; verdicts and the shortest counterexample.
std::unique_ptr<Command> exploreCommand();

} // namespace lockscope::cli
