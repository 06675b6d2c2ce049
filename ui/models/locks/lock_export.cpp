#include "ui/models/locks/lock_export.h"

#include "core/kernel/report/lock_json.h"
#include "ui/models/locks/lock_table_model.h"

#include <functional>

namespace lockscope::models {

namespace {

using Write =
    std::function<void(const inspect::LockRecord& lock, const LockTableModel::Place& place)>;

/// Calls `write` with each lock that has a row and where it is; a holder has a row of
/// its own and is no lock.
void forEachShown(const LockTableModel& locks, const Write& write)
{
    for (int row = 0; row < locks.rowCount(); ++row) {
        const QModelIndex index = locks.index(row, LockTableModel::KeyColumn);
        if (index.data(LockTableModel::HolderIndexRole).toInt() < 0) {
            const inspect::LockPtr lock = locks.lockAt(index);
            write(*lock, locks.placeOf(lock->id));
        }
    }
}

} // namespace

std::string shownLocksAsCsv(const LockTableModel& locks)
{
    std::string text = report::csvHeader() + "\r\n";
    forEachShown(locks, [&](const inspect::LockRecord& lock, const LockTableModel::Place& place) {
        text += report::csvLine(lock, place.server, place.database, locks.now()) + "\r\n";
    });
    return text;
}

std::string shownLocksAsJson(const LockTableModel& locks)
{
    std::string text;
    forEachShown(locks, [&](const inspect::LockRecord& lock, const LockTableModel::Place& place) {
        text += (text.empty() ? "[\n" : ",\n")
                + report::lockJson(lock, place.server, place.database, locks.now()).dump();
    });
    return text.empty() ? "[]\n" : text + "\n]\n";
}

} // namespace lockscope::models
