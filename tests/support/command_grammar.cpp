#include "tests/support/command_grammar.h"

#include "protocol_scripts.h"
#include "tests/support/command_forms.h"

#include <algorithm>
#include <array>
#include <span>
#include <string>

namespace lockscope::testing {

using store::Command;

namespace {

constexpr std::string_view kKeys[] = {"k1", "k2", "k3", "k4", "k5", "k6"};
constexpr std::string_view kFields[] = {"f1", "f2", "mode", "7", ""};
constexpr std::string_view kOwners[] = {"f1", "f2", "mode"};
constexpr std::string_view kMembers[] = {"m1", "m2", "m3", "5", "10", ""};
constexpr std::string_view kIntegers[] = {
    "0", "1", "2", "-1", "-2", "5", "100", "9223372036854775807", "-9223372036854775808"};
constexpr std::string_view kIndexes[] = {"0", "1", "2", "3", "-1", "-2", "-3", "-100", "100"};
constexpr std::string_view kScores[] = {
    "0",     "1",    "2",   "-1",   "1.5",           "0.1",
    "-2.25", "1e20", "inf", "-inf", "1700000000123", "3.0000000000000004",
    "1e-7",  "-0",   "0x10"};
constexpr std::string_view kRangeEnds[] = {"-inf", "+inf",           "0", "1", "(1", "2", "(0.1",
                                           "1.5",  "(1700000000123", "x", "(", ""};
// None that the server's clock numbers: the two servers do not share one. Nor one that has no
// number left: what a real server says then depends on its error before that.
constexpr std::string_view kStreamIds[] = {
    "0-1", "0-0", "1",  "5-*", "5-1", "5-2", "5", "7-*", "7-0", "007-3", "8-18446744073709551615",
    "-",   "x",   "5-", "-1",  "5-x"};
constexpr std::string_view kValues[] = {"a",
                                        "b",
                                        "1",
                                        "10",
                                        "-3",
                                        "007",
                                        "3.5",
                                        "",
                                        "nan",
                                        "hello world",
                                        "9223372036854775807",
                                        "9223372036854775808",
                                        " 1",
                                        "1 ",
                                        "+1",
                                        "1e3",
                                        "-",
                                        std::string_view("x\r\n\0y", 5),
                                        "\xff\xfe"};

// Each is run with two keys and three arguments: a value, an integer and a number of ms.
constexpr std::string_view kScripts[] = {
    "return 1",
    "return {1, 2, {3, 'x', false}, true, nil, 5}",
    "return 3.99",
    "return -3.99",
    "return 1e30",
    "return {0/0, 1/0, -1/0}",
    "return true",
    "return false",
    "return {ok='FINE'}",
    "return {err='MINE is broken'}",
    "return {err='-MINE is broken'}",
    "return {ok='a\\r\\nb'}",
    "return {double=3.25}",
    "return {1, nil, 3}",
    "return {a=1, b=2}",
    "return redis.status_reply('DONE')",
    "return redis.error_reply('MY very own')",
    "return redis.error_reply('nospace')",
    "return redis.error_reply('-DASH it')",
    "return redis.error_reply(5)",
    "return redis.sha1hex(ARGV[1])",
    "return redis.sha1hex()",
    "return {KEYS[1], KEYS[2], KEYS[3], ARGV[1], ARGV[2]}",
    "return #KEYS * 10 + #ARGV",
    "return redis.call('get', KEYS[1])",
    "return redis.call('set', KEYS[1], ARGV[1], 'PX', ARGV[3])",
    "return redis.call('incr', KEYS[1])",
    "return redis.call('hgetall', KEYS[1])",
    "return redis.pcall('hincrby', KEYS[1], 'f1', ARGV[2])",
    "return redis.pcall('lpush', KEYS[1], ARGV[1])",
    "local r = redis.pcall('lpush', KEYS[1], 'x'); if type(r) == 'table' then return r.err end; "
    "return {r}",
    "local r = redis.call('get', KEYS[1]); return {type(r), r == false}",
    "local r = redis.call('set', KEYS[1], 1.5); return {type(r), r.ok}",
    "return type(redis.call('hget', KEYS[1], 'f1'))",
    "return redis.call('zadd', KEYS[1], 0.1 + 0.2, 'm1')",
    "return redis.call('zscore', KEYS[1], 'm1')",
    "return redis.call('zadd', KEYS[1], 1/0, 'm2')",
    "return redis.call('append', KEYS[1], 10/3)",
    "return redis.call('append', KEYS[1], 1e15)",
    "return redis.call('append', KEYS[1], 12345678901234567890)",
    "return tostring(10/3) .. ' ' .. 1e15 .. ' ' .. 12345678901234567890",
    "return redis.call('exists', KEYS[1], KEYS[2])",
    "redis.call('set', KEYS[1], 'x'); return redis.call('lpop', KEYS[1])",
    "return redis.call('nonsense')",
    "return redis.call('get')",
    "return redis.call()",
    "return redis.pcall()",
    "return redis.call('set', {}, 1)",
    "return redis.call('set', KEYS[1], nil)",
    "return redis.call('set', KEYS[1], true)",
    "return redis.call('blpop', KEYS[1], 0)",
    "return redis.call('eval', 'return 1', 0)",
    "return redis.call('multi')",
    "return redis.call('subscribe', 'x')",
    "return redis.call('script', 'flush')",
    "return redis.call('publish', 'channel', ARGV[1])",
    "return redis.call('ping')",
    "return redis.call('echo', ARGV[2] + 1)",
    "return #redis.call('time')",
    "local t = redis.call('time'); return {type(t[1]), t[1] * 1 > 1e9}",
    "return redis.call('type', KEYS[1])",
    "return redis.call('type', KEYS[1]).ok",
    "x = 1; return x",
    "return undefinedGlobal",
    "return _G.undefinedGlobal",
    "_G.x = 2",
    "local ok, e = pcall(function() return undefinedGlobal end); return e",
    "local ok, e = pcall(redis.call, 'get'); return e",
    "local ok, e = pcall(error, {err = 'T table'}); return {tostring(ok), e}",
    "local ok, e = pcall(error, 'plain'); return {tostring(ok), e}",
    "error('plain')",
    "error({err='T table'})",
    "error({err='T table', line='5'})",
    "error(nil)",
    "error('without place', 0)",
    "\n\nerror('third line')",
    "\nlocal function f() redis.call('incr', KEYS[1], 'x') end\nf()",
    "return ('x').y.z",
    "return 1 + {}",
    "return nil .. 'x'",
    "local t = nil; t.x = 1",
    "this is no lua",
    "return 'unfinished",
    "return print",
    "return os",
    "return io",
    "return type(loadstring)",
    "return loadstring('return 5')()",
    "return type(debug)",
    "return string.format('%5.2f|%d|%s|%q', 3.14159, 42, 'x', 'y')",
    "return ('a,b,c'):gsub(',', ';')",
    "return {string.find('hello', 'l+')}",
    "return table.concat({1, 2.5, 'x'}, '-')",
    "local t = {3, 1, 2}; table.sort(t); return t",
    "return {unpack({1, 2, 3}, 2)}",
    "return select('#', unpack(ARGV))",
    "return math.floor(-3.5) .. ' ' .. math.max(1, 5, 3) .. ' ' .. math.fmod(7, 3)",
    "math.randomseed(tonumber(ARGV[2]) % 1000); return {math.random(100), math.random(5, 9), "
    "tostring(math.random())}",
    "return tonumber('0x10')",
    "return tonumber(ARGV[1])",
    "return tostring(nil) .. tostring(true) .. tostring(-0)",
    "return cjson.encode({1, 2.5, 'x', true, cjson.null})",
    "return cjson.encode({a = 'b\\n\"'})",
    "return cjson.decode('[1, 2.5, \"x\", null, true, {\"a\": 1}]')[6].a",
    "return cjson.decode('{\"a\": [1, 2, 3]}').a",
    "return cjson.decode('not json')",
    "return type(cjson.decode('[null]')[1])",
    "return cmsgpack.unpack('\\129\\161a\\147\\1\\255\\163two').a",
    "return {cmsgpack.unpack('\\205\\1\\2\\192\\195\\203\\64\\10\\0\\0\\0\\0\\0\\0')}",
    "return {tostring((cmsgpack.unpack('\\203\\64\\12\\0\\0\\0\\0\\0\\0'))), "
    "cmsgpack.unpack('\\192')}",
    "return {cmsgpack.unpack('\\196\\2ab\\217\\1c\\210\\255\\255\\255\\0')}",
    "return #{cmsgpack.unpack('')}",
    "return type(cmsgpack.unpack('\\129\\161a\\192').a)",
    "return redis.replicate_commands()",
    "redis.log(redis.LOG_WARNING, 'x')",
    "redis.log('x')",
    "return redis.REPL_ALL",
    "redis.x = 1",
    "string.x = 1",
    "setmetatable(_G, {})",
    "rawset(_G, 'y', 1)",
    "KEYS = 1; return KEYS",
    "return KEYS",
    "local t = {}; t[1] = t; return 1",
    "return redis.call('pttl', KEYS[1])",
    "redis.call('pexpire', KEYS[1], ARGV[3]); return redis.call('ttl', KEYS[1])",
    "redis.call('del', KEYS[1]); redis.call('rpush', KEYS[1], 1, 2, 3); return "
    "redis.call('lrange', KEYS[1], 0, -1)",
    "redis.call('exists', 'k1', 'k2', 'k3', 'k4', 'k5', 'k6'); return redis.call('dbsize')",
    "if redis.call('setnx', KEYS[1], ARGV[1]) == 1 then return redis.call('pexpire', KEYS[1], "
    "ARGV[3]) end return 0",
    "if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]) else return 0 "
    "end",
    "for i = 1, 10 do redis.call('rpush', KEYS[1], i) end return redis.call('llen', KEYS[1])",
    "return {redis.pcall('get', 'k1'), redis.pcall('hget', 'k1', 'f1'), redis.pcall('lrange', "
    "'k1', 0, -1)}",
    "local a = redis.call('mget', KEYS[1], KEYS[2]); return {#a, a[1] or 'none', a[2] or 'none'}",
};

// Left out are those that store numbers from a clock, which the two servers do not share, and those
// that loop as often as a field says, which may be without end.
constexpr std::array kProtocolScripts{
    protocol::scripts::kDeleteFieldIfEqual,    protocol::scripts::kDeleteIfEqual,
    protocol::scripts::kExpireIfEqual,         protocol::scripts::kFencedToken,
    protocol::scripts::kLuaSetnxExpire,        protocol::scripts::kRedissonFairLeave,
    protocol::scripts::kRedissonFairUnlock,    protocol::scripts::kRedissonLock,
    protocol::scripts::kRedissonReadLock,      protocol::scripts::kRedissonRenew,
    protocol::scripts::kRedissonUnlock,        protocol::scripts::kRedissonWriteLock,
    protocol::scripts::kRedissonWriteUnlock,   protocol::scripts::kReentrantHashLock,
    protocol::scripts::kReentrantHashRenew,    protocol::scripts::kReentrantHashUnlock,
    protocol::scripts::kRwHashFieldsRead,      protocol::scripts::kRwHashFieldsWrite,
    protocol::scripts::kRwHashStampsRead,      protocol::scripts::kRwHashStampsWrite,
    protocol::scripts::kRwTwoKeysCountedRead,  protocol::scripts::kRwTwoKeysCountedReadUnlock,
    protocol::scripts::kRwTwoKeysCountedWrite, protocol::scripts::kRwTwoKeysRead,
    protocol::scripts::kRwTwoKeysWrite,        protocol::scripts::kTokenHeartbeatLock,
    protocol::scripts::kTokenHeartbeatRenew,   protocol::scripts::kTokenHeartbeatUnlock,
};

constexpr std::int64_t kMinute = 60'000;

/// A part of a form that says when something expires.
bool isTime(const std::vector<std::string_view>& parts, std::size_t index)
{
    const std::string_view part = parts[index];
    const bool isSymbol = part.size() == 1
                          && std::string_view("DdAaP").find(part[0]) != std::string_view::npos;
    const bool isBehindUnit = index > 0 && (parts[index - 1] == "px" || parts[index - 1] == "ex");
    const bool isOfCommand = index == 2 && (parts[0] == "setex" || parts[0].ends_with("expire"));
    return isSymbol || isBehindUnit || isOfCommand;
}

std::vector<std::string_view> partsOf(std::string_view form)
{
    std::vector<std::string_view> parts;
    while (!form.empty()) {
        const std::size_t space = std::min(form.find(' '), form.size());
        parts.push_back(form.substr(0, space));
        form.remove_prefix(std::min(space + 1, form.size()));
    }
    return parts;
}

} // namespace

/// Times from now lie half a minute off the instants: they never meet, however long a sequence
/// takes.
Bytes CommandGrammar::timeWord(char symbol)
{
    const auto minutes = static_cast<std::int64_t>(5 + 5 * m_rng.below(6));
    const std::int64_t relativeMs = minutes * kMinute + kMinute / 2;
    const std::int64_t absoluteMs = m_baseMs + minutes * kMinute;
    switch (symbol) {
    case 'D': return std::to_string(relativeMs);
    case 'd': return std::to_string(relativeMs / 1000);
    case 'A': return std::to_string(absoluteMs);
    case 'a': return std::to_string(absoluteMs / 1000);
    default: return m_rng.below(2) == 0 ? "1" : std::to_string(m_baseMs - kMinute);
    }
}

Bytes CommandGrammar::word(std::string_view symbol)
{
    if (symbol.size() != 1) {
        return Bytes(symbol);
    }
    switch (symbol[0]) {
    case 'K': return oneOf(kKeys);
    case 'V': return oneOf(kValues);
    case 'I': return oneOf(kIntegers);
    case 'F': return oneOf(kFields);
    case 'M': return oneOf(kMembers);
    case 'S': return oneOf(kScores);
    case 'R': return oneOf(kRangeEnds);
    case 'N': return oneOf(kIndexes);
    case 'X': return oneOf(kStreamIds);
    case 'C': return "channel";
    case 'D':
    case 'd':
    case 'A':
    case 'a':
    case 'P': return timeWord(symbol[0]);
    default: return Bytes(symbol);
    }
}

Command CommandGrammar::fromTemplate(std::string_view form)
{
    Command command;
    for (const std::string_view part : partsOf(form)) {
        command.append(word(part));
    }
    return command;
}

/// One word too few, too many or of the wrong kind; a time stays what it is, lest something
/// expires while we look. So does the key of what is over at once: Redis counts it (DBSIZE) until
/// a command looks at it, and only the known keys are looked at before.
void CommandGrammar::spoil(Command& command, std::string_view form)
{
    switch (m_rng.below(3)) {
    case 0: command.words.pop_back(); break;
    case 1: command.append(oneOf(kValues)); break;
    default: {
        const std::vector<std::string_view> parts = partsOf(form);
        const std::size_t index = m_rng.below(parts.size());
        const bool isKeyOfThePast = parts[index] == "K" && std::ranges::count(parts, "P") > 0;
        if (!isTime(parts, index) && !isKeyOfThePast) {
            command.words[index] = oneOf(kValues);
        }
    }
    }
    if (command.words.empty()) {
        command.append("ping");
    }
}

Command CommandGrammar::script()
{
    const Bytes text = oneOf(kScripts);
    return Command("eval", text, 2, word("K"), word("K"), word("V"), word("I"), word("D"));
}

Command CommandGrammar::protocolScript()
{
    const store::Script& chosen = kProtocolScripts[m_rng.below(kProtocolScripts.size())];
    const bool isByDigest = m_rng.below(3) == 0;
    Command command(isByDigest ? "evalsha" : "eval",
                    Bytes(isByDigest ? chosen.digest : chosen.text), 4);
    for (int i = 0; i < 4; ++i) {
        command.append(word("K"));
    }
    // No number, which some of the scripts would take for a very short lease.
    command.append(oneOf(kOwners));
    for (int i = 0; i < 5; ++i) {
        command.append(word("D"));
    }
    return command;
}

Command CommandGrammar::next()
{
    const std::uint64_t kind = m_rng.below(100);
    if (kind < 12) {
        return script();
    }
    if (kind < 22) {
        return protocolScript();
    }
    if (kind < 24) {
        return Command("script", "load", oneOf(kScripts));
    }
    const std::span<const std::string_view> forms = commandForms();
    const std::string_view form = forms[m_rng.below(forms.size())];
    Command command = fromTemplate(form);
    // Neither another database nor a cursor of the real server's own is meant, nor all its
    // commands.
    const bool mayBeSpoilt = !form.starts_with("select") && !form.starts_with("scan")
                             && !form.starts_with("command") && form.find(" db ") == form.npos;
    if (mayBeSpoilt && m_rng.below(20) == 0) {
        spoil(command, form);
    }
    return command;
}

std::vector<Command> CommandGrammar::stateQueries()
{
    std::vector<Command> queries;
    for (const std::string_view key : kKeys) {
        queries.emplace_back("type", key);
        queries.emplace_back("pexpiretime", key);
        queries.emplace_back("get", key);
        queries.emplace_back("hgetall", key);
        queries.emplace_back("lrange", key, 0, -1);
        queries.emplace_back("smembers", key);
        queries.emplace_back("zrange", key, 0, -1, "withscores");
        queries.emplace_back("xrange", key, "-", "+");
    }
    queries.emplace_back("keys", "*");
    return queries;
}

} // namespace lockscope::testing
