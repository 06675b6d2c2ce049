#include "tests/mutation/script_changes.h"

#include "tests/mutation/lua_tokens.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <optional>
#include <set>
#include <utility>

namespace lockscope::mutation {

namespace {

using Kind = LuaToken::Kind;

/// Tokens, by their indexes: both ends belong to it.
struct Range {
    std::size_t first = 0;
    std::size_t last = 0;
};

/// redis.call(...), or a call of a function of the script.
struct Call {
    Range whole;
    std::vector<Range> arguments;
    std::string_view command; // without quotes; empty: another function
    bool isStatement = false; // its result goes nowhere
};

template<std::size_t Count>
bool isAnyOf(std::string_view word, const std::array<std::string_view, Count>& words)
{
    return std::ranges::find(words, word) != words.end();
}

bool opens(std::string_view word)
{
    return word == "(" || word == "{" || word == "[";
}

bool closes(std::string_view word)
{
    return word == ")" || word == "}" || word == "]";
}

std::string_view unquoted(std::string_view literal)
{
    return literal.substr(1, literal.size() - 2);
}

/// Makes the mistakes, operator by operator.
class Changer {
public:
    explicit Changer(std::string_view script)
        : m_script(script),
          m_tokens(luaTokensOf(script)),
          m_seen{std::string(script)}
    {
        findKeys();
        findCalls();
    }

    std::vector<ScriptChange> all()
    {
        changeConditions();
        changeOperands();
        changeRelations();
        for (const Call& call : m_calls) {
            changeCall(call);
        }
        changeOrder();
        changeAnswers();
        changeSums();
        changeWords();
        return std::move(m_changes);
    }

private:
    std::string_view word(std::size_t i) const
    {
        return i < m_tokens.size() ? m_tokens[i].text : std::string_view();
    }
    int lineOf(std::size_t i) const { return i < m_tokens.size() ? m_tokens[i].line : 0; }
    bool isFirstOfLine(std::size_t i) const { return i == 0 || lineOf(i - 1) != lineOf(i); }

    std::string textOf(Range range) const
    {
        const std::size_t begin = m_tokens[range.first].begin;
        return std::string(m_script.substr(begin, m_tokens[range.last].end() - begin));
    }

    void add(std::string operation, Range range, std::string to)
    {
        const std::size_t begin = m_tokens[range.first].begin;
        std::string text(m_script);
        text.replace(begin, m_tokens[range.last].end() - begin, to);
        if (m_seen.insert(text).second) {
            m_changes.push_back({std::move(operation), lineOf(range.first), textOf(range),
                                 std::move(to), std::move(text)});
        }
    }

    /// The bracket that closes the one at `open`.
    std::size_t closingOf(std::size_t open) const
    {
        int depth = 0;
        for (std::size_t i = open; i < m_tokens.size(); ++i) {
            depth += opens(word(i)) ? 1 : 0;
            depth -= closes(word(i)) ? 1 : 0;
            if (depth == 0) {
                return i;
            }
        }
        return m_tokens.size() - 1;
    }

    std::size_t openingOf(std::size_t close) const
    {
        int depth = 0;
        for (std::size_t i = close + 1; i-- > 0;) {
            depth += closes(word(i)) ? 1 : 0;
            depth -= opens(word(i)) ? 1 : 0;
            if (depth == 0) {
                return i;
            }
        }
        return 0;
    }

    bool isKey(Range range) const
    {
        const std::string text = textOf(range);
        return std::ranges::find(m_keys, text) != m_keys.end();
    }

    /// KEYS[1] and so on, or the names that the script gives them.
    void findKeys()
    {
        for (std::size_t i = 0; i + 3 < m_tokens.size(); ++i) {
            if (word(i) == "KEYS" && word(i + 1) == "[") {
                noteKey(textOf({i, i + 3}));
            }
        }
        for (std::size_t i = 0; i < m_tokens.size(); ++i) {
            if (word(i) == "local" && word(i + 1) != "function") {
                findNamesOfKeys(i + 1);
            }
        }
    }
    void noteKey(const std::string& key)
    {
        if (std::ranges::find(m_keys, key) == m_keys.end()) {
            m_keys.push_back(key);
        }
    }
    void findNamesOfKeys(std::size_t first)
    {
        std::size_t equals = first;
        while (equals < m_tokens.size() && word(equals) != "=") {
            ++equals;
        }
        std::vector<std::string> names;
        for (std::size_t i = first; i < equals; i += 2) {
            names.emplace_back(word(i));
        }
        std::size_t at = equals + 1;
        std::vector<std::string> keys;
        while (word(at) == "KEYS" && keys.size() < names.size()) {
            keys.push_back(names[keys.size()]);
            at += 5; // KEYS [ n ] ,
        }
        if (!keys.empty()) {
            m_keys = keys;
        }
    }

    void findCalls()
    {
        constexpr std::array<std::string_view, 8> kNoFunctions{"if",     "while",  "elseif",
                                                               "return", "ipairs", "string",
                                                               "and",    "or"};
        for (std::size_t i = 0; i + 3 < m_tokens.size(); ++i) {
            if (word(i) == "redis" && word(i + 2) == "call") {
                m_calls.push_back(callAt(i, i + 3));
            } else if (m_tokens[i].kind == Kind::Name && word(i + 1) == "(" && isFirstOfLine(i)
                       && !isAnyOf(word(i), kNoFunctions)) {
                m_calls.push_back(callAt(i, i + 1));
            }
        }
    }

    Call callAt(std::size_t first, std::size_t open) const
    {
        Call call;
        call.whole = {first, closingOf(open)};
        std::size_t begin = open + 1;
        for (std::size_t i = open + 1; i <= call.whole.last; ++i) {
            if (opens(word(i))) {
                i = closingOf(i);
            } else if ((word(i) == "," || i == call.whole.last) && i > begin) {
                call.arguments.push_back({begin, i - 1});
                begin = i + 1;
            }
        }
        if (word(first) == "redis" && !call.arguments.empty()) {
            call.command = unquoted(word(call.arguments.front().first));
        }
        const std::size_t next = call.whole.last + 1;
        call.isStatement = isFirstOfLine(first) && (next >= m_tokens.size() || isFirstOfLine(next));
        return call;
    }

    void changeConditions()
    {
        for (std::size_t i = 0; i < m_tokens.size(); ++i) {
            const bool isLoop = word(i) == "while";
            if (word(i) == "if" || word(i) == "elseif" || isLoop) {
                std::size_t end = i + 1;
                while (word(end) != (isLoop ? "do" : "then")) {
                    ++end;
                }
                if (!isLoop) {
                    add("condition-true", {i + 1, end - 1}, "true");
                }
                add("condition-false", {i + 1, end - 1}, "false");
            }
        }
    }

    /// Leaves "a" of "a and b", and then "b".
    void changeOperands()
    {
        for (std::size_t i = 1; i + 1 < m_tokens.size(); ++i) {
            if (word(i) == "and" || word(i) == "or") {
                add("drop-operand", {beginOfOperand(i), i}, "");
                add("drop-operand", {i, endOfOperand(i)}, "");
            }
        }
    }
    std::size_t beginOfOperand(std::size_t operation) const
    {
        constexpr std::array<std::string_view, 9> kBefore{"if", "elseif", "while", "return", "and",
                                                          "or", "=",      ",",     "then"};
        std::size_t i = operation;
        while (i > 0 && !isAnyOf(word(i - 1), kBefore) && !opens(word(i - 1))
               && !(isFirstOfLine(i) && i != operation)) {
            --i;
            if (closes(word(i))) {
                i = openingOf(i);
            }
        }
        return i;
    }
    std::size_t endOfOperand(std::size_t operation) const
    {
        constexpr std::array<std::string_view, 6> kAfter{"then", "do", "and", "or", ",", "end"};
        std::size_t i = operation;
        while (i + 1 < m_tokens.size() && !isAnyOf(word(i + 1), kAfter) && !closes(word(i + 1))
               && !isFirstOfLine(i + 1)) {
            ++i;
            if (opens(word(i))) {
                i = closingOf(i);
            }
        }
        return i;
    }

    void changeRelations()
    {
        constexpr std::array<std::pair<std::string_view, std::string_view>, 6> kOthers{
            {{"<", "<="}, {"<=", "<"}, {">", ">="}, {">=", ">"}, {"==", "~="}, {"~=", "=="}}};
        for (std::size_t i = 0; i < m_tokens.size(); ++i) {
            for (const auto& [from, to] : kOthers) {
                if (m_tokens[i].kind == Kind::Sign && word(i) == from) {
                    add("other-relation", {i, i}, std::string(to));
                }
            }
        }
    }

    void changeCall(const Call& call)
    {
        if (call.isStatement) {
            add("drop-command", call.whole, "");
        }
        if (call.command.empty()) {
            return;
        }
        changeResult(call);
        changeOptions(call);
        changeUnit(call);
        changeKey(call);
        changeReach(call);
        changeEnd(call);
    }

    void changeResult(const Call& call)
    {
        constexpr std::array<std::string_view, 5> kOfOne{"del", "incr", "expire", "pexpire",
                                                         "hdel"};
        const std::string_view last = word(call.arguments.back().last);
        if (call.command == "hincrby") {
            const std::string place = textOf(call.arguments[1]) + ", " + textOf(call.arguments[2]);
            const bool isRelease = word(call.arguments.back().first) == "-" && last == "1";
            add(isRelease ? "release-all" : "reset-count", call.whole,
                isRelease ? "(redis.call('hdel', " + place + ") and 0)"
                          : "(redis.call('hset', " + place + ", 1) and 1)");
            add("keep-count", call.whole,
                "tonumber(redis.call('hget', " + place + ") or " + (isRelease ? "0)" : "1)"));
        } else if (!call.isStatement && isAnyOf(call.command, kOfOne)) {
            add("only-say-so", call.whole, "1");
        }
    }

    void changeOptions(const Call& call)
    {
        for (std::size_t i = 1; i < call.arguments.size(); ++i) {
            const Range argument = call.arguments[i];
            const std::string_view option = word(argument.first);
            const std::size_t comma = argument.first - 1;
            if (option == "'NX'" || option == "'XX'") {
                add("drop-option", {comma, argument.last}, "");
            } else if ((option == "'PX'" || option == "'EX'") && i + 1 < call.arguments.size()) {
                add("drop-option", {comma, call.arguments[i + 1].last}, "");
                add("other-unit", argument, option == "'PX'" ? "'EX'" : "'PX'");
            }
        }
    }

    void changeUnit(const Call& call)
    {
        if (call.command == "pexpire" || call.command == "expire") {
            add("other-unit", call.arguments.front(),
                call.command == "expire" ? "'pexpire'" : "'expire'");
        }
    }

    void changeKey(const Call& call)
    {
        if (call.arguments.size() < 2 || m_keys.size() < 2) {
            return;
        }
        const auto key = std::ranges::find(m_keys, textOf(call.arguments[1]));
        if (key != m_keys.end()) {
            const auto next = std::next(key) == m_keys.end() ? m_keys.begin() : std::next(key);
            add("other-key", call.arguments[1], *next);
        }
    }

    /// All that is in the key instead of one member.
    void changeReach(const Call& call)
    {
        constexpr std::array<std::string_view, 3> kOfMembers{"zrem", "hdel", "lrem"};
        if (isAnyOf(call.command, kOfMembers)) {
            add("whole-key", call.whole, "redis.call('del', " + textOf(call.arguments[1]) + ")");
        }
    }

    /// The last of a list instead of the first, and the other way round.
    void changeEnd(const Call& call)
    {
        if (call.command == "lindex" && call.arguments.size() == 3) {
            add("other-end", call.arguments[2], textOf(call.arguments[2]) == "0" ? "-1" : "0");
        }
        if (call.command == "zrange" && call.arguments.size() > 3) {
            const std::string from = textOf(call.arguments[2]);
            if (from == textOf(call.arguments[3])) {
                add("other-end", {call.arguments[2].first, call.arguments[3].last},
                    from == "0" ? "-1, -1" : "0, 0");
            }
        }
        if (call.command == "rpush") {
            add("other-end", call.arguments.front(), "'lpush'");
        }
    }

    /// Swaps two statements that follow each other.
    void changeOrder()
    {
        for (std::size_t i = 1; i < m_calls.size(); ++i) {
            const Call& before = m_calls[i - 1];
            const Call& after = m_calls[i];
            if (before.isStatement && after.isStatement
                && after.whole.first == before.whole.last + 1) {
                const Range both{before.whole.first, after.whole.last};
                add("swap", both, textOf(after.whole) + "\n" + textOf(before.whole));
            }
        }
    }

    /// A refusal that reads as a grant, and the other way round.
    void changeAnswers()
    {
        for (std::size_t i = 0; i + 1 < m_tokens.size(); ++i) {
            if (word(i) != "return") {
                continue;
            }
            std::size_t at = i + 1;
            at += word(at) == "{" ? 1 : 0;
            const bool isNegative = word(at) == "-";
            const std::size_t number = at + (isNegative ? 1 : 0);
            if (number < m_tokens.size() && m_tokens[number].kind == Kind::Number) {
                add("other-answer", {at, number}, word(number) == "1" && !isNegative ? "0" : "1");
            }
        }
    }

    void changeSums()
    {
        for (std::size_t i = 1; i + 1 < m_tokens.size(); ++i) {
            const bool isBehindValue = m_tokens[i - 1].kind == Kind::Number || closes(word(i - 1))
                                       || (m_tokens[i - 1].kind == Kind::Name
                                           && word(i - 1) != "return");
            if ((word(i) == "+" || word(i) == "-") && isBehindValue) {
                add("drop-summand", {i, endOfSummand(i + 1)}, "");
            }
        }
    }
    /// A name or a number, with what is called or looked up in it.
    std::size_t endOfSummand(std::size_t first) const
    {
        std::size_t i = first;
        while (opens(word(i + 1)) || word(i + 1) == ".") {
            i = opens(word(i + 1)) ? closingOf(i + 1) : i + 2;
        }
        return i;
    }

    void changeWords()
    {
        constexpr std::array<std::pair<std::string_view, std::string_view>, 4> kOthers{
            {{"'read'", "'write'"}, {"'write'", "'read'"}, {"max", "min"}, {"min", "max"}}};
        for (std::size_t i = 0; i < m_tokens.size(); ++i) {
            for (const auto& [from, to] : kOthers) {
                if (word(i) == from) {
                    add("other-word", {i, i}, std::string(to));
                }
            }
        }
    }

    std::string_view m_script;
    std::vector<LuaToken> m_tokens;
    std::vector<std::string> m_keys; // as the script writes them
    std::vector<Call> m_calls;
    std::vector<ScriptChange> m_changes;
    std::set<std::string> m_seen; // texts
};

} // namespace

std::string ScriptChange::id() const
{
    return operation + " " + std::to_string(line) + ": " + from.substr(0, from.find('\n'));
}

std::vector<ScriptChange> changesOf(std::string_view script)
{
    return Changer(script).all();
}

} // namespace lockscope::mutation
