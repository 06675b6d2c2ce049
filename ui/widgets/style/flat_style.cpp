#include "ui/widgets/style/flat_style.h"

#include "ui/widgets/style/icons.h"
#include "ui/widgets/style/palette_colors.h"
#include "ui/widgets/style/tones.h"

#include <QAbstractButton>
#include <QAbstractItemView>
#include <QAbstractSpinBox>
#include <QLabel>
#include <QPainter>
#include <QStyleFactory>
#include <QStyleOption>
#include <QTableView>
#include <QToolButton>
#include <QVariant>
#include <QWidget>

#include <algorithm>

namespace lockscope::widgets {

using namespace Qt::StringLiterals;

namespace {

/// The field of a combo box is narrower here than Fusion takes for granted.
constexpr int kComboRoom = 14;

constexpr const char* kEmphasisProperty = "emphasis";
constexpr qreal kRadius = 5;
constexpr int kCellPadding = 8; // of tables, to the left and to the right of texts
constexpr int kScrollBarWidth = 10;

Emphasis emphasisOf(const QWidget* widget)
{
    return widget == nullptr ? Emphasis::Normal
                             : static_cast<Emphasis>(widget->property(kEmphasisProperty).toInt());
}

struct BoxColors {
    QColor fill;
    QColor edge;
};

void drawBox(QPainter* painter, const QRect& rect, const BoxColors& colors)
{
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setPen(colors.edge.isValid() ? QPen(colors.edge, 1) : QPen(Qt::NoPen));
    painter->setBrush(colors.fill.isValid() ? QBrush(colors.fill) : QBrush(Qt::NoBrush));
    painter->drawRoundedRect(QRectF(rect).adjusted(0.5, 0.5, -0.5, -0.5), kRadius, kRadius);
    painter->restore();
}

BoxColors buttonColors(const QStyleOption* option, const QWidget* widget)
{
    const QPalette& palette = option->palette;
    const bool enabled = option->state.testFlag(QStyle::State_Enabled);
    BoxColors colors{palette.color(QPalette::Button), palette.color(QPalette::Mid)};
    if (enabled && emphasisOf(widget) == Emphasis::Primary) {
        colors.fill = colors.edge = palette.color(QPalette::Link);
    } else if (enabled && emphasisOf(widget) == Emphasis::Danger) {
        colors.edge = severityColor(2, palette);
    }
    if (option->state.testFlag(QStyle::State_On)) {
        colors.fill = palette.color(QPalette::Highlight);
    }
    if (enabled && option->state.testFlag(QStyle::State_Sunken)) {
        colors.fill = mixed(palette.color(QPalette::Text), colors.fill, 0.12);
    } else if (enabled && option->state.testFlag(QStyle::State_MouseOver)) {
        colors.fill = mixed(palette.color(QPalette::Text), colors.fill, 0.06);
    }
    if (enabled && option->state.testFlag(QStyle::State_HasFocus)) {
        colors.edge = palette.color(QPalette::Link);
    }
    return colors;
}

BoxColors fieldColors(const QStyleOption* option)
{
    const QPalette& palette = option->palette;
    const bool focused = option->state.testFlag(QStyle::State_HasFocus)
                         && option->state.testFlag(QStyle::State_Enabled);
    // A field that colours its own edge (the filter) keeps it under focus.
    const bool ownEdge = palette.isBrushSet(QPalette::Active, QPalette::Mid)
                         && palette.color(QPalette::Mid) != palette.color(QPalette::Midlight);
    return {palette.color(QPalette::Base),
            focused && !ownEdge ? palette.color(QPalette::Link) : palette.color(QPalette::Mid)};
}

void drawPushButton(const QStyleOption* option, QPainter* painter, const QWidget* widget)
{
    drawBox(painter, option->rect, buttonColors(option, widget));
    if (option->state.testFlag(QStyle::State_HasFocus) && emphasisOf(widget) == Emphasis::Primary) {
        // Its edge has the colour of the focus anyway.
        drawBox(painter, option->rect.adjusted(2, 2, -2, -2),
                {QColor(), option->palette.color(QPalette::BrightText)});
    }
}

/// A box only where there is something to show by it.
void drawToolButton(const QStyleOption* option, QPainter* painter, const QWidget* widget)
{
    if (option->state
        & (QStyle::State_MouseOver | QStyle::State_Sunken | QStyle::State_On
           | QStyle::State_HasFocus)) {
        BoxColors colors = buttonColors(option, widget);
        if (!option->state.testFlag(QStyle::State_HasFocus)) {
            colors.edge = QColor();
        }
        drawBox(painter, option->rect, colors);
    }
}

void drawScrollBar(const QStyleOptionSlider& slider, const QRect& handle,
                   QPalette::ColorRole background, QPainter* painter)
{
    const QPalette& palette = slider.palette;
    painter->fillRect(slider.rect, palette.color(background));
    const bool active = slider.state.testFlag(QStyle::State_MouseOver)
                        || slider.activeSubControls.testFlag(QStyle::SC_ScrollBarSlider);
    if (slider.minimum >= slider.maximum) {
        return;
    }
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setPen(Qt::NoPen);
    painter->setBrush(mixed(palette.color(QPalette::Text), palette.color(background),
                            active ? 0.4 : 0.22));
    const QRectF thumb = QRectF(handle).adjusted(2, 2, -2, -2);
    const qreal radius = std::min(thumb.width(), thumb.height()) / 2;
    painter->drawRoundedRect(thumb, radius, radius);
    painter->restore();
}

void drawTick(QPainter* painter, const QRectF& rect, const QColor& color)
{
    const auto at = [&rect](qreal x, qreal y) {
        return QPointF(rect.left() + x * rect.width(), rect.top() + y * rect.height());
    };
    painter->setPen(QPen(color, 1.6, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    painter->setBrush(Qt::NoBrush);
    painter->drawPolyline(QPolygonF({at(0.22, 0.52), at(0.43, 0.72), at(0.78, 0.3)}));
}

void drawCheckBox(const QStyleOption& option, QPainter* painter)
{
    const QPalette& palette = option.palette;
    const bool isOn = option.state.testFlag(QStyle::State_On);
    const QColor accent = palette.color(QPalette::Link);
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    const bool isFocused = option.state.testFlag(QStyle::State_HasFocus);
    painter->setPen(isOn || isFocused ? accent : palette.color(QPalette::PlaceholderText));
    painter->setBrush(isOn ? accent : palette.color(QPalette::Base));
    const QRectF box = QRectF(option.rect).adjusted(0.5, 0.5, -0.5, -0.5);
    painter->drawRoundedRect(box, 3, 3);
    if (isOn) {
        drawTick(painter, box, palette.color(QPalette::BrightText));
    }
    painter->restore();
}

/// A corner that points down, or up where the height is negative.
void drawChevron(QPainter* painter, QPointF centre, QSizeF half, const QColor& color)
{
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setPen(QPen(color, 1.4, Qt::SolidLine, Qt::RoundCap));
    painter->drawPolyline(QPolygonF({centre + QPointF(-half.width(), -half.height()),
                                     centre + QPointF(0, half.height()),
                                     centre + QPointF(half.width(), -half.height())}));
    painter->restore();
}

void drawComboBox(const QStyleOptionComboBox& combo, const QRect& arrow, QPainter* painter)
{
    drawBox(painter, combo.rect, fieldColors(&combo));
    drawChevron(painter, QRectF(arrow).center(), {3.5, 2},
                combo.palette.color(QPalette::PlaceholderText));
}

/// An arrow that leads nowhere is fainter, one that is pressed stronger.
void drawSpinBox(const QStyleOptionSpinBox& spin, const QRect& up, const QRect& down,
                 QPainter* painter)
{
    drawBox(painter, spin.rect, fieldColors(&spin));
    if (spin.buttonSymbols == QAbstractSpinBox::NoButtons) {
        return;
    }
    const auto draw = [&](QStyle::SubControl part, const QRect& rect, bool canStep, qreal depth) {
        const bool isActive = canStep && spin.activeSubControls == part;
        const QPalette::ColorRole role = !canStep   ? QPalette::Mid
                                         : isActive ? QPalette::Text
                                                    : QPalette::PlaceholderText;
        drawChevron(painter, QRectF(rect).center(), {3, depth}, spin.palette.color(role));
    };
    draw(QStyle::SC_SpinBoxUp, up, spin.stepEnabled.testFlag(QAbstractSpinBox::StepUpEnabled),
         -1.6);
    draw(QStyle::SC_SpinBoxDown, down, spin.stepEnabled.testFlag(QAbstractSpinBox::StepDownEnabled),
         1.6);
}

void drawMenuBarItem(const QStyleOptionMenuItem& item, QPainter* painter)
{
    const QRect rect = item.rect.adjusted(1, 1, -1, -1);
    painter->fillRect(item.rect, item.palette.color(QPalette::Window));
    if (item.state & (QStyle::State_Selected | QStyle::State_Sunken)) {
        drawBox(painter, rect, {item.palette.color(QPalette::Highlight), QColor()});
    }
    painter->setPen(item.palette.color(QPalette::WindowText));
    painter->drawText(item.rect, Qt::AlignCenter | Qt::TextShowMnemonic | Qt::TextSingleLine,
                      item.text);
}

/// A scroll bar is a groove with a thumb in it and nothing else.
QRect scrollBarPart(const QStyleOptionSlider& slider, QStyle::SubControl part)
{
    const bool horizontal = slider.orientation == Qt::Horizontal;
    const int length = horizontal ? slider.rect.width() : slider.rect.height();
    const qint64 range = qint64(slider.maximum) - slider.minimum;
    int thumb = length;
    if (range > 0) {
        thumb = static_cast<int>(qint64(slider.pageStep) * length / (range + slider.pageStep));
        thumb = std::clamp(thumb, std::min(length, kScrollBarWidth * 3), length);
    }
    const int start = QStyle::sliderPositionFromValue(slider.minimum, slider.maximum,
                                                      slider.sliderPosition, length - thumb,
                                                      slider.upsideDown);
    const auto stretch = [&](int from, int size) {
        return horizontal
                   ? QRect(slider.rect.x() + from, slider.rect.y(), size, slider.rect.height())
                   : QRect(slider.rect.x(), slider.rect.y() + from, slider.rect.width(), size);
    };
    switch (part) {
    case QStyle::SC_ScrollBarGroove: return stretch(0, length);
    case QStyle::SC_ScrollBarSlider: return stretch(start, thumb);
    case QStyle::SC_ScrollBarSubPage: return stretch(0, start);
    case QStyle::SC_ScrollBarAddPage: return stretch(start + thumb, length - start - thumb);
    default: return {}; // no arrow buttons
    }
}

void drawHeaderSection(const QStyleOptionHeader& header, QPainter* painter)
{
    painter->fillRect(header.rect, header.palette.color(QPalette::Window));
    painter->setPen(header.palette.color(QPalette::Mid));
    painter->drawLine(header.rect.bottomLeft(), header.rect.bottomRight());
}

void drawProgressBar(const QStyleOptionProgressBar& bar, QPainter* painter)
{
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setPen(Qt::NoPen);
    const qreal radius = bar.rect.height() / 2.0;
    painter->setBrush(bar.palette.color(QPalette::Mid));
    painter->drawRoundedRect(QRectF(bar.rect), radius, radius);
    const qreal share = qreal(bar.progress - bar.minimum) / std::max(1, bar.maximum - bar.minimum);
    QRectF done(bar.rect);
    done.setWidth(done.width() * std::clamp(share, 0.0, 1.0));
    painter->setBrush(bar.palette.color(QPalette::Link));
    painter->drawRoundedRect(done, radius, radius);
    painter->restore();
}

void drawDockTitle(const QStyleOptionDockWidget& dock, const QRect& space, QPainter* painter)
{
    painter->save();
    QFont font = painter->font();
    font.setBold(true);
    painter->setFont(font);
    painter->setPen(dock.palette.color(QPalette::PlaceholderText));
    painter->drawText(space.adjusted(8, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter,
                      painter->fontMetrics().elidedText(dock.title, Qt::ElideRight,
                                                        space.width() - 8));
    painter->restore();
}

/// Behind the text of a tool button that opens a menu; Fusion puts a tiny one into its corner.
constexpr QStringView kMenuArrow = u" ▾";

bool isTextWithMenu(const QStyleOptionToolButton& button)
{
    return button.features.testFlag(QStyleOptionToolButton::HasMenu)
           && !button.features.testFlag(QStyleOptionToolButton::MenuButtonPopup)
           && button.icon.isNull() && !button.text.isEmpty();
}

QStyleOptionToolButton withArrow(QStyleOptionToolButton button)
{
    button.features.setFlag(QStyleOptionToolButton::HasMenu, false);
    button.text += kMenuArrow;
    return button;
}

} // namespace

void setEmphasis(QWidget* widget, Emphasis emphasis)
{
    widget->setProperty(kEmphasisProperty, static_cast<int>(emphasis));
    widget->update();
}

FlatStyle::FlatStyle() : QProxyStyle(QStyleFactory::create(u"Fusion"_s))
{}

void FlatStyle::polish(QWidget* widget)
{
    QProxyStyle::polish(widget);
    if (qobject_cast<QAbstractButton*>(widget) != nullptr) {
        widget->setAttribute(Qt::WA_Hover);
    }
    // Left alone, a label takes a text for HTML that looks like it, and keys, owners and the errors
    // of servers are text from anywhere. Tooltips are labels, too.
    if (auto* label = qobject_cast<QLabel*>(widget)) {
        label->setTextFormat(Qt::PlainText);
    }
}

void FlatStyle::drawPrimitive(PrimitiveElement element, const QStyleOption* option,
                              QPainter* painter, const QWidget* widget) const
{
    const QPalette& palette = option->palette;
    switch (element) {
    case PE_PanelButtonCommand: drawPushButton(option, painter, widget); return;
    case PE_PanelButtonTool: drawToolButton(option, painter, widget); return;
    case PE_IndicatorTabClose:
        if (option->state & State_MouseOver) {
            painter->fillRect(option->rect, stateColorsOf(palette).hairline);
        }
        tintedIcon(u"close").paint(painter, option->rect.adjusted(3, 3, -3, -3));
        return;
    case PE_FrameLineEdit: return; // part of the panel
    case PE_PanelLineEdit:
        if (const auto* frame = qstyleoption_cast<const QStyleOptionFrame*>(option);
            frame != nullptr && frame->lineWidth > 0) {
            drawBox(painter, option->rect, fieldColors(option));
        }
        return;
    case PE_Frame:
        if (const auto* frame = qstyleoption_cast<const QStyleOptionFrame*>(option);
            frame != nullptr && frame->lineWidth > 0
            && qobject_cast<const QAbstractItemView*>(widget) == nullptr) {
            painter->setPen(fieldColors(option).edge);
            painter->drawRect(option->rect.adjusted(0, 0, -1, -1));
        }
        return;
    case PE_IndicatorCheckBox: drawCheckBox(*option, painter); return;
    case PE_FrameMenu:
        painter->setPen(palette.color(QPalette::Mid));
        painter->drawRect(option->rect.adjusted(0, 0, -1, -1));
        return;
    case PE_FrameFocusRect:
        // Of the rest, focus is shown by the edge of the thing itself; a raised button has none.
        if (qobject_cast<const QToolButton*>(widget) != nullptr) {
            drawBox(painter, widget->rect(), {QColor(), palette.color(QPalette::Link)});
        }
        return;
    case PE_FrameDefaultButton:
    case PE_FrameStatusBarItem:
    case PE_FrameDockWidget:
    case PE_FrameTabWidget: return;
    case PE_PanelScrollAreaCorner:
    case PE_PanelMenuBar:
    case PE_PanelStatusBar:
        painter->fillRect(option->rect, palette.color(QPalette::Window));
        return;
    case PE_IndicatorDockWidgetResizeHandle:
        painter->fillRect(option->rect, palette.color(QPalette::Mid));
        return;
    default: QProxyStyle::drawPrimitive(element, option, painter, widget);
    }
}

void FlatStyle::drawControl(ControlElement element, const QStyleOption* option, QPainter* painter,
                            const QWidget* widget) const
{
    switch (element) {
    case CE_HeaderSection:
        if (const auto* header = qstyleoption_cast<const QStyleOptionHeader*>(option)) {
            drawHeaderSection(*header, painter);
            return;
        }
        break;
    case CE_MenuBarItem:
        if (const auto* item = qstyleoption_cast<const QStyleOptionMenuItem*>(option)) {
            drawMenuBarItem(*item, painter);
            return;
        }
        break;
    case CE_HeaderEmptyArea:
        painter->fillRect(option->rect, option->palette.color(QPalette::Window));
        painter->setPen(option->palette.color(QPalette::Mid));
        painter->drawLine(option->rect.bottomLeft(), option->rect.bottomRight());
        return;
    case CE_MenuBarEmptyArea:
    case CE_ToolBar:
        painter->fillRect(option->rect, option->palette.color(QPalette::Window));
        return;
    case CE_ProgressBar:
        if (const auto* bar = qstyleoption_cast<const QStyleOptionProgressBar*>(option)) {
            drawProgressBar(*bar, painter);
            return;
        }
        break;
    case CE_DockWidgetTitle:
        if (const auto* title = qstyleoption_cast<const QStyleOptionDockWidget*>(option)) {
            drawDockTitle(*title, subElementRect(SE_DockWidgetTitleBarText, option, widget),
                          painter);
            return;
        }
        break;
    case CE_Splitter: painter->fillRect(option->rect, option->palette.color(QPalette::Mid)); return;
    case CE_PushButtonLabel:
        if (const auto* button = qstyleoption_cast<const QStyleOptionButton*>(option);
            button != nullptr && button->state.testFlag(State_Enabled)) {
            QStyleOptionButton colored = *button;
            if (emphasisOf(widget) == Emphasis::Primary) {
                colored.palette.setColor(QPalette::ButtonText,
                                         option->palette.color(QPalette::BrightText));
            } else if (emphasisOf(widget) == Emphasis::Danger) {
                colored.palette.setColor(QPalette::ButtonText, severityColor(2, option->palette));
            }
            QProxyStyle::drawControl(element, &colored, painter, widget);
            return;
        }
        break;
    default: break;
    }
    QProxyStyle::drawControl(element, option, painter, widget);
}

void FlatStyle::drawComplexControl(ComplexControl control, const QStyleOptionComplex* option,
                                   QPainter* painter, const QWidget* widget) const
{
    if (control == CC_ScrollBar) {
        if (const auto* slider = qstyleoption_cast<const QStyleOptionSlider*>(option)) {
            const QPalette::ColorRole background = widget == nullptr ? QPalette::Window
                                                                     : widget->backgroundRole();
            drawScrollBar(*slider, scrollBarPart(*slider, SC_ScrollBarSlider), background, painter);
            return;
        }
    } else if (control == CC_ComboBox) {
        if (const auto* combo = qstyleoption_cast<const QStyleOptionComboBox*>(option)) {
            drawComboBox(*combo, subControlRect(control, option, SC_ComboBoxArrow, widget),
                         painter);
            return;
        }
    } else if (const auto* button = qstyleoption_cast<const QStyleOptionToolButton*>(option);
               button != nullptr && isTextWithMenu(*button)) {
        const QStyleOptionToolButton shown = withArrow(*button);
        QProxyStyle::drawComplexControl(control, &shown, painter, widget);
        return;
    } else if (const auto* spin = qstyleoption_cast<const QStyleOptionSpinBox*>(option);
               spin != nullptr) {
        drawSpinBox(*spin, subControlRect(control, option, SC_SpinBoxUp, widget),
                    subControlRect(control, option, SC_SpinBoxDown, widget), painter);
        return;
    }
    QProxyStyle::drawComplexControl(control, option, painter, widget);
}

QSize FlatStyle::sizeFromContents(ContentsType type, const QStyleOption* option, const QSize& size,
                                  const QWidget* widget) const
{
    QSize result = QProxyStyle::sizeFromContents(type, option, size, widget);
    const int lineHeight = option == nullptr ? 0 : option->fontMetrics.height();
    switch (type) {
    case CT_PushButton:
        // The text, and half a line of air around it on a 4-pixel grid.
        return {size.width() + 24, std::max(result.height(), (lineHeight + 12 + 3) / 4 * 4)};
    case CT_SpinBox: return {result.width(), (lineHeight + 12 + 3) / 4 * 4}; // as high as a field
    case CT_LineEdit:
        return {result.width(), std::max(result.height(), (lineHeight + 12 + 3) / 4 * 4)};
    case CT_ComboBox:
        return {result.width() + kComboRoom,
                std::max(result.height(), (lineHeight + 12 + 3) / 4 * 4)};
    case CT_ToolButton:
        if (const auto* button = qstyleoption_cast<const QStyleOptionToolButton*>(option);
            button != nullptr && isTextWithMenu(*button)) {
            result.rwidth() += button->fontMetrics.horizontalAdvance(kMenuArrow.toString());
        }
        return result;
    case CT_MenuItem: return result.isEmpty() ? result : result + QSize(8, 2);
    case CT_MenuBarItem: return result + QSize(4, 4);
    default: return result;
    }
}

QRect FlatStyle::subControlRect(ComplexControl control, const QStyleOptionComplex* option,
                                SubControl subControl, const QWidget* widget) const
{
    const auto* slider = qstyleoption_cast<const QStyleOptionSlider*>(option);
    if (control == CC_ScrollBar && slider != nullptr) {
        return scrollBarPart(*slider, subControl);
    }
    const QRect rect = QProxyStyle::subControlRect(control, option, subControl, widget);
    const bool isText = (control == CC_ComboBox && subControl == SC_ComboBoxEditField)
                        || (control == CC_SpinBox && subControl == SC_SpinBoxEditField);
    return isText ? rect.adjusted(3, 0, 0, 0) : rect; // in line with the text of other fields
}

QRect FlatStyle::subElementRect(SubElement element, const QStyleOption* option,
                                const QWidget* widget) const
{
    const QRect rect = QProxyStyle::subElementRect(element, option, widget);
    const auto* frame = qstyleoption_cast<const QStyleOptionFrame*>(option);
    if (element == SE_LineEditContents && frame != nullptr && frame->lineWidth > 0) {
        return rect.adjusted(5, 0, -5, 0);
    }
    return rect;
}

QIcon FlatStyle::standardIcon(StandardPixmap icon, const QStyleOption* option,
                              const QWidget* widget) const
{
    switch (icon) {
    case SP_TitleBarCloseButton: return tintedIcon(u"close");
    case SP_TitleBarNormalButton: return tintedIcon(u"float");
    default: return QProxyStyle::standardIcon(icon, option, widget);
    }
}

namespace {

/// A table or its header; lists and trees keep the narrow cells of the platform.
bool isOfTable(const QWidget* widget)
{
    return widget != nullptr
           && (qobject_cast<const QTableView*>(widget) != nullptr
               || qobject_cast<const QTableView*>(widget->parentWidget()) != nullptr);
}

} // namespace

int FlatStyle::pixelMetric(PixelMetric metric, const QStyleOption* option,
                           const QWidget* widget) const
{
    switch (metric) {
    case PM_ScrollBarExtent: return kScrollBarWidth;
    case PM_ScrollView_ScrollBarSpacing: return 0;
    case PM_DockWidgetSeparatorExtent:
    case PM_SplitterWidth:
    case PM_DefaultFrameWidth: return 1;
    case PM_ButtonShiftHorizontal:
    case PM_ButtonShiftVertical: return 0;
    case PM_LayoutHorizontalSpacing:
    case PM_LayoutVerticalSpacing: return 8;
    case PM_LayoutLeftMargin:
    case PM_LayoutRightMargin:
    case PM_LayoutTopMargin:
    case PM_LayoutBottomMargin: return 12;
    case PM_MenuPanelWidth: return 1;
    case PM_MenuBarHMargin: return 4;
    case PM_DockWidgetTitleMargin: return 5;
    case PM_MenuVMargin: return 4;
    case PM_ToolBarFrameWidth: return 0;
    case PM_HeaderMargin: // texts of cells have one more than the other
    case PM_FocusFrameHMargin:
        if (isOfTable(widget)) {
            return metric == PM_HeaderMargin ? kCellPadding : kCellPadding - 1;
        }
        break;
    case PM_ToolBarItemSpacing: return 8;
    default: break;
    }
    return QProxyStyle::pixelMetric(metric, option, widget);
}

int FlatStyle::styleHint(StyleHint hint, const QStyleOption* option, const QWidget* widget,
                         QStyleHintReturn* returnData) const
{
    switch (hint) {
    case SH_DialogButtonBox_ButtonsHaveIcons: // some would have one, and others none
    case SH_EtchDisabledText:
    case SH_DitherDisabledText:
    case SH_ScrollBar_Transient: return 0;
    default: return QProxyStyle::styleHint(hint, option, widget, returnData);
    }
}

} // namespace lockscope::widgets
