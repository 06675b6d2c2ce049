#include "core/kernel/sim/lua_engine.h"

#include "core/kernel/base/sha1.h"
#include "core/kernel/sim/command_table.h"
#include "core/kernel/sim/lua_redis.h"
#include "core/kernel/sim/lua_sandbox.h"
#include "core/kernel/sim/lua_values.h"
#include "core/kernel/sim/number_text.h"

#include <algorithm>
#include <cassert>
#include <lua.hpp>
#include <new>

namespace lockscope::sim {

using store::Reply;

namespace {

constexpr const char* kChunkName = "@user_script";
/// Scripts generated one after the other must not fill the memory.
constexpr std::size_t kRememberedMax = 4096;
constexpr std::size_t kRememberedBytesMax = std::size_t{16} << 20U;
/// The garbage that scripts may leave for the next one.
constexpr std::size_t kTidyAbove = std::size_t{8} << 20U;
/// The settings of a fresh garbage collector.
constexpr int kCollectorPercent = 200;
/// Where KEYS begins in EVAL script numkeys key … arg …
constexpr std::size_t kFirstKey = 3;

/// A field of the table on top, when it is text or a number.
std::string fieldText(lua_State* lua, const char* field)
{
    lua_getfield(lua, -1, field);
    std::string text(stringAt(lua, -1));
    lua_pop(lua, 1);
    return text;
}

/// As steps of LuaLimits::work(). A command takes some hundreds of nanoseconds, whatever it does.
constexpr std::int64_t kCostOfCall = 50;
constexpr std::int64_t kCostOfPart = 8;
constexpr std::size_t kWordBytesPerStep = 64;

std::int64_t costOf(const std::vector<Bytes>& command)
{
    std::int64_t cost = kCostOfCall;
    for (const Bytes& word : command) {
        cost += kCostOfPart + static_cast<std::int64_t>(word.size() / kWordBytesPerStep);
    }
    return cost;
}

std::int64_t costOf(const Reply& reply)
{
    const std::string* const text = reply.text();
    std::int64_t cost = text != nullptr
                            ? static_cast<std::int64_t>(text->size() / kWordBytesPerStep)
                            : 0;
    if (const Reply::Array* const items = reply.array()) {
        for (const Reply& item : *items) {
            cost += kCostOfPart + costOf(item);
        }
    }
    return cost;
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
    : m_limits(stepLimit),
      m_lua(lua_newstate(LuaLimits::allocate, &m_limits)),
      m_answers(answers)
{
    lua_State* const lua = m_lua.get();
    if (lua == nullptr) {
        throw std::bad_alloc();
    }
    openSandbox(lua);
    LuaRedisApi::open(lua, *this);
    sealSandbox(lua);
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
    if (m_digestByText.size() >= kRememberedMax || m_digestBytes > kRememberedBytesMax) {
        m_digestByText.clear();
        m_digestBytes = 0;
    }
    m_digestBytes += text.size();
    return m_digestByText.emplace(text, sha1Hex(text)).first->second;
}

std::optional<std::string> LuaEngine::compile(std::string_view digest, std::string_view text)
{
    const Arena::Scope outside(nullptr);
    if (m_chunkByDigest.contains(Bytes(digest))) {
        return std::nullopt;
    }
    if (m_chunkByDigest.size() >= kRememberedMax || m_chunkBytes > kRememberedBytesMax) {
        for (const auto& [old, reference] : m_chunkByDigest) {
            luaL_unref(m_lua.get(), LUA_REGISTRYINDEX, reference);
        }
        m_chunkByDigest.clear();
        m_chunkBytes = 0;
    }
    // Code that was compiled before: Redis reads text alone (f_parser() in its ldo.c).
    if (text.starts_with(LUA_SIGNATURE[0])) {
        return "Error compiling script (new function): user_script:1: unexpected symbol near "
               "'char(27)'";
    }
    lua_State* const lua = m_lua.get();
    if (luaL_loadbuffer(lua, text.data(), text.size(), kChunkName) != 0) {
        std::string problem = "Error compiling script (new function): ";
        problem += shortError(stringAt(lua, -1));
        lua_pop(lua, 1);
        return problem;
    }
    m_chunkBytes += text.size();
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
        computed = interpret(run);
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
    m_limits.begin(lua);
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
    m_limits.beginScript();
    const bool hasFailed = lua_pcall(lua, 0, 1, LuaPlaces::kErrorHandler) != 0;
    const LuaLimits::Limit limit = m_limits.end();
    Reply reply = limit != LuaLimits::Limit::None ? failure(limit)
                  : hasFailed                     ? failure()
                                                  : popReply(lua);
    // A script that was stopped is stopped again, and counted: each search has to know.
    if (m_open != nullptr && limit == LuaLimits::Limit::None) {
        m_open->result = reply;
        m_trees.weigh(reply);
    }
    // Whatever the script left on the stack goes; the places below stay for the next one.
    lua_settop(lua, LuaPlaces::kEnvironment);
    m_run = nullptr;
    if (m_limits.used() > kTidyAbove) {
        tidyUp();
    }
    return reply;
}

/// A script may have switched the collector off.
void LuaEngine::tidyUp()
{
    lua_State* const lua = m_lua.get();
    lua_gc(lua, LUA_GCSETPAUSE, kCollectorPercent);
    lua_gc(lua, LUA_GCSETSTEPMUL, kCollectorPercent);
    lua_gc(lua, LUA_GCRESTART, 0);
    lua_gc(lua, LUA_GCCOLLECT, 0);
}

/// The error of the limit, in the form of any other, whatever the script made of it.
Reply LuaEngine::failure(LuaLimits::Limit limit)
{
    ++m_stoppedCount;
    m_wasInterrupted = m_wasInterrupted || limit == LuaLimits::Limit::Interrupted;
    const std::string line = std::to_string(std::max(m_limits.line(), 1));
    return Reply::ofError("ERR user_script:" + line + ": " + LuaLimits::textOf(limit)
                          + " script: " + std::string(m_run->shownDigest) + ", on " + kChunkName
                          + ":" + line + ".");
}

/// The error on top of the stack, with what Redis appends to it.
Reply LuaEngine::failure() const
{
    lua_State* const lua = m_lua.get();
    if (!lua_istable(lua, -1)) {
        const std::string_view text = shortError(stringAt(lua, -1));
        return Reply::ofError("ERR Error running script " + std::string(m_run->shownDigest) + ", "
                              + std::string(text.empty() ? "execution failure" : text));
    }
    std::string text(shortError(fieldText(lua, "err")));
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
    m_limits.work(lua, costOf(m_command));
    const CommandSpec* const spec = findCommand(m_command);
    if (const char* const refusal = refusalInScript(spec, m_command.size(), m_run->isReadOnly)) {
        pushReply(lua, Reply::ofError(std::string("ERR ") + refusal));
        return true;
    }
    const Reply& reply = answerTo(*spec);
    m_limits.work(lua, costOf(reply));
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
        m_trees.weigh(m_command);
    }
    m_open = carryOut(*m_run, spec, m_command, m_open);
    return m_open != nullptr ? m_open->answer : m_latest;
}

} // namespace lockscope::sim
