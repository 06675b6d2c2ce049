#pragma once

#include "core/kernel/search/explorer.h"

#include <span>
#include <string>
#include <vector>

namespace lockscope::search {

/// One line of a story: "A sends SET k 1 EX 10 NX: OK, A holds k".
struct StoryLine {
    Instant at{};
    int step = -1; // index of the step it belongs to; -1: the end of the run
    std::string text;
    bool isViolation = false;
    /// Which step of the run begins here, from 1; 0: it belongs to the line before. The last number
    /// of a story is the length of its run.
    int number = 0;
};

/// The run in plain words, up to the violation; what happened afterwards is left out. Scripts are
/// called by what they do, clients by their letters. Each step that counts has a line at least,
/// also where nothing but time goes on.
std::vector<StoryLine> tellStory(const protocol::LockProtocol& protocol,
                                 const world::WorldPlan& plan, const Finding& finding,
                                 sim::LuaEngine& lua);

/// A run in which nothing is said to break, to its end.
std::vector<StoryLine> tellRun(const protocol::LockProtocol& protocol, const world::WorldPlan& plan,
                               std::span<const world::Step> steps, sim::LuaEngine& lua);

/// "1. 0.000 s  A sends …", one text per line; without a number where no step begins.
std::vector<std::string> numbered(const std::vector<StoryLine>& story);

/// Where no line has a number, as in older files, every line gets one.
void numberWhereMissing(std::vector<StoryLine>& story);

/// The number of the step that the line belongs to; 0 before the first.
int numberAt(const std::vector<StoryLine>& story, std::size_t line);

} // namespace lockscope::search
