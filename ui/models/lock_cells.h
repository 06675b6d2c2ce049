#pragma once

#include "inspect/lock_record.h"

#include <QString>
#include <QVariant>

namespace lockscope::models {

/// What a cell of the lock table is about: a lock, or one of its holders, at a moment.
struct LockCell {
    const inspect::LockRecord& record;
    int holder = -1; // index into the holders; -1: the lock itself
    Instant now{};
    QString gone; // "released" or "expired" when the lock is no more
    QString server;
};

// `column` is a LockTableModel::Column.

QString cellText(const LockCell& cell, int column);
/// What stands beside the text, more quietly: the client beside the token, the further reasons
/// beside the first.
QString cellSecondaryText(const LockCell& cell, int column);
QString cellToolTip(const LockCell& cell, int column);
QVariant cellSortValue(const LockCell& cell, int column);

/// The whole row as one sentence, for those who listen to it.
QString rowAsSentence(const LockCell& cell);

} // namespace lockscope::models
