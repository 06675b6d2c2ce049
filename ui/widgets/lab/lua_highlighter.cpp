#include "ui/widgets/lab/lua_highlighter.h"

#include "ui/widgets/style/palette_colors.h"

#include <QEvent>
#include <QSet>
#include <QTextBlock>
#include <QTextDocument>
#include <QWidget>

#include <algorithm>

namespace lockscope::widgets {

using namespace Qt::StringLiterals;

namespace {

const QSet<QString>& keywords()
{
    static const QSet<QString> kWords{
        u"and"_s, u"break"_s,    u"do"_s,     u"else"_s, u"elseif"_s, u"end"_s,   u"false"_s,
        u"for"_s, u"function"_s, u"if"_s,     u"in"_s,   u"local"_s,  u"nil"_s,   u"not"_s,
        u"or"_s,  u"repeat"_s,   u"return"_s, u"then"_s, u"true"_s,   u"until"_s, u"while"_s};
    return kWords;
}

/// What Redis hands to every script.
const QSet<QString>& givenNames()
{
    static const QSet<QString> kNames{u"KEYS"_s, u"ARGV"_s, u"redis"_s, u"cjson"_s};
    return kNames;
}

bool isWordPart(QChar c)
{
    return c.isLetterOrNumber() || c == u'_';
}

/// The state of a block that ends inside of something long: the level of its brackets, and whether
/// it is a comment. -1: it does not.
int stateOf(int level, bool isComment)
{
    return 2 * level + (isComment ? 1 : 0);
}

/// The level of the long bracket that opens here: [[ is 0, [=[ is 1; -1: there is none.
int longLevel(const QString& text, int from)
{
    if (from >= text.size() || text.at(from) != u'[') {
        return -1;
    }
    int at = from + 1;
    while (at < text.size() && text.at(at) == u'=') {
        ++at;
    }
    return at < text.size() && text.at(at) == u'[' ? at - from - 1 : -1;
}

int endOfString(const QString& text, int from)
{
    const QChar quote = text.at(from);
    int at = from + 1;
    while (at < text.size() && text.at(at) != quote) {
        at += text.at(at) == u'\\' ? 2 : 1;
    }
    return std::min(at + 1, static_cast<int>(text.size()));
}

} // namespace

LuaHighlighter::LuaHighlighter(QTextDocument* document, QWidget* widget)
    : QSyntaxHighlighter(widget),
      m_widget(widget)
{
    m_mark.setUnderlineStyle(QTextCharFormat::WaveUnderline);
    takeColors();
    widget->installEventFilter(this);
    setDocument(document);
}

void LuaHighlighter::takeColors()
{
    const QPalette palette = m_widget->palette();
    const StateColors colors = stateColorsOf(palette);
    m_formats[Keyword].setForeground(palette.color(QPalette::Link));
    m_formats[Keyword].setFontWeight(QFont::DemiBold);
    m_formats[Text].setForeground(colors.green);
    m_formats[Number].setForeground(colors.amber);
    m_formats[Comment].setForeground(colors.quiet);
    m_formats[Comment].setFontItalic(true);
    m_formats[Name].setForeground(colors.blue);
    m_mark.setUnderlineColor(colors.red);
}

bool LuaHighlighter::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::PaletteChange) {
        takeColors();
        rehighlight();
    }
    return QSyntaxHighlighter::eventFilter(watched, event);
}

void LuaHighlighter::markLine(std::optional<int> line)
{
    if (line == m_marked) {
        return;
    }
    const std::optional<int> before = std::exchange(m_marked, line);
    for (const std::optional<int>& each : {before, line}) {
        if (each) {
            rehighlightBlock(document()->findBlockByNumber(*each - 1));
        }
    }
}

void LuaHighlighter::highlightBlock(const QString& text)
{
    setCurrentBlockState(-1);
    int at = previousBlockState() >= 0 ? paintLong(text, 0) : 0;
    while (at < text.size()) {
        at = paintShort(text, at);
    }
    if (m_marked && currentBlock().blockNumber() == *m_marked - 1) {
        for (int i = 0; i < text.size(); ++i) {
            QTextCharFormat marked = format(i);
            marked.merge(m_mark);
            setFormat(i, 1, marked);
        }
    }
}

/// Paints what begins at `from`, and returns where it ends.
int LuaHighlighter::paintShort(const QString& text, int from)
{
    const QChar c = text.at(from);
    const bool isComment = QStringView(text).mid(from).startsWith(u"--");
    if (const int level = longLevel(text, isComment ? from + 2 : from); level >= 0) {
        setCurrentBlockState(stateOf(level, isComment));
        return paintLong(text, from);
    }
    int end = from + 1;
    if (isComment) {
        end = static_cast<int>(text.size());
        setFormat(from, end - from, m_formats[Comment]);
    } else if (c == u'"' || c == u'\'') {
        end = endOfString(text, from);
        setFormat(from, end - from, m_formats[Text]);
    } else if (isWordPart(c)) {
        while (end < text.size()
               && (isWordPart(text.at(end)) || (c.isDigit() && text.at(end) == u'.'))) {
            ++end;
        }
        paintWord(text, from, end);
    }
    return end;
}

void LuaHighlighter::paintWord(const QString& text, int from, int to)
{
    const QString word = text.mid(from, to - from);
    if (word.front().isDigit()) {
        setFormat(from, to - from, m_formats[Number]);
    } else if (keywords().contains(word)) {
        setFormat(from, to - from, m_formats[Keyword]);
    } else if (givenNames().contains(word)) {
        setFormat(from, to - from, m_formats[Name]);
    }
}

/// Paints a text or comment in long brackets, which may have begun in a line before.
int LuaHighlighter::paintLong(const QString& text, int from)
{
    const int state = currentBlockState() >= 0 ? currentBlockState() : previousBlockState();
    const QString closing = u']' + QString(state / 2, u'=') + u']';
    const auto found = static_cast<int>(text.indexOf(closing, from));
    const int end = found < 0 ? static_cast<int>(text.size())
                              : found + static_cast<int>(closing.size());
    setFormat(from, end - from, m_formats[state % 2 == 1 ? Comment : Text]);
    setCurrentBlockState(found < 0 ? state : -1);
    return end;
}

} // namespace lockscope::widgets
