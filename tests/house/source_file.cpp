#include "tests/house/source_file.h"

#include <algorithm>

namespace lockscope::house {

namespace {

constexpr std::size_t kNowhere = std::string_view::npos;

/// Walks over a text and writes blanks over what is no code.
class Blanker {
public:
    explicit Blanker(std::string_view text) : m_text(text), m_result(text) {}

    std::string run()
    {
        while (m_at < m_text.size()) {
            step();
        }
        return std::move(m_result);
    }

private:
    bool looksAt(std::string_view what) const { return m_text.substr(m_at).starts_with(what); }

    void step()
    {
        if (looksAt("//")) {
            blankTo(std::min(m_text.find('\n', m_at), m_text.size()));
        } else if (looksAt("/*")) {
            blankPast("*/", m_at + 2);
        } else if (looksAt("R\"") && !followsName(m_at)) {
            blankRawString();
        } else if (m_text[m_at] == '"' || (m_text[m_at] == '\'' && !isDigitSeparator())) {
            blankQuoted(m_text[m_at]);
        } else {
            ++m_at;
        }
    }

    /// A raw string may carry a prefix: u8R"(…)". Any other name before the R makes it part of a
    /// name.
    bool followsName(std::size_t at) const
    {
        std::size_t begin = at;
        while (begin > 0 && isNameCharacter(m_text[begin - 1])) {
            --begin;
        }
        const std::string_view prefix = m_text.substr(begin, at - begin);
        return !prefix.empty() && prefix != "u8" && prefix != "u" && prefix != "U" && prefix != "L";
    }

    bool isDigitSeparator() const
    {
        return m_at > 0 && std::isalnum(static_cast<unsigned char>(m_text[m_at - 1])) != 0
               && m_at + 1 < m_text.size()
               && std::isalnum(static_cast<unsigned char>(m_text[m_at + 1])) != 0
               && (m_at + 2 >= m_text.size() || m_text[m_at + 2] != '\'');
    }

    void blankRawString()
    {
        const std::size_t open = m_text.find('(', m_at);
        if (open == kNowhere) {
            ++m_at;
            return;
        }
        const std::string delimiter(m_text.substr(m_at + 2, open - m_at - 2));
        m_at += 1;
        blankPast(")" + delimiter + "\"", open);
    }

    void blankQuoted(char quote)
    {
        std::size_t end = m_at + 1;
        while (end < m_text.size() && m_text[end] != quote && m_text[end] != '\n') {
            end += m_text[end] == '\\' ? 2 : 1;
        }
        end = std::min(end, m_text.size());
        ++m_at;
        blankTo(end);
        m_at = std::min(end + 1, m_text.size());
    }

    void blankPast(std::string_view terminator, std::size_t searchFrom)
    {
        const std::size_t end = m_text.find(terminator, searchFrom);
        blankTo(end == kNowhere ? m_text.size() : end + terminator.size());
    }

    void blankTo(std::size_t end)
    {
        for (; m_at < end; ++m_at) {
            if (m_result[m_at] != '\n') {
                m_result[m_at] = ' ';
            }
        }
    }

    std::string_view m_text;
    std::string m_result;
    std::size_t m_at = 0;
};

std::vector<std::size_t> startsOfLines(std::string_view text)
{
    std::vector<std::size_t> starts;
    for (std::size_t at = 0; at < text.size();) {
        starts.push_back(at);
        const std::size_t end = text.find('\n', at);
        at = end == kNowhere ? text.size() : end + 1;
    }
    return starts;
}

/// `#include` counts where it is code; its path is read from the raw line because code has no
/// strings.
std::vector<Include> includesOf(const SourceFile& file)
{
    std::vector<Include> includes;
    constexpr std::string_view kDirective = "#include";
    for (std::size_t at = file.code.find(kDirective); at != kNowhere;
         at = file.code.find(kDirective, at + 1)) {
        const int line = file.lineOf(at);
        const std::string_view text = file.rawLine(line);
        const std::size_t open = text.find_first_of("<\"");
        if (open == kNowhere) {
            continue;
        }
        const bool isAngled = text[open] == '<';
        const std::size_t close = text.find(isAngled ? '>' : '"', open + 1);
        if (close != kNowhere) {
            includes.push_back({line, std::string(text.substr(open + 1, close - open - 1)),
                                isAngled});
        }
    }
    return includes;
}

} // namespace

bool isNameCharacter(char c)
{
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

std::string withoutCommentsAndStrings(std::string_view text)
{
    return Blanker(text).run();
}

int SourceFile::lineOf(std::size_t offset) const
{
    const auto after = std::upper_bound(lineStarts.begin(), lineStarts.end(), offset);
    return static_cast<int>(after - lineStarts.begin());
}

std::string_view SourceFile::rawLine(int line) const
{
    const std::size_t begin = lineStarts[static_cast<std::size_t>(line - 1)];
    const std::size_t end = std::min(raw.find('\n', begin), raw.size());
    return std::string_view(raw).substr(begin, end - begin);
}

std::string_view SourceFile::fileName() const
{
    const std::size_t slash = path.rfind('/');
    return slash == kNowhere ? std::string_view(path) : std::string_view(path).substr(slash + 1);
}

std::string_view SourceFile::stem() const
{
    const std::string_view name = fileName();
    return name.substr(0, name.rfind('.'));
}

SourceFile parseSource(std::string path, std::string text)
{
    SourceFile file;
    file.path = std::move(path);
    file.raw = std::move(text);
    file.code = file.isCode() ? withoutCommentsAndStrings(file.raw) : file.raw;
    file.lineStarts = startsOfLines(file.raw);
    if (file.isCode()) {
        file.includes = includesOf(file);
    }
    return file;
}

std::size_t findWord(std::string_view code, std::string_view word, std::size_t from)
{
    for (std::size_t at = code.find(word, from); at != kNowhere; at = code.find(word, at + 1)) {
        const std::size_t end = at + word.size();
        const bool beginsAWord = at == 0 || !isNameCharacter(word.front())
                                 || !isNameCharacter(code[at - 1]);
        const bool endsAWord = end >= code.size() || !isNameCharacter(word.back())
                               || !isNameCharacter(code[end]);
        if (beginsAWord && endsAWord) {
            return at;
        }
    }
    return kNowhere;
}

} // namespace lockscope::house
