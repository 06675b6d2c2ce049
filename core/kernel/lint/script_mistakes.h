#pragma once

#include "core/kernel/protocol/json_file.h"
#include "core/kernel/protocol/own_lock.h"
#include "core/kernel/sim/lua_engine.h"

#include <string>
#include <string_view>
#include <vector>

namespace lockscope::lint {

/// What a compiler of Lua says about a script.
struct ScriptMistake {
    int line = 1; // of the script, from 1
    std::string reason;
};

/// From "… user_script:3: '=' expected near 'x'", as LuaEngine::compile() has it.
ScriptMistake mistakeIn(const std::string& problem);

/// A step of a protocol file, and where it stands there.
struct NamedStep {
    std::string path; // "/release/check"
    const protocol::OwnStep* step = nullptr;
};

/// All steps that the file has, in the order in which they are documented. `plan` outlives them.
std::vector<NamedStep> stepsOf(const protocol::OwnLockPlan& plan);

/// The path in the file of a line of the step's script, which is a text or a list of its lines.
std::string pathOfScriptLine(std::string_view fileText, const std::string& stepPath, int line);

/// The scripts that are no Lua, each with its place in the file. `fileText` is that of the plan.
std::vector<protocol::FileError> scriptMistakesIn(const protocol::OwnLockPlan& plan,
                                                  std::string_view fileText, sim::LuaEngine& lua);

} // namespace lockscope::lint
