#pragma once

#include "core/kernel/inspect/decoder.h"
#include "core/kernel/inspect/lock_record.h"

#include <QString>

namespace lockscope::models {

/// What a cell of the lock table is about: a lock, or one of its holders, at a moment.
struct LockCell {
    const inspect::LockRecord& record;
    int holder = -1; // index into the holders; -1: the lock itself
    Instant now{};
    QString gone; // "released" or "expired" when the lock is no more
    QString server;
    QString unknownServers = {}; // of a Redlock row: those whose state is unknown
    inspect::Recognisers recognisers = inspect::builtinDecoders(); // for the titles of formats
};

// `column` is a report::LockColumn.

QString cellText(const LockCell& cell, int column);
/// What stands beside the text, more quietly: the client beside the token, the further reasons
/// beside the first.
QString cellSecondaryText(const LockCell& cell, int column);
/// What a screen reader says: in the first column the whole row.
QString cellAccessibleText(const LockCell& cell, int column);
QString cellToolTip(const LockCell& cell, int column);

/// The cells of a lock, one bit for each column, that say something else than before.
std::uint32_t changedCells(const inspect::LockRecord& before, const inspect::LockRecord& after);

/// The whole row as one sentence, for those who listen to it.
QString rowAsSentence(const LockCell& cell);

} // namespace lockscope::models
