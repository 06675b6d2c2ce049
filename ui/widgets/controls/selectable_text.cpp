#include "ui/widgets/controls/selectable_text.h"

#include <QScrollBar>
#include <QTextLayout>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>
#include <limits>

namespace lockscope::widgets {

namespace {

/// How high the first lines of the text are when it is broken at this width. A line with letters of
/// another font, as those of Chinese in a Latin one, is higher than the font says.
int heightOf(const QString& text, const QFont& font, int width, int lineCountMax)
{
    qreal height = 0;
    int count = 0;
    QTextOption wrapping;
    wrapping.setWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);
    for (const QString& paragraph : text.split(u'\n')) {
        QTextLayout layout(paragraph, font);
        layout.setTextOption(wrapping);
        layout.beginLayout();
        QTextLine line = layout.createLine();
        for (; line.isValid() && count < lineCountMax; line = layout.createLine(), ++count) {
            line.setLineWidth(width);
            height += line.height();
        }
        layout.endLayout();
    }
    return static_cast<int>(std::ceil(height));
}

} // namespace

SelectableText::SelectableText(QWidget* parent) : QPlainTextEdit(parent)
{
    setReadOnly(true);
    setFrameShape(QFrame::NoFrame);
    setFocusPolicy(Qt::ClickFocus);
    setUndoRedoEnabled(false);
    setWordWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    document()->setDocumentMargin(0);
    setBackgroundRole(QPalette::NoRole);
    viewport()->setAutoFillBackground(false);
    QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Minimum);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
}

void SelectableText::setText(const QString& text)
{
    if (text != toPlainText()) {
        setPlainText(text);
        updateScrollBar();
        updateGeometry();
    }
}

void SelectableText::setLineCountMax(int lines)
{
    m_lineCountMax = lines;
    updateScrollBar();
    updateGeometry();
}

/// Not left to the view: its bar makes the text narrower and can so become the reason for itself.
void SelectableText::updateScrollBar()
{
    const bool isTooLong = m_lineCountMax > 0
                           && heightOf(toPlainText(), font(), width(),
                                       std::numeric_limits<int>::max())
                                  > height();
    setVerticalScrollBarPolicy(isTooLong ? Qt::ScrollBarAlwaysOn : Qt::ScrollBarAlwaysOff);
}

int SelectableText::heightForWidth(int width) const
{
    const int lineCountMax = m_lineCountMax > 0 ? m_lineCountMax : std::numeric_limits<int>::max();
    return heightOf(toPlainText(), font(), std::max(width, 40), lineCountMax) + 1;
}

QSize SelectableText::sizeHint() const
{
    int width = 0;
    for (const QString& line : toPlainText().split(u'\n')) {
        width = std::max(width, fontMetrics().horizontalAdvance(line));
    }
    width = std::min(width + 4, fontMetrics().averageCharWidth() * 72);
    return {width, heightForWidth(width)};
}

QSize SelectableText::minimumSizeHint() const
{
    return {fontMetrics().averageCharWidth() * 10, fontMetrics().lineSpacing() + 1};
}

void SelectableText::resizeEvent(QResizeEvent* event)
{
    QPlainTextEdit::resizeEvent(event);
    updateScrollBar();
    if (textCursor().atStart()) {
        verticalScrollBar()->setValue(0); // the reader starts at the top
    }
}

void SelectableText::wheelEvent(QWheelEvent* event)
{
    if (verticalScrollBar()->maximum() == 0) {
        event->ignore(); // an outer scroll area may have it
        return;
    }
    QPlainTextEdit::wheelEvent(event);
}

} // namespace lockscope::widgets
