#include "ui/widgets/controls/labels.h"

#include "ui/models/ui_text.h"
#include "ui/widgets/controls/layouts.h"
#include "ui/widgets/style/tones.h"

#include <QEvent>
#include <QScrollArea>

namespace lockscope::widgets {

using namespace Qt::StringLiterals;

namespace {

constexpr QMargins kHeadingMargins(16, 13, 16, 13);

void useCaptionFont(QLabel& label)
{
    QFont font = label.font();
    font.setPointSizeF(font.pointSizeF() * 0.85);
    font.setBold(true);
    font.setLetterSpacing(QFont::PercentageSpacing, 104);
    label.setFont(font);
}

} // namespace

ElidedLabel::ElidedLabel(Qt::TextElideMode mode, QWidget* parent) : QLabel(parent), m_mode(mode)
{
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
}

void ElidedLabel::setFullText(const QString& text)
{
    if (m_fullText != text) {
        m_fullText = text;
        updateGeometry();
        elide();
    }
}

QSize ElidedLabel::sizeHint() const
{
    return {fontMetrics().horizontalAdvance(m_fullText) + 2, QLabel::sizeHint().height()};
}

QSize ElidedLabel::minimumSizeHint() const
{
    return {fontMetrics().averageCharWidth() * 6, QLabel::minimumSizeHint().height()};
}

void ElidedLabel::resizeEvent(QResizeEvent* event)
{
    QLabel::resizeEvent(event);
    elide();
}

void ElidedLabel::changeEvent(QEvent* event)
{
    QLabel::changeEvent(event);
    if (event->type() == QEvent::FontChange) {
        updateGeometry();
        elide();
    }
}

void ElidedLabel::elide()
{
    const QString shown = fontMetrics().elidedText(m_fullText, m_mode, contentsRect().width());
    setText(shown);
    setToolTip(shown == m_fullText ? QString() : m_fullText);
}

QLabel* createQuietLabel(const QString& text, QWidget* parent)
{
    auto* label = new QLabel(text, parent);
    label->setForegroundRole(QPalette::PlaceholderText);
    return label;
}

QLabel* createWrappedText(const QString& name, QWidget* parent)
{
    auto* label = new QLabel(parent);
    label->setObjectName(name);
    label->setWordWrap(true);
    return label;
}

void makeBold(QWidget& widget)
{
    QFont bold = widget.font();
    bold.setBold(true);
    widget.setFont(bold);
}

void showRemark(QLabel& label, const QString& sentence, int severity)
{
    QPalette colored = label.parentWidget()->palette();
    colored.setColor(QPalette::WindowText, severityColor(severity, colored));
    label.setPalette(colored);
    label.setText(sentence);
    label.setVisible(!sentence.isEmpty());
}

void markError(QWidget& field, bool isWrong)
{
    QPalette edge;
    if (isWrong) {
        edge.setColor(QPalette::Mid, severityColor(2, field.parentWidget()->palette()));
    }
    field.setPalette(edge);
}

QWidget* createHairline(Qt::Orientation orientation, QWidget* parent)
{
    auto* line = new QWidget(parent);
    if (orientation == Qt::Vertical) {
        line->setFixedWidth(1);
    } else {
        line->setFixedHeight(1);
    }
    line->setBackgroundRole(QPalette::Mid);
    line->setAutoFillBackground(true);
    return line;
}

QWidget* createFormColumn(QWidget* form, const QString& name, int characters, QWidget* parent)
{
    auto* column = new QWidget(parent);
    auto* heading = new QLabel(UiText::tr("Next run"), column);
    heading->setObjectName(u"formHeading"_s);
    heading->setContentsMargins(kHeadingMargins);
    makeBold(*heading);
    auto* area = new QScrollArea(column);
    area->setObjectName(name);
    area->setFrameShape(QFrame::NoFrame);
    area->setWidgetResizable(true);
    area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    area->setFixedWidth(area->fontMetrics().averageCharWidth() * characters);
    area->setWidget(form);
    area->viewport()->setBackgroundRole(QPalette::Window);
    createColumn(column, {}, 0, {heading, createHairline(Qt::Horizontal, column), growing(area)});
    return column;
}

QLabel* createCaption(const QString& text, QWidget* parent)
{
    QLabel* label = createQuietLabel(text.toUpper(), parent);
    useCaptionFont(*label);
    return label;
}

ElidedLabel* createElidedCaption(QWidget* parent)
{
    auto* label = new ElidedLabel(Qt::ElideRight, parent);
    label->setForegroundRole(QPalette::PlaceholderText);
    useCaptionFont(*label);
    return label;
}

} // namespace lockscope::widgets
