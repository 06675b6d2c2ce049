#pragma once

#include <QPlainTextEdit>

namespace lockscope::widgets {

/// Text to read and to select, as high as it needs to be at its width. Unlike a label it also
/// breaks inside of words, as tokens and commands need it, and what is copied from it is the text
/// and nothing else.
class SelectableText : public QPlainTextEdit {
    Q_OBJECT
public:
    explicit SelectableText(QWidget* parent = nullptr);

    void setText(const QString& text);

    /// How many lines are shown before it scrolls; 0 means all.
    void setLineCountMax(int lines);

    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override;
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void resizeEvent(QResizeEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;

private:
    void updateScrollBar();

    int m_lineCountMax = 0;
};

} // namespace lockscope::widgets
