#include "core/kernel/sim/lua_patterns.h"

#include "core/kernel/sim/lua_limits.h"

#include <array>
#include <cctype>
#include <cstddef>
#include <cstring>
#include <lua.hpp>

namespace lockscope::sim {

namespace {

// Every function here may leave by an error of Lua's, so none has an object with a destructor.
// Source of what they do: the reference manual of Lua 5.1, §5.4, and lstrlib.c where it is silent.
// Patterns end at their first zero byte there, and so they do here.

/// As MAXCCALLS in lstrlib.c of Lua 5.2. Without it a long pattern uses up the stack.
constexpr int kDepthMax = 200;
constexpr char kEscape = '%';
constexpr const char* kSpecials = "^$*+?.([%-";

int byteOf(char c)
{
    return static_cast<unsigned char>(c);
}

/// A class of letters, such as %d. What is no class stands for itself.
bool isInClass(int c, int letter)
{
    bool isIn = false;
    switch (std::tolower(letter)) {
    case 'a': isIn = std::isalpha(c) != 0; break;
    case 'c': isIn = std::iscntrl(c) != 0; break;
    case 'd': isIn = std::isdigit(c) != 0; break;
    case 'l': isIn = std::islower(c) != 0; break;
    case 'p': isIn = std::ispunct(c) != 0; break;
    case 's': isIn = std::isspace(c) != 0; break;
    case 'u': isIn = std::isupper(c) != 0; break;
    case 'w': isIn = std::isalnum(c) != 0; break;
    case 'x': isIn = std::isxdigit(c) != 0; break;
    case 'z': isIn = c == 0; break;
    default: return letter == c;
    }
    return (std::islower(letter) != 0) == isIn;
}

/// A set such as [^%d_a-f], between its two brackets.
bool isInSet(int c, const char* open, const char* close)
{
    bool isInside = true;
    const char* at = open + 1;
    if (*at == '^') {
        isInside = false;
        ++at;
    }
    for (; at < close; ++at) {
        if (*at == kEscape) {
            ++at;
            if (isInClass(c, byteOf(*at))) {
                return isInside;
            }
        } else if (at[1] == '-' && at + 2 < close) {
            if (byteOf(at[0]) <= c && c <= byteOf(at[2])) {
                return isInside;
            }
            at += 2;
        } else if (byteOf(*at) == c) {
            return isInside;
        }
    }
    return !isInside;
}

/// One search for one pattern in one text.
class Match {
public:
    Match(lua_State* lua, const char* text, std::size_t size)
        : m_lua(lua),
          m_limits(LuaLimits::of(lua)),
          m_begin(text),
          m_end(text + size)
    {}

    const char* begin() const { return m_begin; }
    const char* end() const { return m_end; }

    /// The end of what the pattern fits, from `at` on; nullptr: it does not fit there.
    const char* fit(const char* at, const char* pattern)
    {
        m_captureCount = 0;
        m_depth = 0;
        return rest(at, pattern);
    }

    /// Pushes all captures, or the whole match if the pattern has no captures. Returns how many.
    int pushCaptures(const char* from, const char* to) const
    {
        const int count = m_captureCount == 0 && from != nullptr ? 1 : m_captureCount;
        luaL_checkstack(m_lua, count, "too many captures");
        for (int i = 0; i < count; ++i) {
            pushCapture(i, from, to);
        }
        return count;
    }

    void pushCapture(int index, const char* from, const char* to) const
    {
        if (index >= m_captureCount) {
            if (index != 0) {
                luaL_error(m_lua, "invalid capture index");
            }
            lua_pushlstring(m_lua, from, static_cast<std::size_t>(to - from));
            return;
        }
        const Capture& capture = m_captures[static_cast<std::size_t>(index)];
        if (capture.size == kUnfinished) {
            luaL_error(m_lua, "unfinished capture");
        } else if (capture.size == kPosition) {
            lua_pushinteger(m_lua, capture.begin - m_begin + 1);
        } else {
            lua_pushlstring(m_lua, capture.begin, static_cast<std::size_t>(capture.size));
        }
    }

private:
    static constexpr std::ptrdiff_t kUnfinished = -1;
    static constexpr std::ptrdiff_t kPosition = -2;

    struct Capture {
        const char* begin;
        std::ptrdiff_t size;
    };

    void count(std::ptrdiff_t steps = 1) { m_limits.work(m_lua, steps); }

    /// Matches the rest of the pattern. Returns the end of the match, or nullptr.
    const char* rest(const char* at, const char* pattern)
    {
        if (++m_depth > kDepthMax) {
            luaL_error(m_lua, "pattern too complex");
        }
        const char* const end = items(at, pattern);
        --m_depth;
        return end;
    }

    /// Item after item, as long as each fits in one way only.
    const char* items(const char* at, const char* pattern)
    {
        while (at != nullptr) {
            count();
            switch (*pattern) {
            case '\0': return at;
            case '(':
                return pattern[1] == ')' ? open(at, pattern + 2, kPosition)
                                         : open(at, pattern + 1, kUnfinished);
            case ')': return close(at, pattern + 1);
            case '$':
                if (pattern[1] == '\0') {
                    return at == m_end ? at : nullptr;
                }
                break;
            case kEscape:
                if (pattern[1] == 'b') {
                    at = balanced(at, pattern + 2);
                    pattern += 4;
                    continue;
                }
                if (pattern[1] == 'f') {
                    const char* const set = setBehind(pattern + 2);
                    at = isFrontier(at, pattern + 2, set) ? at : nullptr;
                    pattern = set;
                    continue;
                }
                if (std::isdigit(byteOf(pattern[1])) != 0) {
                    at = repeated(at, byteOf(pattern[1]));
                    pattern += 2;
                    continue;
                }
                break;
            default: break;
            }
            const char* const next = endOfItem(pattern);
            switch (*next) {
            case '*': return atMost(at, pattern, next);
            case '+': return fitsOne(at, pattern, next) ? atMost(at + 1, pattern, next) : nullptr;
            case '-': return atLeast(at, pattern, next);
            case '?':
                if (fitsOne(at, pattern, next)) {
                    if (const char* const end = rest(at + 1, next + 1)) {
                        return end;
                    }
                }
                pattern = next + 1;
                break;
            default: at = fitsOne(at, pattern, next) ? at + 1 : nullptr; pattern = next;
            }
        }
        return nullptr;
    }

    /// Behind a letter, a class or a set.
    const char* endOfItem(const char* item)
    {
        if (*item == kEscape) {
            if (item[1] == '\0') {
                luaL_error(m_lua, "malformed pattern (ends with " LUA_QL("%%") ")");
            }
            return item + 2;
        }
        if (*item != '[') {
            return item + 1;
        }
        const char* at = item + (item[1] == '^' ? 2 : 1);
        do { // a bracket that comes first belongs to the set
            if (*at == '\0') {
                luaL_error(m_lua, "malformed pattern (missing " LUA_QL("]") ")");
            }
            if (*at++ == kEscape && *at != '\0') {
                ++at;
            }
        } while (*at != ']');
        count((at - item) / 8);
        return at + 1;
    }

    bool fitsOne(const char* at, const char* item, const char* next)
    {
        if (at >= m_end) {
            return false;
        }
        const int c = byteOf(*at);
        switch (*item) {
        case '.': return true;
        case kEscape: return isInClass(c, byteOf(item[1]));
        case '[': count((next - item) / 8); return isInSet(c, item, next - 1);
        default: return byteOf(*item) == c;
        }
    }

    /// item* : as many as there are, and then fewer.
    const char* atMost(const char* at, const char* item, const char* next)
    {
        const char* last = at;
        while (fitsOne(last, item, next)) {
            count();
            ++last;
        }
        for (; last >= at; --last) {
            if (const char* const end = rest(last, next + 1)) {
                return end;
            }
        }
        return nullptr;
    }

    /// item- : none, and then more.
    const char* atLeast(const char* at, const char* item, const char* next)
    {
        while (true) {
            if (const char* const end = rest(at, next + 1)) {
                return end;
            }
            if (!fitsOne(at, item, next)) {
                return nullptr;
            }
            ++at;
        }
    }

    const char* open(const char* at, const char* pattern, std::ptrdiff_t size)
    {
        if (m_captureCount >= LUA_MAXCAPTURES) {
            luaL_error(m_lua, "too many captures");
        }
        m_captures[static_cast<std::size_t>(m_captureCount++)] = {at, size};
        const char* const end = rest(at, pattern);
        m_captureCount -= end == nullptr ? 1 : 0;
        return end;
    }

    const char* close(const char* at, const char* pattern)
    {
        int index = m_captureCount - 1;
        while (index >= 0 && m_captures[static_cast<std::size_t>(index)].size != kUnfinished) {
            --index;
        }
        if (index < 0) {
            luaL_error(m_lua, "invalid pattern capture");
        }
        Capture& capture = m_captures[static_cast<std::size_t>(index)];
        capture.size = at - capture.begin;
        const char* const end = rest(at, pattern);
        if (end == nullptr) {
            capture.size = kUnfinished;
        }
        return end;
    }

    /// %b() : from one to its counterpart.
    const char* balanced(const char* at, const char* pair)
    {
        if (pair[0] == '\0' || pair[1] == '\0') {
            luaL_error(m_lua, "unbalanced pattern");
        }
        if (*at != *pair) {
            return nullptr;
        }
        int depth = 1;
        for (const char* next = at + 1; next < m_end; ++next) {
            count();
            if (*next == pair[1]) {
                if (--depth == 0) {
                    return next + 1;
                }
            } else if (*next == pair[0]) {
                ++depth;
            }
        }
        return nullptr;
    }

    const char* setBehind(const char* set)
    {
        if (*set != '[') {
            luaL_error(m_lua, "missing " LUA_QL("[") " after " LUA_QL("%%f") " in pattern");
        }
        return endOfItem(set);
    }

    /// %f[set] : the set begins here. The text has a zero byte behind its end.
    bool isFrontier(const char* at, const char* set, const char* next)
    {
        count((next - set) / 8);
        const char before = at == m_begin ? '\0' : at[-1];
        return !isInSet(byteOf(before), set, next - 1) && isInSet(byteOf(*at), set, next - 1);
    }

    /// %1 : what the capture has.
    const char* repeated(const char* at, int digit)
    {
        const int index = digit - '1';
        if (index < 0 || index >= m_captureCount
            || m_captures[static_cast<std::size_t>(index)].size == kUnfinished) {
            luaL_error(m_lua, "invalid capture index");
        }
        const Capture& capture = m_captures[static_cast<std::size_t>(index)];
        const auto size = static_cast<std::size_t>(capture.size); // of a position: too many
        if (static_cast<std::size_t>(m_end - at) < size) {
            return nullptr;
        }
        count(capture.size / 8);
        return std::memcmp(capture.begin, at, size) == 0 ? at + size : nullptr;
    }

    lua_State* m_lua;
    LuaLimits& m_limits;
    const char* m_begin;
    const char* m_end; // followed by a zero byte, as every string of Lua's
    std::array<Capture, LUA_MAXCAPTURES> m_captures;
    int m_captureCount = 0;
    int m_depth = 0;
};

/// Returns the offset at which a search begins, from the third argument.
std::size_t firstOf(lua_State* lua, std::size_t size)
{
    ptrdiff_t first = luaL_optinteger(lua, 3, 1);
    if (first < 0) {
        first += static_cast<ptrdiff_t>(size) + 1;
    }
    if (first <= 1) {
        return 0;
    }
    return static_cast<std::size_t>(first - 1) < size ? static_cast<std::size_t>(first - 1) : size;
}

/// Pushes the place of a text in which nothing is special.
int findPlain(lua_State* lua, const char* text, std::size_t size, std::size_t first,
              const char* wanted, std::size_t wantedSize)
{
    constexpr std::size_t kComparedBytesPerStep = 32;
    LuaLimits::of(lua).work(lua, static_cast<std::int64_t>((size - first + wantedSize)
                                                           / kComparedBytesPerStep));
    const void* const found = ::memmem(text + first, size - first, wanted, wantedSize);
    if (found == nullptr) {
        lua_pushnil(lua);
        return 1;
    }
    const ptrdiff_t place = static_cast<const char*>(found) - text;
    lua_pushinteger(lua, place + 1);
    lua_pushinteger(lua, place + static_cast<ptrdiff_t>(wantedSize));
    return 2;
}

int findOrMatch(lua_State* lua, bool isFind)
{
    std::size_t size = 0;
    std::size_t patternSize = 0;
    const char* const text = luaL_checklstring(lua, 1, &size);
    const char* pattern = luaL_checklstring(lua, 2, &patternSize);
    const std::size_t first = firstOf(lua, size);
    if (isFind && (lua_toboolean(lua, 4) != 0 || std::strpbrk(pattern, kSpecials) == nullptr)) {
        return findPlain(lua, text, size, first, pattern, patternSize);
    }
    const bool isAnchored = *pattern == '^';
    pattern += isAnchored ? 1 : 0;
    Match match(lua, text, size);
    for (const char* at = text + first; at <= match.end(); ++at) {
        if (const char* const end = match.fit(at, pattern)) {
            if (!isFind) {
                return match.pushCaptures(at, end);
            }
            lua_pushinteger(lua, at - text + 1);
            lua_pushinteger(lua, end - text);
            return match.pushCaptures(nullptr, nullptr) + 2;
        }
        if (isAnchored) {
            break;
        }
    }
    lua_pushnil(lua);
    return 1;
}

int find(lua_State* lua)
{
    return findOrMatch(lua, true);
}

int match(lua_State* lua)
{
    return findOrMatch(lua, false);
}

/// One step of gmatch: text, pattern and where to go on are upvalues.
int nextMatch(lua_State* lua)
{
    std::size_t size = 0;
    const char* const text = lua_tolstring(lua, lua_upvalueindex(1), &size);
    const char* const pattern = lua_tostring(lua, lua_upvalueindex(2));
    Match match(lua, text, size);
    for (const char* at = text + lua_tointeger(lua, lua_upvalueindex(3)); at <= match.end(); ++at) {
        if (const char* const end = match.fit(at, pattern)) {
            lua_pushinteger(lua, end - text + (end == at ? 1 : 0));
            lua_replace(lua, lua_upvalueindex(3));
            return match.pushCaptures(at, end);
        }
    }
    return 0;
}

int gmatch(lua_State* lua)
{
    luaL_checkstring(lua, 1);
    luaL_checkstring(lua, 2);
    lua_settop(lua, 2);
    lua_pushinteger(lua, 0);
    lua_pushcclosure(lua, nextMatch, 3);
    return 1;
}

/// Adds the third argument with its %1.
void addFilled(lua_State* lua, luaL_Buffer* out, const Match& match, const char* from,
               const char* to)
{
    std::size_t size = 0;
    const char* const filling = lua_tolstring(lua, 3, &size);
    LuaLimits::of(lua).work(lua, static_cast<std::int64_t>(size));
    for (std::size_t i = 0; i < size; ++i) {
        if (filling[i] != kEscape) {
            luaL_addchar(out, filling[i]);
            continue;
        }
        ++i;
        if (std::isdigit(byteOf(filling[i])) == 0) {
            luaL_addchar(out, filling[i]);
        } else if (filling[i] == '0') {
            luaL_addlstring(out, from, static_cast<std::size_t>(to - from));
        } else {
            match.pushCapture(filling[i] - '1', from, to);
            luaL_addvalue(out);
        }
    }
}

/// Adds what a match is replaced by.
void addReplacement(lua_State* lua, luaL_Buffer* out, const Match& match, const char* from,
                    const char* to)
{
    switch (lua_type(lua, 3)) {
    case LUA_TFUNCTION:
        lua_pushvalue(lua, 3);
        lua_call(lua, match.pushCaptures(from, to), 1);
        break;
    case LUA_TTABLE:
        match.pushCapture(0, from, to);
        lua_gettable(lua, 3);
        break;
    default: addFilled(lua, out, match, from, to); return;
    }
    if (lua_toboolean(lua, -1) == 0) {
        lua_pop(lua, 1);
        lua_pushlstring(lua, from, static_cast<std::size_t>(to - from)); // it stays
    } else if (lua_isstring(lua, -1) == 0) {
        luaL_error(lua, "invalid replacement value (a %s)", luaL_typename(lua, -1));
    }
    luaL_addvalue(out);
}

int gsub(lua_State* lua)
{
    std::size_t size = 0;
    const char* const text = luaL_checklstring(lua, 1, &size);
    const char* pattern = luaL_checkstring(lua, 2);
    const int kind = lua_type(lua, 3);
    const int most = luaL_optint(lua, 4, static_cast<int>(size + 1));
    const bool isAnchored = *pattern == '^';
    pattern += isAnchored ? 1 : 0;
    luaL_argcheck(lua,
                  kind == LUA_TNUMBER || kind == LUA_TSTRING || kind == LUA_TFUNCTION
                      || kind == LUA_TTABLE,
                  3, "string/function/table expected");
    luaL_Buffer out;
    luaL_buffinit(lua, &out);
    Match match(lua, text, size);
    const char* at = text;
    int count = 0;
    while (count < most) {
        const char* const end = match.fit(at, pattern);
        if (end != nullptr) {
            ++count;
            addReplacement(lua, &out, match, at, end);
        }
        if (end != nullptr && end > at) {
            at = end;
        } else if (at < match.end()) {
            luaL_addchar(&out, *at);
            ++at;
        } else {
            break;
        }
        if (isAnchored) {
            break;
        }
    }
    luaL_addlstring(&out, at, static_cast<std::size_t>(match.end() - at));
    luaL_pushresult(&out);
    lua_pushinteger(lua, count);
    return 2;
}

} // namespace

void openPatterns(lua_State* lua, int index)
{
    constexpr std::array<luaL_Reg, 4> kFunctions{
        {{"find", find}, {"match", match}, {"gmatch", gmatch}, {"gsub", gsub}}};
    lua_pushvalue(lua, index);
    for (const luaL_Reg& function : kFunctions) {
        lua_pushcfunction(lua, function.func);
        lua_setfield(lua, -2, function.name);
    }
    lua_pop(lua, 1);
}

} // namespace lockscope::sim
