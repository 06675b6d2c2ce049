#include "ui/widgets/acquire/hand_lock_journal.h"

#include "ui/models/formatting.h"
#include "ui/models/locks/kept_lock_text.h"

namespace lockscope::widgets {

using namespace Qt::StringLiterals;
using service::KeptLock;

namespace {

/// The way to a state is no news, only the state. An order to take a lock waits for a moment,
/// whether or not another client holds the lock.
bool isNews(KeptLock::State state)
{
    using State = KeptLock::State;
    return state != State::Connecting && state != State::Waiting && state != State::Releasing;
}

} // namespace

HandLockJournal::HandLockJournal(service::LockKeeper& keeper, models::ActivityModel& activity,
                                 std::function<WallTime()> wallNow, QObject* parent)
    : QObject(parent),
      m_keeper(keeper),
      m_activity(activity),
      m_wallNow(std::move(wallNow))
{
    connect(&keeper, &service::LockKeeper::changed, this, &HandLockJournal::note);
}

void HandLockJournal::note(const KeptLock& lock)
{
    const auto known = m_states.find(lock.id);
    const bool isNew = known == m_states.end() || known->second != lock.state;
    if (lock.isOver()) {
        m_states.erase(lock.id);
    } else {
        m_states[lock.id] = lock.state;
    }
    if (!isNew || !isNews(lock.state)) {
        return; // a renewal, for example
    }
    models::ActivityEntry entry;
    entry.at = m_wallNow();
    entry.kind = models::ActivityKind::OurLock;
    entry.place = models::bytesText(lock.key);
    entry.text = textOf(lock);
    m_activity.append(std::move(entry));
}

QString HandLockJournal::textOf(const KeptLock& lock) const
{
    const models::KeptLockText text = models::textOf(lock, m_keeper.now());
    if (lock.state == KeptLock::State::Held) {
        return tr("held with %1 on %2, token %3")
            .arg(models::toQString(lock.protocolId), models::toQString(lock.server),
                 models::bytesText(lock.token));
    }
    return text.detail.isEmpty() ? text.state : text.state + u": "_s + text.detail;
}

} // namespace lockscope::widgets
