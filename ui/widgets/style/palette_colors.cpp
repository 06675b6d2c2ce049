#include "ui/widgets/style/palette_colors.h"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

namespace lockscope::widgets {

namespace {

constexpr double kReadable = 4.5;

double linear(double channel)
{
    return channel <= 0.03928 ? channel / 12.92 : std::pow((channel + 0.055) / 1.055, 2.4);
}

double luminance(const QColor& color)
{
    return 0.2126 * linear(color.redF()) + 0.7152 * linear(color.greenF())
           + 0.0722 * linear(color.blueF());
}

/// The hue moved towards the text's end of the scale until it can be read on all backgrounds.
QColor readable(const QColor& hue, const QColor& text, std::initializer_list<QColor> backgrounds)
{
    const auto isReadable = [&](const QColor& color) {
        return std::all_of(backgrounds.begin(), backgrounds.end(), [&](const QColor& background) {
            return contrastRatio(color, background) >= kReadable;
        });
    };
    constexpr int kSteps = 20;
    QColor color = hue;
    for (int step = 1; step <= kSteps && !isReadable(color); ++step) {
        color = mixed(text, hue, static_cast<double>(step) / kSteps);
    }
    return color;
}

/// A platform's own highlight may be too strong to leave the colours on it readable; then only a
/// breath of it is used.
QColor selectionOf(const QPalette& palette)
{
    const QColor base = palette.color(QPalette::Base);
    const QColor highlight = palette.color(QPalette::Highlight);
    const bool isQuiet = contrastRatio(highlight, base) < 1.6;
    return isQuiet ? highlight : mixed(highlight, base, 0.22);
}

} // namespace

double contrastRatio(const QColor& one, const QColor& other)
{
    const auto [darker, lighter] = std::minmax({luminance(one), luminance(other)});
    return (lighter + 0.05) / (darker + 0.05);
}

QColor mixed(const QColor& over, const QColor& under, double opacity)
{
    const auto mix = [opacity](float top, float bottom) {
        return static_cast<float>(top * opacity + bottom * (1 - opacity));
    };
    return QColor::fromRgbF(mix(over.redF(), under.redF()), mix(over.greenF(), under.greenF()),
                            mix(over.blueF(), under.blueF()));
}

QColor StateColors::ofSeverity(int severity) const
{
    if (severity >= 2) {
        return red;
    }
    return severity == 1 ? amber : green;
}

namespace {

using RuleMarks = decltype(StateColors::rules);

/// A tint is so faint that what stands on it can be read, whichever colour that has.
RuleMarks rulesFittedTo(const QPalette& palette, bool isDark)
{
    struct Hue {
        QRgb light;
        QRgb dark;
    };
    constexpr std::array<Hue, std::tuple_size_v<RuleMarks>> kHues{{
        {0xff8a3fb8, 0xffc58af0}, // violet
        {0xff127a86, 0xff4fbcc9}, // teal
        {0xffb8327f, 0xfff07fb8}, // magenta
        {0xff59616d, 0xffa9b1be}, // grey
    }};
    const QColor base = palette.color(QPalette::Base);
    const QColor text = palette.color(QPalette::Text);
    RuleMarks marks;
    for (std::size_t i = 0; i < marks.size(); ++i) {
        const QColor hue(isDark ? kHues[i].dark : kHues[i].light);
        marks[i].tint = mixed(hue, base, isDark ? 0.16 : 0.10);
        marks[i].color = readable(hue, text, {base, marks[i].tint, selectionOf(palette)});
    }
    return marks;
}

StateColors fittedTo(const QPalette& palette)
{
    const QColor base = palette.color(QPalette::Base);
    const QColor text = palette.color(QPalette::Text);
    const bool isDark = luminance(base) < luminance(text);
    StateColors colors;
    colors.selection = selectionOf(palette);
    const auto fitted = [&](QRgb light, QRgb dark) {
        return readable(QColor(isDark ? dark : light), text, {base, colors.selection});
    };
    colors.red = fitted(0xffc93a3a, 0xfff2716f);
    colors.amber = fitted(0xff9a6500, 0xffe2ad3c);
    colors.green = fitted(0xff1f8158, 0xff4fc08d);
    colors.blue = fitted(0xff2f68d0, 0xff7fa5f8);
    colors.violet = fitted(0xff8a3fb8, 0xffc58af0);
    colors.teal = fitted(0xff127a86, 0xff4fbcc9);
    const double tint = isDark ? 0.30 : 0.20;
    colors.redTint = mixed(colors.red, base, tint);
    colors.amberTint = mixed(colors.amber, base, tint);
    colors.greenTint = mixed(colors.green, base, tint);
    colors.blueTint = mixed(colors.blue, base, tint);
    colors.violetTint = mixed(colors.violet, base, tint);
    colors.tealTint = mixed(colors.teal, base, tint);
    colors.quiet = readable(mixed(text, base, 0.6), text, {base, colors.selection});
    colors.rules = rulesFittedTo(palette, isDark);
    colors.hairline = mixed(text, base, 0.11);
    colors.track = mixed(text, base, 0.07);
    return colors;
}

} // namespace

/// Fitting takes longer than painting a row, and all callers ask for the same palette. The group
/// that is current decides which of its colours count, and is not in its key.
StateColors stateColorsOf(const QPalette& palette)
{
    using Key = std::pair<qint64, QPalette::ColorGroup>;
    struct Fitted {
        Key key{-1, QPalette::Active};
        StateColors colors;
    };
    thread_local Fitted latest;
    const Key key(palette.cacheKey(), palette.currentColorGroup());
    if (std::exchange(latest.key, key) != key) {
        latest.colors = fittedTo(palette);
    }
    return latest.colors;
}

} // namespace lockscope::widgets
