#include "ui/widgets/style/tones.h"

#include "ui/widgets/style/palette_colors.h"

namespace lockscope::widgets {

QColor colorOf(LinkTone tone, const QPalette& palette)
{
    const StateColors colors = stateColorsOf(palette);
    switch (tone) {
    case LinkTone::Good: return colors.green;
    case LinkTone::Warning: return colors.amber;
    case LinkTone::Bad: return colors.red;
    case LinkTone::Quiet: break;
    }
    return colors.quiet;
}

QColor colorOf(inspect::LockState state, const QPalette& palette)
{
    using inspect::LockState;
    const StateColors colors = stateColorsOf(palette);
    switch (state) {
    case LockState::Suspicious: return colors.red;
    case LockState::Contended: return colors.amber;
    case LockState::ReadShared: return colors.blue;
    case LockState::Held: return colors.green;
    default: return colors.quiet;
    }
}

QColor severityColor(int severity, const QPalette& palette)
{
    return stateColorsOf(palette).ofSeverity(severity);
}

QColor tintOf(const QColor& color, const QColor& surface)
{
    return mixed(color, surface, 0.08);
}

QColor environmentColor(const QString& environment)
{
    const QString word = environment.trimmed().toLower();
    if (word == u"production" || word == u"prod" || word == u"live") {
        return QColor(0xc2, 0x51, 0x3f);
    }
    return {};
}

} // namespace lockscope::widgets
