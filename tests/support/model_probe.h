#pragma once

#include "core/kernel/inspect/lock_record.h"

#include <QString>
#include <QStringList>

#include <memory>
#include <string>

class QAbstractItemModel;

// What the tests of the models share: locks in one line, and models as text.
namespace lockscope::test {

/// A lock that is put together call by call: `MadeLock("order:1").owner("a").waiters(3).ptr()`.
class MadeLock {
public:
    explicit MadeLock(const std::string& key);

    MadeLock& on(std::uint16_t server);
    MadeLock& format(std::string_view format);
    MadeLock& owner(const std::string& token);
    MadeLock& readers(int count);
    MadeLock& waiters(int count);
    MadeLock& flag(inspect::Flag flag);
    MadeLock& confidence(inspect::Confidence confidence); // high if nothing is said
    MadeLock& firstSeen(Instant instant);
    MadeLock& takenWhileWatching();
    MadeLock& expires(Instant instant);
    MadeLock& lease(Duration lease);
    MadeLock& renewals(std::uint32_t count);
    MadeLock& unconfirmed();

    inspect::LockPtr ptr() const { return makeShared<inspect::LockRecord>(m_record); }
    const inspect::LockRecord& record() const { return m_record; }

private:
    inspect::LockRecord m_record;
};

inspect::LockDelta deltaOf(inspect::ChangeKind kind, std::initializer_list<inspect::LockPtr> locks,
                           Instant at = {});

/// The seed of a random test: LOCKSCOPE_SEED from the environment, otherwise `usual`. It is
/// printed, so that a failure can be repeated.
std::uint64_t announcedSeed(std::uint64_t usual);

/// The texts of a column, from the first row to the last.
QStringList columnTexts(const QAbstractItemModel& model, int column = 0);

} // namespace lockscope::test
