#include "core/kernel/sim/lua_engine.h"

#include "core/kernel/base/sha1.h"
#include "core/kernel/sim/command_table.h"
#include "core/kernel/sim/lua_redis.h"
#include "core/kernel/sim/lua_sandbox.h"
#include "core/kernel/sim/lua_values.h"
#include "core/kernel/sim/number_text.h"

#include <cassert>
#include <lua.hpp>
#include <new>

namespace lockscope::sim {

using store::Reply;

namespace {

constexpr const char* kChunkName = "@user_script";
constexpr int kStepsPerCount = 1000;
/// Scripts generated one after the other must not fill the memory.
constexpr std::size_t kRememberedMax = 4096;
/// Where KEYS begins in EVAL script numkeys key … arg …
constexpr std::size_t kFirstKey = 3;

/// Where the interpreter keeps the engine it belongs to, for the step counter.
char& engineMark()
{
    static char mark = 0;
    return mark;
}

/// A field of the table on top, when it is text or a number.
std::string fieldText(lua_State* lua, const char* field)
{
    lua_getfield(lua, -1, field);
    std::string text(stringAt(lua, -1));
    lua_pop(lua, 1);
    return text;
}

/// Why a script must not call the command; nullptr when it may.
const char* refusalInScript(const CommandSpec* spec, std::size_t wordCount, bool isReadOnly)
{
    if (spec == nullptr) {
        return "Unknown Redis command called from script";
    }
    if (!spec->acceptsWordCount(wordCount)) {
        return "Wrong number of args calling Redis command from script";
    }
    // Redis marks the others NOSCRIPT: they wait, or belong to a connection.
    const bool isAllowed = spec->kind == CommandKind::Read || spec->kind == CommandKind::Write
                           || spec->kind == CommandKind::Other;
    if (!isAllowed) {
        return "This Redis command is not allowed from script";
    }
    // Messages reach replicas, too, and so they are refused (CMD_MAY_REPLICATE in script.c).
    const bool isWrite = spec->kind == CommandKind::Write || spec->name.ends_with("publish");
    return isReadOnly && isWrite ? "Write commands are not allowed from read-only scripts."
                                 : nullptr;
}

} // namespace

void LuaEngine::Closer::operator()(lua_State* lua) const
{
    lua_close(lua);
}

LuaEngine::LuaEngine(std::int64_t stepLimit, Answers answers)
    : m_lua(luaL_newstate()),
      m_answers(answers),
      m_stepLimit(stepLimit)
{
    lua_State* const lua = m_lua.get();
    if (lua == nullptr) {
        throw std::bad_alloc();
    }
    lua_pushlightuserdata(lua, &engineMark());
    lua_pushlightuserdata(lua, this);
    lua_rawset(lua, LUA_REGISTRYINDEX);
    openSandbox(lua);
    LuaRedisApi::open(lua, *this);
    sealSandbox(lua);
    lua_sethook(lua, countSteps, LUA_MASKCOUNT, kStepsPerCount);
}

LuaEngine::~LuaEngine() = default;

/// The same few texts come again in every run of a search; they need not be hashed anew.
std::string_view LuaEngine::digestOf(const Bytes& text)
{
    const Arena::Scope outside(nullptr);
    const auto known = m_digestByText.find(text);
    if (known != m_digestByText.end()) {
        return known->second;
    }
    if (m_digestByText.size() >= kRememberedMax) {
        m_digestByText.clear();
    }
    return m_digestByText.emplace(text, sha1Hex(text)).first->second;
}

std::optional<std::string> LuaEngine::compile(std::string_view digest, std::string_view text)
{
    const Arena::Scope outside(nullptr);
    if (m_chunkByDigest.contains(Bytes(digest))) {
        return std::nullopt;
    }
    if (m_chunkByDigest.size() >= kRememberedMax) {
        for (const auto& [old, reference] : m_chunkByDigest) {
            luaL_unref(m_lua.get(), LUA_REGISTRYINDEX, reference);
        }
        m_chunkByDigest.clear();
    }
    lua_State* const lua = m_lua.get();
    if (luaL_loadbuffer(lua, text.data(), text.size(), kChunkName) != 0) {
        std::string problem = "Error compiling script (new function): ";
        problem += stringAt(lua, -1);
        lua_pop(lua, 1);
        return problem;
    }
    m_chunkByDigest.emplace(digest, luaL_ref(lua, LUA_REGISTRYINDEX));
    return std::nullopt;
}

/// The engine lives longer than the worlds whose scripts it runs: what it keeps is allocated
/// outside their arena, and what it gives them inside.
Reply LuaEngine::run(const ScriptRun& run)
{
    assert(m_run == nullptr);
    m_arena = Arena::current();
    const Arena::Scope outside(nullptr);
    m_given.clear();
    m_givenCount = 0;
    m_open = nullptr;
    // Where writes are refused the same words lead elsewhere.
    const bool mayRemember = m_answers == Answers::Remembered && !run.isReadOnly;
    const Reply* result = mayRemember ? runByHeart(run) : nullptr;
    Reply computed;
    if (result == nullptr) {
        const std::uint64_t stoppedBefore = m_stoppedCount;
        computed = interpret(run);
        // A script that was stopped is stopped again, and counted: whoever asks next has to hear
        // it.
        if (m_open != nullptr && m_stoppedCount == stoppedBefore) {
            m_open->result = computed;
        }
        if (m_arena == nullptr) {
            return computed;
        }
        result = &computed;
    }
    const Arena::Scope inside(m_arena);
    return *result;
}

const Reply* LuaEngine::runByHeart(const ScriptRun& run)
{
    AnswerTrees::Node* node = m_trees.rootOf({run.script.digest, run.shownDigest, run.words});
    while (node != nullptr && node->isCall()) {
        node = carryOut(run, *node->spec, node->words, node);
        m_given.push_back(node != nullptr ? &node->answer : &m_latest);
    }
    if (node != nullptr && node->result) {
        return &*node->result;
    }
    m_open = node;
    return nullptr;
}

AnswerTrees::Node* LuaEngine::carryOut(const ScriptRun& run, const CommandSpec& spec,
                                       const std::vector<Bytes>& words, AnswerTrees::Node* node)
{
    const Arena::Scope inside(m_arena);
    const Reply answer = run.database.run(spec, words, run.context);
    const Arena::Scope outside(nullptr);
    AnswerTrees::Node* const next = node != nullptr ? m_trees.behind(*node, answer) : nullptr;
    if (next == nullptr) {
        m_latest = answer;
    }
    return next;
}

Reply LuaEngine::interpret(const ScriptRun& run)
{
    lua_State* const lua = m_lua.get();
    m_run = &run;
    // From the beginning of every run: steps of the run before that are not counted yet would stop
    // this one sooner, and a run that ended at its limit has left the hook at every single step.
    lua_sethook(lua, countSteps, LUA_MASKCOUNT, kStepsPerCount);
    m_stepsLeft = m_stepLimit;
    // The same sequence in every script, as evalGenericCommand() in eval.c sees to.
    m_random = LuaRedisApi::kFirstRandom;
    lua_rawgeti(lua, LUA_REGISTRYINDEX, chunkOf(run.script));
    // A script may have given itself, or all later scripts, another environment.
    lua_pushvalue(lua, LuaPlaces::kEnvironment);
    lua_setfenv(lua, -2);
    lua_pushvalue(lua, LuaPlaces::kEnvironment);
    lua_replace(lua, LUA_GLOBALSINDEX);
    const std::size_t firstArgument = kFirstKey + run.keyCount;
    pushWords(run, kFirstKey, firstArgument, "KEYS");
    pushWords(run, firstArgument, run.words.size(), "ARGV");
    const bool hasFailed = lua_pcall(lua, 0, 1, LuaPlaces::kErrorHandler) != 0;
    Reply reply = hasFailed ? failure() : popReply(lua);
    // Whatever the script left on the stack goes; the places below stay for the next one.
    lua_settop(lua, LuaPlaces::kEnvironment);
    m_run = nullptr;
    return reply;
}

/// The error on top of the stack, with what Redis appends to it.
Reply LuaEngine::failure() const
{
    lua_State* const lua = m_lua.get();
    if (!lua_istable(lua, -1)) {
        const std::string_view text = stringAt(lua, -1);
        return Reply::ofError("ERR Error running script " + std::string(m_run->shownDigest) + ", "
                              + std::string(text.empty() ? "execution failure" : text));
    }
    std::string text = fieldText(lua, "err");
    const std::string line = fieldText(lua, "line");
    const std::string source = fieldText(lua, "source");
    if (!line.empty() && !source.empty()) {
        text += " script: " + std::string(m_run->shownDigest) + ", on " + source + ":" + line + ".";
    }
    return Reply::ofError(std::move(text));
}

int LuaEngine::chunkOf(const CachedScript& script)
{
    const auto known = m_chunkByDigest.find(Bytes(script.digest));
    if (known != m_chunkByDigest.end()) {
        return known->second;
    }
    // Another engine compiled it, or this one has forgotten it.
    [[maybe_unused]] const auto problem = compile(script.digest, script.text);
    assert(!problem);
    return m_chunkByDigest.find(Bytes(script.digest))->second;
}

void LuaEngine::pushWords(const ScriptRun& run, std::size_t begin, std::size_t end,
                          const char* global)
{
    lua_State* const lua = m_lua.get();
    lua_createtable(lua, static_cast<int>(end - begin), 0);
    for (std::size_t i = begin; i < end; ++i) {
        lua_pushlstring(lua, run.words[i].data(), run.words[i].size());
        lua_rawseti(lua, -2, static_cast<int>(i - begin) + 1);
    }
    lua_setfield(lua, LuaPlaces::kGlobals, global);
}

/// Takes the words of the command off the stack; pushes an error when they are none.
bool LuaEngine::readCommand(lua_State* lua)
{
    const int count = lua_gettop(lua);
    if (count == 0) {
        pushError(lua, "Please specify at least one argument for this redis lib call");
        return false;
    }
    m_command.resize(static_cast<std::size_t>(count));
    for (int i = 1; i <= count; ++i) {
        Bytes& word = m_command[static_cast<std::size_t>(i - 1)];
        if (lua_type(lua, i) == LUA_TNUMBER) {
            word = formatScriptNumber(lua_tonumber(lua, i));
        } else if (lua_type(lua, i) == LUA_TSTRING) {
            word = stringAt(lua, i);
        } else {
            lua_settop(lua, 0);
            pushError(lua, "Lua redis lib command arguments must be strings or integers");
            return false;
        }
    }
    lua_settop(lua, 0);
    return true;
}

/// True: what was pushed is an error, which `call` raises and `pcall` returns.
bool LuaEngine::callCommand(lua_State* lua)
{
    if (!readCommand(lua)) {
        return true;
    }
    const CommandSpec* const spec = findCommand(m_command);
    if (const char* const refusal = refusalInScript(spec, m_command.size(), m_run->isReadOnly)) {
        pushReply(lua, Reply::ofError(std::string("ERR ") + refusal));
        return true;
    }
    const Reply& reply = answerTo(*spec);
    pushReply(lua, reply);
    return reply.isError();
}

/// To the command in m_command. A refused call is none of them: what it is told depends on nothing
/// but its words.
const Reply& LuaEngine::answerTo(const CommandSpec& spec)
{
    if (m_givenCount < m_given.size()) {
        return *m_given[m_givenCount++]; // with the same answers so far, it is the same call
    }
    if (m_open != nullptr) {
        m_open->spec = &spec;
        m_open->words = m_command;
    }
    m_open = carryOut(*m_run, spec, m_command, m_open);
    return m_open != nullptr ? m_open->answer : m_latest;
}

/// Redis lets a script that takes too long go on until SCRIPT KILL (script.c). In a simulation no
/// client could send that, and the run would never end: the limit is an error instead.
void LuaEngine::countSteps(lua_State* lua, lua_Debug*)
{
    lua_pushlightuserdata(lua, &engineMark());
    lua_rawget(lua, LUA_REGISTRYINDEX);
    auto& engine = *static_cast<LuaEngine*>(lua_touserdata(lua, -1));
    lua_pop(lua, 1);
    engine.m_stoppedCount += engine.m_stepsLeft >= 0 && engine.m_stepsLeft < kStepsPerCount ? 1 : 0;
    engine.m_stepsLeft -= kStepsPerCount;
    if (engine.m_stepsLeft < 0) {
        // A script that catches the error gets it again with the next instruction.
        lua_sethook(lua, countSteps, LUA_MASKCOUNT, 1);
        // `lua` may be a coroutine, whose error does not end the script around it.
        lua_sethook(engine.m_lua.get(), countSteps, LUA_MASKCOUNT, 1);
        luaL_where(lua, 0);
        lua_pushliteral(lua, "the script takes more steps than the simulation allows, and was "
                             "stopped");
        lua_concat(lua, 2);
        lua_error(lua);
    }
}

} // namespace lockscope::sim
