#include "ui/widgets/acquire/hand_locks.h"

#include "ui/models/formatting.h"
#include "ui/models/locks/held_locks.h"
#include "ui/widgets/acquire/acquire_dialog.h"
#include "ui/widgets/controls/prompter.h"

#include <QAction>

#include <algorithm>
#include <utility>

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

/// The locks as a list to read before deciding about them.
QString listOf(const std::vector<KeptLock>& locks)
{
    constexpr std::size_t kNamed = 8;
    QStringList lines;
    for (std::size_t i = 0; i < std::min(locks.size(), kNamed); ++i) {
        lines += u"· "_s + models::bytesText(locks[i].key, 80);
    }
    if (locks.size() > kNamed) {
        lines += HandLocks::tr("and %1 more").arg(locks.size() - kNamed);
    }
    return lines.join(u'\n');
}

} // namespace

HandLockJournal::HandLockJournal(service::LockKeeper& keeper,
                                 std::function<models::ActivityModel&()> shown,
                                 std::function<WallTime()> wallNow, QObject* parent)
    : QObject(parent),
      m_keeper(keeper),
      m_shown(std::move(shown)),
      m_wallNow(std::move(wallNow))
{
    connect(&keeper, &service::LockKeeper::changed, this, &HandLockJournal::note);
}

void HandLockJournal::note(const KeptLock& lock)
{
    const auto [known, isFirst] = m_known.try_emplace(lock.id, Known{lock.state, &m_shown()});
    const bool isNew = isFirst || known->second.state != lock.state;
    known->second.state = lock.state;
    const QPointer<models::ActivityModel> log = known->second.log;
    if (lock.isOver()) {
        m_known.erase(known);
    }
    if (!isNew || !isNews(lock.state) || !log) {
        return; // a renewal, for example
    }
    models::ActivityEntry entry;
    entry.at = m_wallNow();
    entry.kind = models::ActivityKind::OurLock;
    entry.place = models::bytesText(lock.key);
    entry.text = textOf(lock);
    log->append(std::move(entry));
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

HandLocks::HandLocks(Parts parts, QWidget* window)
    : QObject(window),
      m_parts(parts),
      m_window(window)
{
    connect(&parts.acquire, &QAction::triggered, this, &HandLocks::openDialog);
    connect(&parts.keeper, &service::LockKeeper::changed, this, &HandLocks::takeChange);
    connect(&parts.keeper, &service::LockKeeper::allReleased, this, [this] {
        if (const auto quit = std::exchange(m_quit, {})) {
            m_isLeaving = true;
            quit();
        }
    });
    setServers({});
}

void HandLocks::setServers(const std::vector<store::Endpoint>& servers)
{
    m_servers.clear();
    std::copy_if(servers.begin(), servers.end(), std::back_inserter(m_servers),
                 [](const store::Endpoint& server) { return !server.isReadOnly; });
    m_parts.acquire.setEnabled(!m_servers.empty());
    m_parts.acquire.setToolTip(!m_servers.empty() ? tr("Acquire a lock manually and keep it")
                               : servers.empty()
                                   ? tr("Not connected to a server")
                                   : tr("The connection is read-only: locks cannot be acquired"));
}

void HandLocks::openDialog()
{
    auto* dialog = new AcquireDialog({m_parts.keeper, m_parts.prompter, m_parts.protocols,
                                      m_servers},
                                     m_window);
    dialog->open();
}

void HandLocks::takeChange(const KeptLock& lock)
{
    if (lock.state == KeptLock::State::Lost) {
        Q_EMIT noticed(tr("The manually acquired lock %1 is lost. %2")
                           .arg(models::bytesText(lock.key, 80),
                                lock.loss ? models::lossSentence(*lock.loss) : QString()));
    }
}

bool HandLocks::mayQuit(std::function<void()> quit)
{
    const std::vector<KeptLock> held = m_parts.keeper.held();
    if (m_isLeaving || held.empty()) {
        return true;
    }
    Question question;
    question.title = tr("Quit");
    question.text = held.size() == 1 ? tr("You hold a lock.")
                                     : tr("You hold %1 locks.").arg(held.size());
    question.detail = listOf(held) + u"\n\n"_s
                      + tr("If you keep them, they expire with their leases. Locks without expiry "
                           "stay until they are removed.");
    question.acceptLabel = tr("Release all and quit");
    question.otherLabel = tr("Keep them and quit");
    question.declineLabel = tr("Cancel");
    m_parts.prompter.ask(m_window, question, [this, quit = std::move(quit)](Answer answer) {
        if (answer == Answer::Other) {
            m_isLeaving = true;
            quit();
        } else if (answer == Answer::Accepted) {
            releaseAll(quit);
        }
    });
    return false;
}

bool HandLocks::mayQuitUnasked(std::function<void()> quit)
{
    if (m_isLeaving || m_parts.keeper.held().empty()) {
        return true;
    }
    releaseAll(std::move(quit));
    return false;
}

void HandLocks::releaseAll(std::function<void()> quit)
{
    m_quit = std::move(quit);
    Q_EMIT noticed(tr("Releasing your locks before quitting…"));
    m_parts.keeper.releaseAll();
}

} // namespace lockscope::widgets
