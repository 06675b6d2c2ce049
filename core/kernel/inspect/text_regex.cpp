#include "core/kernel/inspect/text_regex.h"

#include "core/kernel/base/bytes.h"
#include "core/kernel/base/characters.h"
#include "core/kernel/base/kernel_text.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace lockscope::inspect {

namespace {

using Step = TextRegex::Step;
using ByteSet = TextRegex::ByteSet;
using Steps = std::vector<Step>;

constexpr std::size_t kMostSteps = 2000; // far more than anybody types
constexpr int kDeepest = 50;
constexpr std::string_view kSpaces = " \t\n\r\f\v";
constexpr std::uint32_t kMostRepeats = 1000;

unsigned char byteOf(char c)
{
    return static_cast<unsigned char>(c);
}

ByteSet setOf(bool (*contains)(char))
{
    ByteSet set;
    for (int byte = 0; byte < 256; ++byte) {
        set.set(static_cast<std::size_t>(byte), contains(static_cast<char>(byte)));
    }
    return set;
}

bool isLetter(char c)
{
    return lowered(c) >= 'a' && lowered(c) <= 'z';
}

/// `\d`, `\w`, `\s` and their opposites.
std::optional<ByteSet> namedSet(char name)
{
    ByteSet set;
    switch (lowered(name)) {
    case 'd': set = setOf(&isDigit); break;
    case 'w': set = setOf([](char c) { return isDigit(c) || isLetter(c) || c == '_'; }); break;
    case 's': set = setOf([](char c) { return kSpaces.find(c) != std::string_view::npos; }); break;
    default: return std::nullopt;
    }
    return name == lowered(name) ? set : ~set;
}

std::size_t lowestIn(const ByteSet& set)
{
    std::size_t byte = 0;
    while (byte < set.size() && !set.test(byte)) {
        ++byte;
    }
    return byte;
}

/// With the letters of the other case.
ByteSet folded(ByteSet set)
{
    for (std::size_t letter = 'a'; letter <= 'z'; ++letter) {
        const std::size_t capital = letter - 'a' + 'A';
        const bool isIn = set.test(letter) || set.test(capital);
        set.set(letter, isIn);
        set.set(capital, isIn);
    }
    return set;
}

void append(Steps& steps, const Steps& more)
{
    steps.insert(steps.end(), more.begin(), more.end());
}

std::int32_t lengthOf(const Steps& steps)
{
    return static_cast<std::int32_t>(steps.size());
}

Step split(std::int32_t to, std::int32_t orTo)
{
    return {Step::Kind::Split, to, orTo, 0};
}

Steps optional(const Steps& part)
{
    Steps steps{split(1, lengthOf(part) + 1)};
    append(steps, part);
    return steps;
}

Steps anyTimes(const Steps& part)
{
    Steps steps{split(1, lengthOf(part) + 2)};
    append(steps, part);
    steps.push_back({Step::Kind::Jump, -lengthOf(part) - 1, 1, 0});
    return steps;
}

struct Repeats {
    std::uint32_t least = 1;
    std::optional<std::uint32_t> most = 1; // nullopt: any number
};

/// Recursive descent. Where nothing is returned, error() says why.
///
///     either = row { "|" row }
///     row    = { single [ ( "*" | "+" | "?" | "{" … "}" ) [ "?" ] ] }
///     single = "(" either ")" | "[" … "]" | "." | "^" | "$" | "\" … | byte
class RegexParser {
public:
    explicit RegexParser(std::string_view pattern) : m_rest(pattern) {}

    std::optional<Steps> parse()
    {
        std::optional<Steps> steps = either();
        if (steps && !m_rest.empty()) {
            return fail(KernelText::tr("\")\" without a matching \"(\""));
        }
        return steps;
    }

    const std::string& error() const { return m_error; }
    std::vector<ByteSet> takeSets() { return std::move(m_sets); }

private:
    std::nullopt_t fail(std::string reason)
    {
        m_error = std::move(reason);
        return std::nullopt;
    }

    std::nullopt_t failToRepeat(char quantifier)
    {
        return fail(KernelText::tr("there is nothing to repeat before \"%1\"",
                                   std::string(1, quantifier)));
    }

    bool accept(std::string_view text)
    {
        const bool isNext = m_rest.starts_with(text);
        m_rest.remove_prefix(isNext ? text.size() : 0);
        return isNext;
    }

    char take()
    {
        const char c = m_rest.front();
        m_rest.remove_prefix(1);
        return c;
    }

    std::optional<Steps> either()
    {
        std::optional<Steps> steps = row();
        while (steps && accept("|")) {
            const std::optional<Steps> other = row();
            if (!other) {
                return std::nullopt;
            }
            Steps both{split(1, lengthOf(*steps) + 2)};
            append(both, *steps);
            both.push_back({Step::Kind::Jump, lengthOf(*other) + 1, 1, 0});
            append(both, *other);
            if (both.size() > kMostSteps) {
                return fail(KernelText::tr("the regular expression is too large"));
            }
            steps = std::move(both);
        }
        return steps;
    }

    std::optional<Steps> row()
    {
        Steps steps;
        while (!m_rest.empty() && m_rest.front() != '|' && m_rest.front() != ')') {
            std::optional<Steps> part = single();
            part = part ? repeated(std::move(*part)) : std::nullopt;
            if (!part) {
                return std::nullopt;
            }
            append(steps, *part);
            if (steps.size() > kMostSteps) {
                return fail(KernelText::tr("the regular expression is too large"));
            }
        }
        return steps;
    }

    std::optional<Steps> single()
    {
        const char c = take();
        switch (c) {
        case '(': return group();
        case '[': return bracket();
        case '.': return anyCharacter();
        case '^': return Steps{{Step::Kind::Begin, 1, 1, 0}};
        case '$': return Steps{{Step::Kind::End, 1, 1, 0}};
        case '*':
        case '+':
        case '?':
        case '{': return failToRepeat(c);
        case '\\': {
            const std::optional<ByteSet> set = escape();
            return set ? std::optional(oneOf(*set)) : std::nullopt;
        }
        default: return oneOf(ByteSet().set(byteOf(c)));
        }
    }

    Steps oneOf(const ByteSet& set)
    {
        m_sets.push_back(folded(set));
        return {{Step::Kind::Byte, 1, 1, static_cast<std::uint32_t>(m_sets.size() - 1)}};
    }

    /// A byte and those that continue it in UTF-8.
    Steps anyCharacter()
    {
        ByteSet continuing;
        for (std::size_t byte = 0x80; byte < 0xc0; ++byte) {
            continuing.set(byte);
        }
        Steps steps = oneOf(~ByteSet());
        append(steps, anyTimes(oneOf(continuing)));
        return steps;
    }

    std::optional<Steps> group()
    {
        if (m_rest.starts_with("?") && !accept("?:")) {
            return fail(KernelText::tr("\"(?\" is not supported"));
        }
        if (m_depth >= kDeepest) {
            return fail(KernelText::tr("the parentheses are nested too deeply"));
        }
        ++m_depth;
        std::optional<Steps> steps = either();
        --m_depth;
        if (steps && !accept(")")) {
            return fail(KernelText::tr("the closing \")\" is missing"));
        }
        return steps;
    }

    /// What stands behind a backslash.
    std::optional<ByteSet> escape()
    {
        if (m_rest.empty()) {
            return fail(KernelText::tr("a character is missing behind \"\\\""));
        }
        if (m_rest.front() == 'x' && m_rest.size() >= 3) {
            if (const std::optional<Bytes> byte = unescaped("\\" + Bytes(m_rest.substr(0, 3)))) {
                m_rest.remove_prefix(3);
                return ByteSet().set(byteOf(byte->front()));
            }
        }
        const char c = take();
        if (const std::optional<ByteSet> set = namedSet(c)) {
            return set;
        }
        if (isLetter(c) || isDigit(c)) {
            return fail(KernelText::tr("\"\\%1\" is not supported", std::string(1, c)));
        }
        return ByteSet().set(byteOf(c));
    }

    std::optional<Steps> bracket()
    {
        const bool isInverse = accept("^");
        ByteSet set;
        for (bool isFirst = true; isFirst || !m_rest.starts_with("]"); isFirst = false) {
            if (m_rest.empty() || !addToBracket(set)) {
                return m_error.empty() ? fail(KernelText::tr("the closing \"]\" is missing"))
                                       : std::nullopt;
            }
        }
        take();
        return oneOf(isInverse ? ~folded(set) : set);
    }

    bool addToBracket(ByteSet& set)
    {
        const std::optional<ByteSet> first = bracketItem();
        if (!first) {
            return false;
        }
        set |= *first;
        const bool isRange = m_rest.size() > 1 && m_rest.front() == '-' && m_rest[1] != ']';
        if (!isRange) {
            return true;
        }
        take();
        const std::optional<ByteSet> last = bracketItem();
        if (!last) {
            return false;
        }
        const std::size_t begin = lowestIn(*first);
        const std::size_t end = lowestIn(*last);
        if (first->count() != 1 || last->count() != 1 || begin > end) {
            fail(KernelText::tr("a range is written as [a-z]"));
            return false;
        }
        for (std::size_t byte = begin; byte <= end; ++byte) {
            set.set(byte);
        }
        return true;
    }

    std::optional<ByteSet> bracketItem()
    {
        const char c = take();
        return c == '\\' ? escape() : ByteSet().set(byteOf(c));
    }

    bool isQuantifierNext() const
    {
        return !m_rest.empty()
               && std::string_view("*+?{").find(m_rest.front()) != std::string_view::npos;
    }

    std::optional<Steps> repeated(Steps part)
    {
        if (!isQuantifierNext()) {
            return part;
        }
        const std::optional<Repeats> repeats = readRepeats();
        if (!repeats) {
            return std::nullopt;
        }
        accept("?"); // "as few as possible" decides where it matches, not whether
        if (isQuantifierNext()) {
            return failToRepeat(m_rest.front());
        }
        const std::size_t size = part.size() + 2;
        if (size * (repeats->most.value_or(repeats->least) + 1) > kMostSteps) {
            return fail(KernelText::tr("the regular expression is too large"));
        }
        return repeatedTimes(part, *repeats);
    }

    static Steps repeatedTimes(const Steps& part, const Repeats& repeats)
    {
        Steps steps;
        for (std::uint32_t i = 0; i < repeats.least; ++i) {
            append(steps, part);
        }
        if (!repeats.most) {
            append(steps, anyTimes(part));
            return steps;
        }
        for (std::uint32_t i = repeats.least; i < *repeats.most; ++i) {
            append(steps, optional(part));
        }
        return steps;
    }

    std::optional<Repeats> readRepeats()
    {
        switch (take()) {
        case '*': return Repeats{0, std::nullopt};
        case '+': return Repeats{1, std::nullopt};
        case '?': return Repeats{0, 1};
        default: break;
        }
        const std::optional<std::uint32_t> least = readNumber();
        Repeats repeats{least.value_or(0), least};
        if (accept(",")) {
            repeats.most = readNumber();
        }
        const bool isOrdered = !repeats.most || *repeats.most >= repeats.least;
        if (!least || !accept("}") || !isOrdered) {
            return fail(KernelText::tr("a repetition is written as {2}, {2,} or {2,4}"));
        }
        return repeats;
    }

    std::optional<std::uint32_t> readNumber()
    {
        std::optional<std::uint32_t> number;
        while (!m_rest.empty() && isDigit(m_rest.front())) {
            const auto digit = static_cast<std::uint32_t>(take() - '0');
            number = std::min(number.value_or(0) * 10 + digit, kMostRepeats);
        }
        return number;
    }

    std::string_view m_rest;
    std::string m_error;
    std::vector<ByteSet> m_sets;
    int m_depth = 0;
};

} // namespace

/// All places in the automaton that a text may have come to.
class TextRegex::Run {
public:
    Run(const TextRegex& regex, std::string_view text)
        : m_regex(regex),
          m_text(text),
          m_seenAt(regex.m_steps.size() + 1, kNever)
    {}

    bool isMatch()
    {
        std::vector<std::size_t> here;
        std::vector<std::size_t> next;
        for (m_at = 0; m_at <= m_text.size(); ++m_at) {
            enter(0, here); // it may begin anywhere
            if (m_hasMatched || m_at == m_text.size()) {
                break;
            }
            const unsigned char byte = byteOf(m_text[m_at]);
            next.clear();
            ++m_at;
            for (const std::size_t step : here) {
                if (m_regex.m_sets[m_regex.m_steps[step].set].test(byte)) {
                    enter(step + 1, next);
                }
            }
            --m_at;
            std::swap(here, next);
        }
        return m_hasMatched;
    }

private:
    static constexpr std::size_t kNever = static_cast<std::size_t>(-1);

    /// Goes on to all steps that wait for a byte.
    void enter(std::size_t first, std::vector<std::size_t>& waiting)
    {
        m_open.assign(1, first);
        while (!m_open.empty()) {
            const std::size_t step = m_open.back();
            m_open.pop_back();
            if (std::exchange(m_seenAt[step], m_at) == m_at) {
                continue;
            }
            if (step == m_regex.m_steps.size()) {
                m_hasMatched = true;
                return;
            }
            follow(step, waiting);
        }
    }

    void follow(std::size_t at, std::vector<std::size_t>& waiting)
    {
        const Step& step = m_regex.m_steps[at];
        const auto go = [&](std::int32_t by) {
            m_open.push_back(static_cast<std::size_t>(static_cast<std::ptrdiff_t>(at) + by));
        };
        switch (step.kind) {
        case Step::Kind::Byte: waiting.push_back(at); return;
        case Step::Kind::Jump: go(step.to); return;
        case Step::Kind::Split:
            go(step.orTo);
            go(step.to);
            return;
        case Step::Kind::Begin:
            if (m_at == 0) {
                go(1);
            }
            return;
        case Step::Kind::End:
            if (m_at == m_text.size()) {
                go(1);
            }
            return;
        }
    }

    const TextRegex& m_regex;
    std::string_view m_text;
    std::size_t m_at = 0; // how much of the text has been read
    std::vector<std::size_t> m_seenAt;
    std::vector<std::size_t> m_open;
    bool m_hasMatched = false;
};

std::variant<TextRegex, std::string> TextRegex::compile(std::string_view pattern)
{
    RegexParser parser(pattern);
    std::optional<Steps> steps = parser.parse();
    if (!steps) {
        return parser.error();
    }
    TextRegex regex;
    regex.m_steps = std::move(*steps);
    regex.m_sets = parser.takeSets();
    return regex;
}

bool TextRegex::matches(std::string_view text) const
{
    return Run(*this, text).isMatch();
}

} // namespace lockscope::inspect
