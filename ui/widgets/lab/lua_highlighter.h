#pragma once

#include <QSyntaxHighlighter>
#include <QTextCharFormat>

#include <array>
#include <optional>

class QWidget;

namespace lockscope::widgets {

/// Colours Lua as scripts of a server use it: keywords, texts, numbers, comments, the tables
/// `redis`, KEYS and ARGV. Colours are those of the palette of `widget`, which owns it, also when
/// that changes.
class LuaHighlighter : public QSyntaxHighlighter {
    Q_OBJECT
public:
    LuaHighlighter(QTextDocument* document, QWidget* widget);

    /// Underlines the line, counted from 1; nullopt: none.
    void markLine(std::optional<int> line);

    bool eventFilter(QObject* watched, QEvent* event) override;

protected:
    void highlightBlock(const QString& text) override;

private:
    enum Kind { Keyword, Text, Number, Comment, Name, KindCount };

    void takeColors();
    void paintWord(const QString& text, int from, int to);
    int paintShort(const QString& text, int from);
    int paintLong(const QString& text, int from);

    QWidget* m_widget = nullptr;
    std::array<QTextCharFormat, KindCount> m_formats;
    QTextCharFormat m_mark;
    std::optional<int> m_marked;
};

} // namespace lockscope::widgets
