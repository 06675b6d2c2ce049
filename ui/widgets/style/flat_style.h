#pragma once

#include <QProxyStyle>

class QPainter;
class QStyleOptionSlider;

namespace lockscope::widgets {

/// How loudly a button speaks. One primary at most per window; danger where it takes something
/// from another client.
enum class Emphasis { Normal, Primary, Danger };

void setEmphasis(QWidget* widget, Emphasis emphasis);

/// Fusion with the frames taken away: hairlines, rounded fields and buttons, slim scroll bars, no
/// gradients. All colours come from the palette (see theme.h for what the roles mean here). Labels
/// and tooltips are plain text, whatever it looks like.
class FlatStyle : public QProxyStyle {
    Q_OBJECT
public:
    FlatStyle();

    using QProxyStyle::polish;
    void polish(QWidget* widget) override;
    void drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                       const QWidget* widget) const override;
    void drawControl(ControlElement element, const QStyleOption* option, QPainter* painter,
                     const QWidget* widget) const override;
    void drawComplexControl(ComplexControl control, const QStyleOptionComplex* option,
                            QPainter* painter, const QWidget* widget) const override;
    QSize sizeFromContents(ContentsType type, const QStyleOption* option, const QSize& size,
                           const QWidget* widget) const override;
    QRect subControlRect(ComplexControl control, const QStyleOptionComplex* option,
                         SubControl subControl, const QWidget* widget) const override;
    QRect subElementRect(SubElement element, const QStyleOption* option,
                         const QWidget* widget) const override;
    QIcon standardIcon(StandardPixmap standardIcon, const QStyleOption* option,
                       const QWidget* widget) const override;
    int pixelMetric(PixelMetric metric, const QStyleOption* option,
                    const QWidget* widget) const override;
    int styleHint(StyleHint hint, const QStyleOption* option, const QWidget* widget,
                  QStyleHintReturn* returnData) const override;
};

} // namespace lockscope::widgets
