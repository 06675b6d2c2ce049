#pragma once

#include "ui/models/locks/color_rules.h"

#include <QColor>
#include <QPalette>

#include <array>

namespace lockscope::widgets {

/// WCAG 2 contrast, 1 to 21.
double contrastRatio(const QColor& one, const QColor& other);

/// `over` laid on `under` with an opacity of 0 to 1.
QColor mixed(const QColor& over, const QColor& under, double opacity);

/// The colours of lock states, of harms and of the user's rules, and of nothing else, fitted to a
/// palette: readable as
/// text (contrast of at least 4.5) on the base and on a selected row, light or dark. The tints are
/// backgrounds.
struct StateColors {
    QColor red;    // a person is needed
    QColor amber;  // worth a look, or others wait
    QColor green;  // held
    QColor blue;   // read by several
    QColor violet; // of harms alone, as teal
    QColor teal;
    QColor redTint;
    QColor amberTint;
    QColor greenTint;
    QColor blueTint;
    QColor violetTint;
    QColor tealTint;
    QColor quiet;     // secondary text
    QColor selection; // background of a selected row; text keeps its own colour on it
    QColor hairline;
    QColor track; // the empty part of a lease bar

    struct Mark {
        QColor color; // readable as text on `tint`, too
        QColor tint;
    };
    std::array<Mark, static_cast<std::size_t>(models::RuleColor::ColorCount)> rules;
    const Mark& ofRule(models::RuleColor color) const
    {
        return rules[static_cast<std::size_t>(color)];
    }

    /// By severity as inspect::severityOf() counts: 2 red, 1 amber, else green.
    QColor ofSeverity(int severity) const;
};

StateColors stateColorsOf(const QPalette& palette);

} // namespace lockscope::widgets
