#include "ui/models/locks/lock_cells.h"

#include "core/kernel/base/kernel_text.h"
#include "core/kernel/report/lock_fields.h"
#include "core/kernel/report/wording.h"
#include "ui/models/formatting.h"
#include "ui/models/locks/lock_table_model.h"
#include "ui/models/ui_text.h"

#include <QStringList>

namespace lockscope::models {

namespace {

using namespace Qt::StringLiterals;
using Columns = LockTableModel;

QString holderCellText(const LockCell& cell, int column)
{
    const inspect::Holder& holder = cell.record.holders[static_cast<std::size_t>(cell.holder)];
    switch (column) {
    case Columns::KeyColumn: return holderTitle(cell.record, cell.holder);
    case Columns::ModeColumn: return toQString(report::modeText(holder.mode));
    case Columns::OwnerColumn: return ownerText(holder);
    case Columns::HoldsColumn: return countText(holder.holds);
    case Columns::ExpiresColumn:
        return cell.gone.isEmpty() ? expiresText(endOf(cell.record, cell.holder), cell.now)
                                   : cell.gone;
    default: return {};
    }
}

/// Three dots, so that a glance along the column suffices, and the word.
QString confidenceText(inspect::Confidence confidence)
{
    constexpr qsizetype kDots = 3;
    const qsizetype filled = static_cast<qsizetype>(confidence) + 1;
    return QString(filled, u'●') + QString(kDots - filled, u'○') + u' '
           + toQString(report::confidenceText(confidence));
}

QString lockCellText(const LockCell& cell, int column)
{
    const inspect::LockRecord& record = cell.record;
    switch (column) {
    case Columns::KeyColumn: return bytesText(record.id.name);
    case Columns::FormatColumn: return formatText(record, cell.recognisers);
    case Columns::ConfidenceColumn: return confidenceText(record.confidence);
    case Columns::ModeColumn: return modeText(record);
    case Columns::OwnerColumn: return ownerText(record);
    case Columns::HoldsColumn: return holdsText(record);
    case Columns::ExpiresColumn:
        return cell.gone.isEmpty() ? expiresText(record.expiresAt, cell.now) : cell.gone;
    case Columns::HeldColumn: return heldText(record, cell.now);
    case Columns::RenewalsColumn:
        return record.renewals == 0 ? QStringLiteral("–") : countText(record.renewals);
    case Columns::WaitersColumn: return waitersText(record);
    case Columns::ServerColumn:
        return record.quorum().total == 0 ? cell.server : quorumText(record.quorum());
    case Columns::WhyColumn: return firstReasonText(record.flags);
    default: {
        const auto& field = report::lockField(static_cast<report::LockColumn>(column));
        return toQString(field.text({record, cell.server.toStdString(), 0, cell.now}));
    }
    }
}

QString confidenceToolTip(const inspect::LockRecord& record)
{
    QStringList lines{UiText::tr("%1 confidence, because")
                          .arg(toQString(report::confidenceText(record.confidence)))};
    for (std::size_t i = 0; i < record.evidence().count(); ++i) {
        lines.append(u"• "_s + toQString(KernelText::lookUp(record.evidence().at(i))));
    }
    return lines.size() > 1 ? lines.join(u'\n') : QString();
}

QString waitersToolTip(const inspect::LockRecord& record)
{
    if (record.waitersAtMost()) {
        return UiText::tr("At most: so many clients of this server are blocked on lists, and Redis "
                          "does not tell on which");
    }
    return record.waiters
               ? QString()
               : UiText::tr("Unknown: clients of this format poll, or wait on other servers");
}

QString serverToolTip(const LockCell& cell)
{
    return cell.unknownServers.isEmpty()
               ? cell.server
               : cell.server + UiText::tr("\nUnknown on: ") + cell.unknownServers;
}

} // namespace

QString cellText(const LockCell& cell, int column)
{
    return cell.holder < 0 ? lockCellText(cell, column) : holderCellText(cell, column);
}

QString cellSecondaryText(const LockCell& cell, int column)
{
    if (column == Columns::OwnerColumn) {
        return cell.holder < 0
                   ? clientText(cell.record)
                   : clientText(cell.record.holders[static_cast<std::size_t>(cell.holder)]);
    }
    if (column != Columns::WhyColumn || cell.holder >= 0) {
        return {};
    }
    QString others = otherReasonsText(cell.record.flags);
    if (cell.record.isConfirmed) {
        return others;
    }
    return others.isEmpty() ? UiText::tr("not confirmed") : others + UiText::tr(" · not confirmed");
}

QString cellAccessibleText(const LockCell& cell, int column)
{
    if (column == Columns::KeyColumn) {
        return rowAsSentence(cell);
    }
    return column == Columns::ConfidenceColumn && cell.holder < 0
               ? toQString(report::confidenceText(cell.record.confidence))
               : cellText(cell, column);
}

QString cellToolTip(const LockCell& cell, int column)
{
    switch (column) {
    case Columns::KeyColumn: return keyToolTip(cell.record, cell.recognisers);
    case Columns::ConfidenceColumn: return confidenceToolTip(cell.record);
    case Columns::OwnerColumn: return ownerToolTip(cell.record, cell.holder);
    case Columns::ExpiresColumn: return expiresToolTip(cell.record, cell.holder, cell.now);
    case Columns::HeldColumn:
        return cell.record.isTakenWhileWatching
                   ? QString()
                   : UiText::tr("At least this long: the lock was already held when first seen");
    case Columns::WaitersColumn: return waitersToolTip(cell.record);
    case Columns::ServerColumn: return serverToolTip(cell);
    case Columns::WhyColumn: return whyToolTip(cell.record, cell.now);
    default: return {};
    }
}

std::uint32_t changedCells(const inspect::LockRecord& before, const inspect::LockRecord& after)
{
    std::uint32_t cells = 0;
    for (const report::LockField& field : report::lockFields()) {
        if (field.column.isNews != nullptr && field.column.isNews(before, after)) {
            cells |= 1U << static_cast<unsigned>(field.column.column);
        }
    }
    return cells;
}

QString rowAsSentence(const LockCell& cell)
{
    QStringList parts{cellText(cell, Columns::KeyColumn)};
    const auto add = [&parts](const QString& part) {
        if (!part.isEmpty()) {
            parts.append(part);
        }
    };
    if (cell.holder < 0) {
        add(cell.gone.isEmpty() ? toQString(report::stateText(inspect::stateOf(cell.record)))
                                : cell.gone);
        add(cellText(cell, Columns::WhyColumn));
    }
    add(UiText::tr("owner ") + cellText(cell, Columns::OwnerColumn));
    if (cell.gone.isEmpty()) {
        add(UiText::tr("expires: ") + cellText(cell, Columns::ExpiresColumn));
    }
    return listed(parts);
}

} // namespace lockscope::models
