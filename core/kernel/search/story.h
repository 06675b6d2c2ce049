#pragma once

#include "core/kernel/search/explorer.h"

#include <string>
#include <vector>

namespace lockscope::search {

/// One line of a story: "A sends SET k 1 EX 10 NX: OK, A holds k".
struct StoryLine {
    Instant at{};
    int step = -1; // index of the step it belongs to; -1: the end of the run
    std::string text;
    bool isViolation = false;
};

/// The run in plain words, up to the violation; what happened afterwards is left out. Scripts are
/// called by what they do, clients by their letters.
std::vector<StoryLine> tellStory(const protocol::LockProtocol& protocol,
                                 const world::WorldPlan& plan, const Finding& finding,
                                 sim::LuaEngine& lua);

/// "1. 0.000 s  A sends …", one text per line.
std::vector<std::string> numbered(const std::vector<StoryLine>& story);

} // namespace lockscope::search
