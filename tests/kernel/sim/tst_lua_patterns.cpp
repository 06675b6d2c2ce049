// The functions that search for patterns are Lua's, in everything but the time that they may take.

#include "core/kernel/sim/lua_limits.h"
#include "core/kernel/sim/lua_patterns.h"
#include "tests/kernel/random_input.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <array>
#include <lua.hpp>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace lockscope::tst_lua_patterns {

using namespace lockscope::testing;
using sim::LuaLimits;

namespace {

/// An interpreter with the functions of Lua, or with ours.
class Interpreter {
public:
    enum class Patterns { OfLua, Ours };

    explicit Interpreter(Patterns patterns)
    {
        luaL_openlibs(m_lua.get());
        if (patterns == Patterns::Ours) {
            lua_getglobal(m_lua.get(), "string");
            sim::openPatterns(m_lua.get(), lua_gettop(m_lua.get()));
            lua_pop(m_lua.get(), 1);
        }
    }

    /// The results of the function, or its error, as one text.
    std::string call(const std::string& function, const std::string& text,
                     const std::string& pattern, const std::string& third)
    {
        lua_State* const lua = m_lua.get();
        m_limits.begin(lua);
        luaL_loadstring(lua, kCall);
        for (const std::string& word : {function, text, pattern, third}) {
            lua_pushlstring(lua, word.data(), word.size());
        }
        lua_pcall(lua, 4, 1, 0);
        std::size_t size = 0;
        const char* const result = lua_tolstring(lua, -1, &size);
        std::string said(result, size);
        lua_pop(lua, 1);
        return said;
    }

private:
    struct Closer {
        void operator()(lua_State* lua) const { lua_close(lua); }
    };

    static constexpr const char* kCall = R"(
local name, text, pattern, third = ...
local parts = {}
local function add(...)
    for i = 1, select('#', ...) do parts[#parts + 1] = tostring((select(i, ...))) end
    parts[#parts + 1] = ';'
end
local function run()
    if name == 'gmatch' then
        for a, b, c in string.gmatch(text, pattern) do add(a, b, c) end
    elseif name == 'gsub' then
        add(string.gsub(text, pattern, third))
        add(string.gsub(text, pattern, third, 2))
        add(string.gsub(text, pattern, {a = 'A', b = false, ab = 3}))
        add(string.gsub(text, pattern, function(x, y) return y and x .. y end))
    else
        add(string[name](text, pattern))
        add(string[name](text, pattern, 3))
        add(string[name](text, pattern, -2))
        add(string.find(text, pattern, 2, true))
    end
end
add(pcall(run))
return table.concat(parts, ',')
)";

    LuaLimits m_limits{1'000'000};
    std::unique_ptr<lua_State, Closer> m_lua{lua_newstate(LuaLimits::allocate, &m_limits)};
};

std::string piece(Rng& rng, std::span<const std::string_view> pieces, int most)
{
    std::string text;
    for (auto left = rng.below(static_cast<std::uint64_t>(most) + 1); left > 0; --left) {
        text += pieces[rng.below(pieces.size())];
    }
    return text;
}

constexpr std::array<std::string_view, 10> kTextParts{
    "a", "b", "ab", "1", " ", "(", ")", "%", std::string_view("\0", 1), "\xe4"};
constexpr std::array<std::string_view, 38> kPatternParts{
    "a",  "b",    "ab", ".",    "*",     "+",      "-",     "?",    "%a", "%d",
    "%s", "%A",   "%z", "[ab]", "[^a]",  "[%d_]",  "[a-f]", "[]a]", "(",  ")",
    "()", "(a*)", "%1", "%b()", "%f[a]", "%f[%s]", "^",     "$",    "%",  "%%",
    "[",  "]",    "%2", "-)",   "(.-)b", "%w",     "%p",    "%x"};
constexpr std::array<std::string_view, 7> kThirdParts{"x", "%0", "%1", "%%", "%2", "%", "y"};

} // namespace

class TestLuaPatterns : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theyDoWhatLuaDoes_data();
    void theyDoWhatLuaDoes();
    void theyDoWhatLuaDoesByChance();
    void aPathologicalPatternEnds();
    void aDeepPatternIsAnError();
};

void TestLuaPatterns::theyDoWhatLuaDoes_data()
{
    QTest::addColumn<std::string>("text");
    QTest::addColumn<std::string>("pattern");
    const auto row = [](const char* text, const char* pattern) {
        QTest::newRow(pattern) << std::string(text) << std::string(pattern);
    };
    row("key = value", "^(%w+)%s*=%s*(%w+)$");
    row("  trim  ", "^%s*(.-)%s*$");
    row("a,b,,c", "([^,]*)");
    row("THE (quick) fox", "%((%a+)%)");
    row("THE (quick) fox", "%f[%a]%a+");
    row("f(a(b)c)d", "%b()");
    row("hello hello", "(h.-o) %1");
    row("hello", "()ll()");
    row("hello", "l?l?l?o");
    row("hello", "");
    row("", "");
    row("", "^$");
    row("a.b", ".");
    row("a-b", "-");
    row("x^y", "^^");
    row("[]", "[]]");
    row("abc", "[a-");
    row("abc", "%");
    row("abc", "(a");
    row("abc", "a)");
    row("abc", "%1");
    row("abc", "%bx");
    row("abc", "%fa");
    row("abc", "[%a-c]");
}

void TestLuaPatterns::theyDoWhatLuaDoes()
{
    QFETCH(const std::string, text);
    QFETCH(const std::string, pattern);
    Interpreter lua(Interpreter::Patterns::OfLua);
    Interpreter ours(Interpreter::Patterns::Ours);
    for (const char* const function : {"find", "match", "gmatch", "gsub"}) {
        QCOMPARE(ours.call(function, text, pattern, "<%0%1>"),
                 lua.call(function, text, pattern, "<%0%1>"));
    }
}

void TestLuaPatterns::theyDoWhatLuaDoesByChance()
{
    Interpreter lua(Interpreter::Patterns::OfLua);
    Interpreter ours(Interpreter::Patterns::Ours);
    RandomInput input;
    Rng& rng = input.rng();
    for (int i = 0; i < 20'000; ++i) {
        const std::string text = piece(rng, kTextParts, 10);
        const std::string pattern = piece(rng, kPatternParts, 6);
        const std::string third = piece(rng, kThirdParts, 3);
        for (const char* const function : {"find", "match", "gmatch", "gsub"}) {
            const std::string expected = lua.call(function, text, pattern, third);
            const std::string said = ours.call(function, text, pattern, third);
            QVERIFY2(said == expected,
                     (std::string(function) + " of '" + pattern + "' in '" + text + "' by '" + third
                      + "': " + said + " instead of " + expected)
                         .c_str());
        }
    }
}

/// With Lua's own functions some of these would take longer than the age of the universe.
void TestLuaPatterns::aPathologicalPatternEnds()
{
    Interpreter ours(Interpreter::Patterns::Ours);
    const std::string text(200'000, 'a');
    for (const char* const pattern : {".-b", ".-.-.-.-b", "(.-)(.*)(.-)(.*)b", "[^b]+b"}) {
        const std::string said = ours.call("gmatch", text, pattern, "");
        QVERIFY2(said.find("more steps than the simulation allows") != std::string::npos,
                 (pattern + (": " + said.substr(0, 200))).c_str());
    }
}

void TestLuaPatterns::aDeepPatternIsAnError()
{
    Interpreter ours(Interpreter::Patterns::Ours);
    std::string pattern;
    for (int i = 0; i < 300'000; ++i) {
        pattern += "a?";
    }
    const std::string said = ours.call("find", std::string(300'000, 'a'), pattern, "");
    QVERIFY2(said.find("pattern too complex") != std::string::npos, said.substr(0, 200).c_str());
}

LOCKSCOPE_TEST(TestLuaPatterns, Core)

} // namespace lockscope::tst_lua_patterns

#include "tst_lua_patterns.moc"
