#pragma once

#include "core/kernel/base/arena.h"
#include "core/kernel/base/bytes.h"
#include "core/kernel/sim/answer_trees.h"
#include "core/kernel/sim/lua_limits.h"
#include "core/kernel/sim/sim_database.h"
#include "core/kernel/store/reply.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

struct lua_State;

namespace lockscope::sim {

/// One run of a script. What is referred to outlives it.
struct ScriptRun {
    SimDatabase& database;
    const CommandContext& context;
    const CachedScript& script;
    std::string_view shownDigest;    // how errors call the script
    const std::vector<Bytes>& words; // of EVAL or EVALSHA: keys and arguments begin with the fourth
    std::size_t keyCount = 0;
    bool isReadOnly = false; // EVAL_RO: writes are refused
};

/// An embedded Lua 5.1 that runs scripts as Redis 7.0 does: the same globals (except `struct`,
/// `cmsgpack` and `bit`), the same conversions, the same error texts. It holds no data of any
/// server: one engine serves all servers of a thread, one script after the other, and the result of
/// a run depends on nothing but the run. Compiled scripts stay for the next run.
///
/// `math.random` begins with the same seed in every run, where a real server goes on from wherever
/// the scripts before came.
class LuaEngine {
public:
    /// What becomes of a run whose script ran on the same words before.
    enum class Answers : std::uint8_t {
        Remembered, // as far as its calls get the same answers, Lua is not asked again
        Computed,   // for callers whose words never come again: they only fill the memory
    };

    /// `stepLimit`: Lua instructions, give or take a hundred, after which a run ends with an error.
    explicit LuaEngine(std::int64_t stepLimit = LuaLimits::kDefaultSteps,
                       Answers answers = Answers::Remembered);
    explicit LuaEngine(Answers answers) : LuaEngine(LuaLimits::kDefaultSteps, answers) {}
    ~LuaEngine();
    LuaEngine(const LuaEngine&) = delete;
    LuaEngine& operator=(const LuaEngine&) = delete;

    /// The SHA1 of a text, remembered. Holds until the next call.
    std::string_view digestOf(const Bytes& text);

    /// Why the text is no script, as Redis says it (without the kind of error); nullopt when it is
    /// one, which run() then finds compiled.
    std::optional<std::string> compile(std::string_view digest, std::string_view text);

    store::Reply run(const ScriptRun& run);

    /// See LuaLimits. What was ended so has an error for its result that counts for nothing.
    void endWhen(std::function<bool()> condition)
    {
        m_limits.endWhen(std::move(condition));
        m_wasInterrupted = false;
    }
    bool wasInterrupted() const { return m_wasInterrupted; }

    /// How many runs were ended by a limit or an interruption so far.
    std::uint64_t stoppedCount() const { return m_stoppedCount; }

private:
    friend struct LuaRedisApi; // the functions of the table `redis`, which need the current run

    struct Closer {
        void operator()(lua_State* lua) const;
    };

    /// Calls the command that is on the stack and leaves its result there instead: true when that
    /// is an error.
    bool callCommand(lua_State* lua);
    const store::Reply& answerTo(const CommandSpec& spec);
    /// Carries out what is remembered of such runs. nullptr: Lua has to go on from m_given.
    const store::Reply* runByHeart(const ScriptRun& run);
    /// The place behind the answer to a call of the node; nullptr: the answer is in m_latest.
    AnswerTrees::Node* carryOut(const ScriptRun& run, const CommandSpec& spec,
                                const std::vector<Bytes>& words, AnswerTrees::Node* node);
    store::Reply interpret(const ScriptRun& run);
    bool readCommand(lua_State* lua);
    store::Reply failure() const;
    store::Reply failure(LuaLimits::Limit limit);
    void tidyUp();
    int chunkOf(const CachedScript& script);
    void pushWords(const ScriptRun& run, std::size_t begin, std::size_t end, const char* global);

    LuaLimits m_limits; // outlives the interpreter, whose memory it counts
    std::unique_ptr<lua_State, Closer> m_lua;
    std::unordered_map<Bytes, int> m_chunkByDigest; // reference into Lua's registry
    std::size_t m_chunkBytes = 0;                   // of their texts
    std::unordered_map<Bytes, Bytes> m_digestByText;
    std::size_t m_digestBytes = 0; // of the texts
    std::vector<Bytes> m_command;  // of the latest redis.call; kept for its memory
    Answers m_answers;
    AnswerTrees m_trees;
    // Of the current run. Its first calls were carried out before Lua was asked.
    std::vector<const store::Reply*> m_given; // the answers to them
    std::size_t m_givenCount = 0;             // that Lua has got
    AnswerTrees::Node* m_open = nullptr;      // what comes next is to be remembered here
    store::Reply m_latest;                    // answer, where it is not remembered
    Arena* m_arena = nullptr;                 // of the world whose script it is
    const ScriptRun* m_run = nullptr;
    std::uint64_t m_random = 0; // 48 bits
    bool m_wasInterrupted = false;
    std::uint64_t m_stoppedCount = 0;
};

} // namespace lockscope::sim
