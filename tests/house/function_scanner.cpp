#include "tests/house/function_scanner.h"

#include <algorithm>

namespace lockscope::house {

namespace {

constexpr std::size_t kNowhere = std::string_view::npos;

bool isBlank(char c)
{
    return std::isspace(static_cast<unsigned char>(c)) != 0;
}

std::size_t skipBlanks(std::string_view code, std::size_t at)
{
    while (at < code.size() && isBlank(code[at])) {
        ++at;
    }
    return at;
}

/// The offset of the last character before `at` that is no blank; npos when there is none.
std::size_t lastBefore(std::string_view code, std::size_t at)
{
    while (at > 0) {
        if (!isBlank(code[--at])) {
            return at;
        }
    }
    return kNowhere;
}

/// Preprocessor lines blanked, so that their braces and parentheses do not count.
std::string withoutDirectives(std::string_view code)
{
    std::string result(code);
    bool isDirective = false;
    bool isLineStart = true;
    for (std::size_t i = 0; i < result.size(); ++i) {
        if (result[i] == '\n') {
            isDirective = isDirective && i > 0 && code[i - 1] == '\\';
            isLineStart = true;
            continue;
        }
        if (isLineStart && result[i] == '#') {
            isDirective = true;
        }
        isLineStart = isLineStart && isBlank(result[i]);
        if (isDirective) {
            result[i] = ' ';
        }
    }
    return result;
}

/// `template<…>` and `[[…]]` taken off the front of a declaration.
std::string_view withoutTemplateHead(std::string_view head)
{
    head.remove_prefix(skipBlanks(head, 0));
    while (head.starts_with("template")) {
        int depth = 0;
        std::size_t at = head.find('<');
        for (; at < head.size(); ++at) {
            depth += head[at] == '<' ? 1 : head[at] == '>' ? -1 : 0;
            if (depth == 0) {
                break;
            }
        }
        head.remove_prefix(std::min(head.size(), at + 1));
        head.remove_prefix(skipBlanks(head, 0));
    }
    return head;
}

/// `Q_DECLARE_METATYPE(…)`, without a semicolon, taken off the front too.
std::string_view withoutMacroCalls(std::string_view head)
{
    head.remove_prefix(skipBlanks(head, 0));
    while (!head.empty()) {
        std::size_t end = 0;
        while (end < head.size()
               && (std::isupper(static_cast<unsigned char>(head[end])) != 0 || head[end] == '_')) {
            ++end;
        }
        const std::size_t open = skipBlanks(head, end);
        const std::size_t close = end > 1 && open < head.size() && head[open] == '('
                                      ? closingBracket(head, open)
                                      : kNowhere;
        const std::size_t next = close == kNowhere ? head.size() : skipBlanks(head, close + 1);
        if (next >= head.size()) {
            break;
        }
        head.remove_prefix(next);
    }
    return head;
}

/// What stands before a '{', outside of functions.
struct Declaration {
    enum class Kind { Scope, Function, Initialiser };
    Kind kind = Kind::Initialiser;
    std::string name;
};

bool isScope(std::string_view head)
{
    for (const std::string_view word :
         {"namespace", "class", "struct", "union", "enum", "extern"}) {
        const std::size_t at = findWord(head, word);
        if (at != kNowhere && head.substr(0, at).find('(') == kNowhere) {
            return true;
        }
    }
    return false;
}

/// The offset of the first `wanted` outside all parentheses, not being part of `::`, `==` and the
/// like.
std::size_t findAtTop(std::string_view head, char wanted)
{
    int depth = 0;
    for (std::size_t i = 0; i < head.size(); ++i) {
        depth += head[i] == '(' ? 1 : head[i] == ')' ? -1 : 0;
        if (depth > 0 || head[i] != wanted) {
            continue;
        }
        const char before = i > 0 ? head[i - 1] : ' ';
        const char after = i + 1 < head.size() ? head[i + 1] : ' ';
        if (before != wanted && after != wanted
            && std::string_view("<>!=").find(before) == kNowhere) {
            return i;
        }
    }
    return kNowhere;
}

std::string nameBefore(std::string_view head, std::size_t parenthesis)
{
    const std::size_t keyword = findWord(head, "operator");
    const std::size_t nameEnd = keyword == kNowhere ? parenthesis : keyword + 1;
    const std::size_t last = lastBefore(head, nameEnd);
    if (last == kNowhere) {
        return {};
    }
    std::size_t begin = last + 1;
    while (begin > 0
           && (isNameCharacter(head[begin - 1]) || head[begin - 1] == ':'
               || head[begin - 1] == '~')) {
        --begin;
    }
    const std::size_t end = keyword == kNowhere ? last + 1 : parenthesis;
    return std::string(head.substr(begin, end - begin));
}

Declaration declarationOf(std::string_view fullHead)
{
    const std::string_view head = withoutTemplateHead(withoutMacroCalls(fullHead));
    Declaration declaration;
    if (isScope(head)) {
        declaration.kind = Declaration::Kind::Scope;
        return declaration;
    }
    const std::size_t parenthesis = head.find('(');
    const bool isOperator = findWord(head, "operator") != kNowhere;
    if (parenthesis == kNowhere || (!isOperator && findAtTop(head, '=') != kNowhere)) {
        return declaration;
    }
    const std::size_t colon = findAtTop(head, ':');
    const std::size_t last = lastBefore(head, head.size());
    if (colon != kNowhere && colon > parenthesis
        && (isNameCharacter(head[last]) || head[last] == '>')) {
        return declaration; // `: m_member{…}` of a constructor's initialiser list
    }
    declaration.kind = Declaration::Kind::Function;
    declaration.name = nameBefore(head, parenthesis);
    return declaration;
}

/// "Window::Window" and, inside a class, "Window".
bool namesAConstructor(std::string_view name, std::string_view enclosingClass)
{
    const std::size_t colons = name.rfind("::");
    if (colons == kNowhere) {
        return !name.empty() && name == enclosingClass;
    }
    const std::string_view scope = name.substr(0, colons);
    const std::string_view last = name.substr(colons + 2);
    return scope == last || scope.ends_with("::" + std::string(last));
}

std::string classNameOf(std::string_view head)
{
    for (const std::string_view word : {"class", "struct"}) {
        const std::size_t at = findWord(head, word);
        if (at != kNowhere) {
            const std::size_t begin = skipBlanks(head, at + word.size());
            std::size_t end = begin;
            while (end < head.size() && isNameCharacter(head[end])) {
                ++end;
            }
            return std::string(head.substr(begin, end - begin));
        }
    }
    return {};
}

bool endsWithAccessLabel(std::string_view code, std::size_t colon)
{
    for (const std::string_view label :
         {"public", "protected", "private", "Q_SIGNALS", "Q_SLOTS"}) {
        const std::size_t last = lastBefore(code, colon);
        if (last != kNowhere && code.substr(0, last + 1).ends_with(label)) {
            return true;
        }
    }
    return false;
}

/// Walks over declarations, from brace to brace, and steps over the bodies of functions.
class FunctionScanner {
public:
    explicit FunctionScanner(const SourceFile& file)
        : m_file(file),
          m_ownedCode(withoutDirectives(file.code)),
          m_code(m_ownedCode)
    {}

    std::vector<Function> run()
    {
        for (m_at = 0; m_at < m_code.size(); ++m_at) {
            step(m_code[m_at]);
        }
        return std::move(m_functions);
    }

private:
    void step(char c)
    {
        if (c == '(' || c == '[') {
            const std::size_t close = closingBracket(m_code, m_at);
            m_at = close == kNowhere ? m_code.size() : close;
        } else if (c == '{') {
            openBrace();
        } else if (c == '}') {
            if (!m_classes.empty()) {
                m_classes.pop_back();
            }
            m_headBegin = m_at + 1;
        } else if (c == ';' || (c == ':' && endsWithAccessLabel(m_code, m_at))) {
            m_headBegin = m_at + 1;
        }
    }

    void openBrace()
    {
        const std::string_view head = m_code.substr(m_headBegin, m_at - m_headBegin);
        const Declaration declaration = declarationOf(head);
        if (declaration.kind == Declaration::Kind::Scope) {
            m_classes.push_back(classNameOf(head));
            m_headBegin = m_at + 1;
            return;
        }
        const std::size_t close = closingBracket(m_code, m_at);
        const std::size_t end = close == kNowhere ? m_code.size() : close;
        if (declaration.kind == Declaration::Kind::Function) {
            addFunction(declaration.name, end);
            m_headBegin = end + 1;
        }
        m_at = end;
    }

    void addFunction(const std::string& name, std::size_t end)
    {
        Function function;
        function.name = name;
        function.firstLine = m_file.lineOf(skipBlanks(m_code, m_headBegin));
        function.lastLine = m_file.lineOf(std::min(end, m_code.size() - 1));
        function.isConstructor = namesAConstructor(name, m_classes.empty() ? std::string()
                                                                           : m_classes.back());
        m_functions.push_back(std::move(function));
    }

    const SourceFile& m_file;
    std::string m_ownedCode;
    std::string_view m_code;
    std::size_t m_at = 0;
    std::size_t m_headBegin = 0;
    std::vector<std::string> m_classes; // one entry per open scope; empty text for a namespace
    std::vector<Function> m_functions;
};

/// True when the '[' begins a lambda and neither a subscript nor an attribute.
bool beginsLambda(std::string_view code, std::size_t at)
{
    if (at + 1 < code.size() && code[at + 1] == '[') {
        return false;
    }
    const std::size_t last = lastBefore(code, at);
    if (last == kNowhere) {
        return true;
    }
    if (code[last] == '[' || code[last] == ')' || code[last] == ']') {
        return false;
    }
    std::string_view before = code.substr(0, last + 1);
    while (before.ends_with('&')) {
        before.remove_suffix(1);
    }
    if (before.ends_with("auto") || before.ends_with("auto ")) {
        return false; // a structured binding
    }
    if (!isNameCharacter(code[last])) {
        return true;
    }
    return code.substr(0, last + 1).ends_with("return")
           || code.substr(0, last + 1).ends_with("co_await");
}

} // namespace

std::size_t closingBracket(std::string_view code, std::size_t open)
{
    const char opening = code[open];
    const char closing = opening == '(' ? ')' : opening == '[' ? ']' : '}';
    int depth = 0;
    for (std::size_t at = open; at < code.size(); ++at) {
        depth += code[at] == opening ? 1 : code[at] == closing ? -1 : 0;
        if (depth == 0) {
            return at;
        }
    }
    return kNowhere;
}

std::vector<Function> functionsOf(const SourceFile& file)
{
    return FunctionScanner(file).run();
}

std::vector<Lambda> lambdasOf(std::string_view code)
{
    std::vector<Lambda> lambdas;
    for (std::size_t at = code.find('['); at != kNowhere; at = code.find('[', at + 1)) {
        const std::size_t close = closingBracket(code, at);
        if (!beginsLambda(code, at) || close == kNowhere) {
            continue;
        }
        std::size_t next = skipBlanks(code, close + 1);
        if (next < code.size() && code[next] == '(') {
            next = closingBracket(code, next);
        }
        const std::size_t body = code.find_first_of("{;", std::min(next, code.size()));
        if (body == kNowhere || code[body] != '{') {
            continue;
        }
        Lambda lambda;
        lambda.begin = at;
        lambda.captures = skipBlanks(code, at + 1) != close;
        lambda.bodyBegin = body;
        lambda.bodyEnd = std::min(closingBracket(code, body), code.size());
        lambdas.push_back(lambda);
    }
    return lambdas;
}

} // namespace lockscope::house
