#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

struct lua_State;
struct lua_Debug;

namespace lockscope::sim {

/// The limits of time and memory for a run of a script. Everything is counted and nothing is
/// measured, so a script ends at the same place in each run. Real servers have no such limits: a
/// script that reaches one has no result, and nothing can be said of the protocol that sent it.
///
/// Belongs to one interpreter, whose allocator it is. Every function may leave by an error of Lua's
/// where that is said: by longjmp(), past destructors.
class LuaLimits {
public:
    /// Lock scripts take some hundreds of instructions; so many take about a millisecond.
    static constexpr std::int64_t kDefaultSteps = 100'000;
    /// Steps of the libraries' own loops, as in the search for a pattern; see work().
    static constexpr std::int64_t kWorkMax = 2'000'000;
    /// Bytes that a run may have at a time, beyond its keys and arguments.
    static constexpr std::size_t kMemoryMax = std::size_t{64} << 20U;
    /// Bytes of one string, or of one part of a table.
    static constexpr std::size_t kBlockMax = std::size_t{4} << 20U;

    enum class Limit : std::uint8_t { None, Steps, Memory, Interrupted };

    explicit LuaLimits(std::int64_t steps) : m_steps(steps) {}
    LuaLimits(const LuaLimits&) = delete;
    LuaLimits& operator=(const LuaLimits&) = delete;

    /// For lua_newstate(), with the limits as its data.
    static void* allocate(void* limits, void* block, std::size_t oldSize, std::size_t newSize);
    /// The limits of the interpreter that the state belongs to.
    static LuaLimits& of(lua_State* lua);

    /// Asked some thousand times a second while a script runs; true ends it.
    void endWhen(std::function<bool()> condition) { m_isOver = std::move(condition); }

    /// A run begins: its keys and arguments come next, and then the script.
    void begin(lua_State* lua);
    void beginScript();
    /// Returns what it was that ended the run.
    Limit end();
    /// In words, as the error of a server.
    static const char* textOf(Limit limit);

    /// The line of the script at which it was ended; 0: not known.
    int line() const { return m_line; }

    /// Bytes of the interpreter.
    std::size_t used() const { return m_used; }

    /// Counts steps of a library's loop. Raises an error where there are too many.
    void work(lua_State* lua, std::int64_t steps)
    {
        m_workLeft -= steps;
        if (m_workLeft < 0) {
            stop(lua, Limit::Steps);
        }
    }
    /// Raises an error where that much memory is not left: for code that must not run out of it.
    void reserve(lua_State* lua, std::size_t size);
    /// Raises the error of the limit, now and at each further instruction of the run.
    [[noreturn]] void stop(lua_State* lua, Limit limit);

private:
    static void count(lua_State* lua, lua_Debug* info);
    void reach(lua_State* lua, Limit limit);
    bool mayGrow(std::size_t oldSize, std::size_t newSize);
    /// How many steps an instruction counts for: where there are long strings, one may take long.
    std::int64_t price() const;

    std::int64_t m_steps;
    std::int64_t m_stepsLeft = 0;
    std::int64_t m_workLeft = kWorkMax;
    std::size_t m_used = 0;
    std::size_t m_usedMax = 0;
    std::size_t m_largest = 0; // block of the run
    lua_State* m_main = nullptr;
    bool m_isScriptRunning = false; // what is allocated otherwise has no limit
    Limit m_reached = Limit::None;
    int m_line = 0; // where
    std::function<bool()> m_isOver;
};

} // namespace lockscope::sim
