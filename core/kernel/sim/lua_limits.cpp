#include "core/kernel/sim/lua_limits.h"

#include <cstdlib>
#include <lua.hpp>

namespace lockscope::sim {

namespace {

/// Instructions between two looks of the hook.
constexpr int kInstructionsPerLook = 100;
/// Up to that size a copy of a block takes no longer than a few instructions.
constexpr std::size_t kSmallBlock = 131'072;
/// The bytes of a larger block whose copy counts as an instruction.
constexpr std::size_t kCopiedBytesPerStep = 32'768;

/// The line that the script has reached; 0: not known.
int lineOf(lua_State* lua)
{
    lua_Debug info{};
    for (int level = 0; lua_getstack(lua, level, &info) != 0; ++level) {
        if (lua_getinfo(lua, "l", &info) != 0 && info.currentline > 0) {
            return info.currentline;
        }
    }
    return 0;
}

} // namespace

void* LuaLimits::allocate(void* limits, void* block, std::size_t oldSize, std::size_t newSize)
{
    auto& self = *static_cast<LuaLimits*>(limits);
    if (newSize == 0) {
        std::free(block);
        self.m_used -= oldSize;
        return nullptr;
    }
    if (newSize > oldSize && !self.mayGrow(oldSize, newSize)) {
        return nullptr;
    }
    void* const moved = std::realloc(block, newSize);
    if (moved != nullptr) {
        self.m_used += newSize - oldSize;
    }
    return moved;
}

/// Lua raises "not enough memory" where it may not. A script may catch that, but not the error of
/// the hook that comes next.
bool LuaLimits::mayGrow(std::size_t oldSize, std::size_t newSize)
{
    if (newSize > m_largest) {
        m_largest = newSize;
    }
    const bool fits = newSize <= kBlockMax && m_used + (newSize - oldSize) <= m_usedMax;
    if (fits || !m_isScriptRunning) {
        return true;
    }
    reach(m_main, Limit::Memory);
    return false;
}

LuaLimits& LuaLimits::of(lua_State* lua)
{
    void* limits = nullptr;
    lua_getallocf(lua, &limits);
    return *static_cast<LuaLimits*>(limits);
}

void LuaLimits::begin(lua_State* lua)
{
    m_main = lua;
    m_largest = 0;
    m_stepsLeft = m_steps;
    m_workLeft = kWorkMax;
    m_reached = Limit::None;
    m_line = 0;
    // From the beginning of every run: instructions of the run before that are not counted yet
    // would stop this one sooner, and a run that ended at its limit has left the hook at every one.
    lua_sethook(lua, count, LUA_MASKCOUNT, kInstructionsPerLook);
}

void LuaLimits::beginScript()
{
    m_usedMax = m_used + kMemoryMax;
    m_isScriptRunning = true;
}

LuaLimits::Limit LuaLimits::end()
{
    m_isScriptRunning = false;
    return m_reached;
}

const char* LuaLimits::textOf(Limit limit)
{
    switch (limit) {
    case Limit::Steps:
        return "the script takes more steps than the simulation allows, and was stopped";
    case Limit::Memory:
        return "the script takes more memory than the simulation allows, and was stopped";
    case Limit::Interrupted: return "the script was interrupted";
    case Limit::None: break;
    }
    return "";
}

std::int64_t LuaLimits::price() const
{
    return m_largest <= kSmallBlock ? 1
                                    : static_cast<std::int64_t>(m_largest / kCopiedBytesPerStep);
}

void LuaLimits::reserve(lua_State* lua, std::size_t size)
{
    if (m_isScriptRunning && (m_used >= m_usedMax || size > m_usedMax - m_used)) {
        stop(lua, Limit::Memory);
    }
}

/// A script that catches the error gets it again with the next instruction. `lua` may be a
/// coroutine, whose error does not end the script around it.
void LuaLimits::reach(lua_State* lua, Limit limit)
{
    if (m_reached == Limit::None) {
        m_reached = limit;
        m_line = lineOf(lua);
    }
    lua_sethook(lua, count, LUA_MASKCOUNT, 1);
    lua_sethook(m_main, count, LUA_MASKCOUNT, 1);
}

void LuaLimits::stop(lua_State* lua, Limit limit)
{
    reach(lua, limit);
    luaL_error(lua, "%s", textOf(m_reached));
    std::abort(); // it does not return
}

/// Redis lets a script that takes too long go on until SCRIPT KILL (script.c). In a simulation no
/// client could send that, and the run would never end: the limit is an error instead.
void LuaLimits::count(lua_State* lua, lua_Debug* /*info*/)
{
    LuaLimits& limits = of(lua);
    if (limits.m_reached != Limit::None) {
        limits.stop(lua, limits.m_reached);
    }
    limits.m_stepsLeft -= kInstructionsPerLook * limits.price();
    if (limits.m_stepsLeft < 0) {
        limits.stop(lua, Limit::Steps);
    }
    if (limits.m_isOver && limits.m_isOver()) {
        limits.stop(lua, Limit::Interrupted);
    }
}

} // namespace lockscope::sim
