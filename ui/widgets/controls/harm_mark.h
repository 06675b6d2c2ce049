#pragma once

#include "core/kernel/search/harm.h"
#include "ui/widgets/style/palette_colors.h"

#include <QRectF>

class QPainter;

// How harms look, wherever they are shown.
namespace lockscope::widgets {

/// The colour of a harm's mark and word.
QColor colorOfHarm(search::Harm harm, const StateColors& colors);

/// What lies behind the mark and its word: filled where the protocol promises otherwise, a frame
/// where it does not.
void paintHarmGround(QPainter& painter, const QRectF& rect, search::Harm harm, bool isPromised,
                     const StateColors& colors);

/// The mark of a harm: a shape of its own for each, so that colours need not be told apart. Two
/// rings: two holders; padlock: stuck; cross: somebody else's lock; hash: wrong count; hourglass:
/// waits without end.
void paintHarmMark(QPainter& painter, const QRectF& rect, search::Harm harm, const QColor& color);

/// Both: a mark on its ground, in a square.
void paintHarmBadge(QPainter& painter, const QRectF& square, search::Harm harm, bool isPromised,
                    const StateColors& colors);

} // namespace lockscope::widgets
