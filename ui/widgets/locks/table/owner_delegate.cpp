#include "ui/widgets/locks/table/owner_delegate.h"

#include "ui/models/formatting.h"
#include "ui/models/locks/lock_table_model.h"

#include <QPainter>

#include <algorithm>

namespace lockscope::widgets {

using models::LockTableModel;

namespace {

/// Whether the text of the row is a token rather than words about it.
bool showsToken(const inspect::LockRecord& record, int holder)
{
    return holder < 0 ? models::isOwnerKnown(record)
                      : !record.holders[static_cast<std::size_t>(holder)].owner.empty();
}

} // namespace

void OwnerDelegate::paintContents(const Cell& cell) const
{
    const auto record = cell.index.data(LockTableModel::RecordRole).value<inspect::LockPtr>();
    const int holder = cell.index.data(LockTableModel::HolderIndexRole).toInt();
    const QString text = cell.index.data().toString();
    if (record == nullptr || !showsToken(*record, holder)) {
        drawText(cell, cell.contents, text, cell.option.font, cell.colors.quiet, Qt::AlignLeft,
                 Qt::ElideRight);
        return;
    }
    const QString client = cell.index.data(LockTableModel::SecondaryTextRole).toString();
    const QFont& font = monospaced(cell.option.font);
    if (client.isEmpty()) {
        drawText(cell, cell.contents, text, font, cell.textColor(), Qt::AlignLeft, Qt::ElideMiddle);
        return;
    }
    // The client is what a person recognises: it keeps its room, and the token gives way.
    const QFontMetrics metrics(font);
    const int gap = metrics.averageCharWidth();
    const int clientWidth = cell.option.fontMetrics.horizontalAdvance(client) + 2; // rounding
    const int tokenAtLeast = std::min(metrics.horizontalAdvance(text),
                                      7 * metrics.averageCharWidth());
    const int tokenRoom = std::max(cell.contents.width() - gap - clientWidth, tokenAtLeast);
    const QString token = metrics.elidedText(text, Qt::ElideMiddle, tokenRoom);
    drawText(cell, cell.contents, token, font, cell.textColor(), Qt::AlignLeft, Qt::ElideRight);
    QRect rest = cell.contents;
    rest.setLeft(rest.left() + metrics.horizontalAdvance(token) + gap);
    drawText(cell, rest, client, cell.option.font, cell.colors.quiet, Qt::AlignLeft,
             Qt::ElideRight);
}

} // namespace lockscope::widgets
