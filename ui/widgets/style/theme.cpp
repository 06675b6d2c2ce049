#include "ui/widgets/style/theme.h"

#include "ui/widgets/style/flat_style.h"

#include <QApplication>
#include <QColor>
#include <QFontDatabase>
#include <QFontInfo>

namespace lockscope::widgets {

using namespace Qt::StringLiterals;

namespace {

struct Shades {
    QRgb panel;
    QRgb surface;
    QRgb raised;
    QRgb hairline;
    QRgb text;
    QRgb quiet;
    QRgb disabled;
    QRgb accent;
    QRgb onAccent;
    QRgb selection;
};

constexpr Shades kLight{0xffffffff, 0xfff6f7f9, 0xffebecf0, 0xffd9dde5, 0xff1c2230,
                        0xff5f6779, 0xffa3a9b6, 0xff2f6fde, 0xffffffff, 0xffe0eafb};
constexpr Shades kDark{0xff23272f, 0xff1b1e25, 0xff292d36, 0xff3b414d, 0xffe6e9ef,
                       0xff9ea7b9, 0xff5d6474, 0xff6ea0ff, 0xff10182a, 0xff2c3a55};

QPalette paletteOf(const Shades& shades)
{
    QPalette palette{QColor(shades.panel)};
    palette.setColor(QPalette::Window, QColor(shades.panel));
    palette.setColor(QPalette::WindowText, QColor(shades.text));
    palette.setColor(QPalette::Base, QColor(shades.surface));
    palette.setColor(QPalette::AlternateBase, QColor(shades.raised));
    palette.setColor(QPalette::Text, QColor(shades.text));
    palette.setColor(QPalette::BrightText, QColor(shades.onAccent));
    palette.setColor(QPalette::Button, QColor(shades.surface));
    palette.setColor(QPalette::ButtonText, QColor(shades.text));
    palette.setColor(QPalette::ToolTipBase, QColor(shades.raised));
    palette.setColor(QPalette::ToolTipText, QColor(shades.text));
    palette.setColor(QPalette::PlaceholderText, QColor(shades.quiet));
    palette.setColor(QPalette::Mid, QColor(shades.hairline));
    palette.setColor(QPalette::Midlight, QColor(shades.hairline));
    palette.setColor(QPalette::Dark, QColor(shades.hairline));
    palette.setColor(QPalette::Shadow, QColor(shades.hairline));
    palette.setColor(QPalette::Light, QColor(shades.raised));
    palette.setColor(QPalette::Link, QColor(shades.accent));
    palette.setColor(QPalette::LinkVisited, QColor(shades.accent));
    palette.setColor(QPalette::Highlight, QColor(shades.selection));
    palette.setColor(QPalette::HighlightedText, QColor(shades.text));
    for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText}) {
        palette.setColor(QPalette::Disabled, role, QColor(shades.disabled));
    }
    palette.setColor(QPalette::Disabled, QPalette::HighlightedText, QColor(shades.disabled));
    return palette;
}

/// The desktop's font; where there is no desktop to choose one, the one the program was drawn with,
/// if it is there.
QFont uiFont()
{
    QFont font = QFontDatabase::systemFont(QFontDatabase::GeneralFont);
    const bool isFallback = QFontInfo(font).family().startsWith(u"DejaVu Sans");
    if (isFallback && QFontDatabase::hasFamily(u"Inter"_s)) {
        font.setFamily(u"Inter"_s);
    }
    return font;
}

} // namespace

QPalette lightPalette()
{
    return paletteOf(kLight);
}

QPalette darkPalette()
{
    return paletteOf(kDark);
}

bool isDark(const QPalette& palette)
{
    return palette.color(QPalette::Window).lightness()
           < palette.color(QPalette::WindowText).lightness();
}

QFont monospacedFont()
{
    QFont font = QFontDatabase::systemFont(QFontDatabase::FixedFont);
    for (const QString& family :
         {u"JetBrains Mono"_s, u"DejaVu Sans Mono"_s, u"Noto Sans Mono"_s}) {
        if (QFontDatabase::hasFamily(family)) {
            font.setFamily(family);
            break;
        }
    }
    font.setStyleHint(QFont::Monospace);
    // Fixed-width faces look larger than proportional ones of the same size.
    font.setPointSizeF(QApplication::font().pointSizeF() * 0.94);
    return font;
}

void applyTheme(QApplication& application, ThemeChoice choice)
{
    application.setFont(uiFont());
    if (qobject_cast<FlatStyle*>(QApplication::style()) == nullptr) {
        QApplication::setStyle(new FlatStyle);
    }
    bool wantsDark = choice == ThemeChoice::Dark;
    if (choice == ThemeChoice::FollowSystem) {
        QApplication::setPalette(QPalette()); // back to the platform's, to look at it
        wantsDark = isDark(QApplication::palette());
    }
    application.setPalette(wantsDark ? darkPalette() : lightPalette());
}

} // namespace lockscope::widgets
