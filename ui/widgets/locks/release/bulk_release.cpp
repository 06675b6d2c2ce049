#include "ui/widgets/locks/release/bulk_release.h"

#include "core/kernel/report/wording.h"
#include "ui/models/formatting.h"
#include "ui/widgets/locks/release/plan_checks.h"

#include <algorithm>

namespace lockscope::widgets {

using State = BulkItem::State;
using inspect::HoldChange;
using inspect::ReleaseAction;

BulkRelease::BulkRelease(service::ReleaseDesk& desk, ReleaseAction action, QObject* parent)
    : QObject(parent),
      m_desk(desk),
      m_action(action)
{
    connect(&m_desk, &service::ReleaseDesk::inspected, this, &BulkRelease::takeDetails);
    connect(&m_desk, &service::ReleaseDesk::executed, this, &BulkRelease::takeReport);
}

void BulkRelease::read(const std::vector<inspect::LockPtr>& locks)
{
    for (const inspect::LockPtr& lock : locks) {
        m_items.emplace_back().watched = lock;
    }
    readNext();
}

std::size_t BulkRelease::includedCount() const
{
    return static_cast<std::size_t>(std::ranges::count_if(m_items, [](const BulkItem& item) {
        return item.state == State::Ready && item.isIncluded;
    }));
}

void BulkRelease::readNext()
{
    if (!isReading()) {
        Q_EMIT readAll();
        return;
    }
    BulkItem& item = m_items[m_reading];
    item.request = m_desk.inspectToRelease(item.watched->id);
}

void BulkRelease::takeDetails(quint64 request, const operations::LockDetails& details)
{
    if (m_stage != Stage::Planning || !isReading() || m_items[m_reading].request != request) {
        return;
    }
    const std::size_t at = m_reading++;
    BulkItem& item = m_items[at];
    item.looked = details.lock;
    if (details.snapshots.size() == 1) {
        item.seen = details.snapshots.front();
    }
    QString obstacle = obstacleOf(item, details);
    if (obstacle.isEmpty()) {
        item.plan = withTies(m_action == ReleaseAction::CapTtl ? *details.capTtl : *details.release,
                             item.watched);
        obstacle = obstacleOf(*item.plan);
    }
    item.guard = guardOf(details);
    if (!obstacle.isEmpty()) {
        item.plan.reset();
        endGuard(item);
        set(at, State::LeftOut, obstacle);
    } else {
        const auto verdict = report::verdictOf(*item.watched, details.lock->firstSeen);
        item.isIncluded = verdict.severity > 0; // a healthy lock has to be chosen by hand
        set(at, State::Ready);
        judge(at); // it may have changed while it was read
    }
    readNext();
}

QString BulkRelease::obstacleOf(const BulkItem& item, const operations::LockDetails& details) const
{
    if (details.problem.kind != store::Problem::Kind::None) {
        return models::toQString(store::explain(details.problem));
    }
    QString obstacle = m_action == ReleaseAction::CapTtl ? capObstacle(details)
                                                         : releaseObstacle(details);
    if (!obstacle.isEmpty()) {
        return obstacle;
    }
    // The user chose a row, not whatever has its name by now.
    const inspect::LockChange since{inspect::ChangeKind::Changed, details.lock,
                                    details.lock->firstSeen};
    return inspect::holdChangeOf(*item.watched, item.watched->holders, since) == HoldChange::Same
               ? QString()
               : tr("It is not the hold that the table shows any more.");
}

QString BulkRelease::obstacleOf(const inspect::ReleasePlan& plan) const
{
    if (m_action == ReleaseAction::Release && plan.endsSeveral()) {
        return tr("It has several holders: release it alone, and choose whose hold is to end.");
    }
    return {};
}

void BulkRelease::setIncluded(std::size_t item, bool isIncluded)
{
    if (m_stage == Stage::Planning && m_items[item].state == State::Ready
        && m_items[item].isIncluded != isIncluded) {
        m_items[item].isIncluded = isIncluded;
        Q_EMIT itemChanged(item);
    }
}

bool BulkRelease::setCap(const QString& time)
{
    for (BulkItem& item : m_items) {
        if (item.state == State::Ready && item.plan) {
            const auto plan = cappedPlan(*item.plan, time);
            if (!plan) {
                return false;
            }
            item.plan = plan;
        }
    }
    return true;
}

void BulkRelease::execute(const QString& reason)
{
    if (m_stage != Stage::Planning || isReading()) {
        return;
    }
    m_stage = Stage::Executing;
    m_reason = reason;
    sendNext();
}

void BulkRelease::undo(const std::vector<inspect::ReleasePlan>& plans)
{
    if (m_stage != Stage::Over) {
        return;
    }
    m_stage = Stage::Executing;
    m_isUndo = true;
    for (std::size_t at = 0; at < m_items.size(); ++at) {
        const auto plan = std::ranges::find_if(plans, [&](const inspect::ReleasePlan& one) {
            return one.lock->id == m_items[at].watched->id;
        });
        m_items[at].isIncluded = plan != plans.end() && m_items[at].state == State::Done;
        if (m_items[at].isIncluded) {
            m_items[at].plan = *plan;
            set(at, State::Ready);
        }
    }
    sendNext();
}

void BulkRelease::sendNext()
{
    const auto next = std::ranges::find_if(m_items, [](const BulkItem& item) {
        return item.state == State::Ready && item.isIncluded;
    });
    if (next == m_items.end()) {
        m_stage = Stage::Over;
        endGuards();
        Q_EMIT over();
        return;
    }
    m_sent = static_cast<std::size_t>(next - m_items.begin());
    next->request = m_desk.execute(*next->plan, m_reason);
    next->guard.reset();
    set(*m_sent, State::Sent);
    Q_EMIT attempted(next->request, *next->plan);
}

void BulkRelease::takeReport(quint64 request, const inspect::ReleaseReport& report)
{
    if (!m_sent || m_items[*m_sent].request != request) {
        return;
    }
    const std::size_t at = *m_sent;
    m_sent.reset();
    const bool isDone = report.result == inspect::ReleaseResult::Released;
    set(at, isDone ? State::Done : State::Surprise,
        models::toQString(report::resultSentence(report, m_items[at].plan->action)));
    if (!isDone && !m_isUndo) {
        giveUpTheRest();
    }
    sendNext();
}

void BulkRelease::stop()
{
    if (m_stage == Stage::Executing) {
        giveUpTheRest();
    }
}

void BulkRelease::giveUpTheRest()
{
    for (std::size_t at = 0; at < m_items.size(); ++at) {
        if (m_items[at].state == State::Ready && m_items[at].isIncluded) {
            set(at, State::NotTried, tr("Not tried."));
        }
    }
}

void BulkRelease::endGuards()
{
    std::ranges::for_each(m_items, [this](BulkItem& item) { endGuard(item); });
}

void BulkRelease::endGuard(BulkItem& item)
{
    if (item.guard) {
        m_desk.endGuard(*item.guard);
        item.guard.reset();
    }
}

void BulkRelease::takeChange(const inspect::LockChange& change)
{
    for (std::size_t at = 0; at < m_items.size(); ++at) {
        if (change.lock != nullptr && m_items[at].watched->id == change.lock->id) {
            m_items[at].newest = change;
            judge(at);
        }
    }
}

void BulkRelease::judge(std::size_t at)
{
    const BulkItem& item = m_items[at];
    if (item.state != State::Ready || m_isUndo) {
        return; // what is undone was changed, by us
    }
    const HoldChange became = inspect::holdChangeOf(*item.looked, item.plan->holders, item.newest);
    if (became == HoldChange::Same) {
        return;
    }
    const bool isSurprise = m_stage == Stage::Executing && item.isIncluded;
    set(at, isSurprise ? State::Surprise : State::LeftOut,
        changeSentence(became) + u' ' + tr("Nothing was sent."));
    if (isSurprise) {
        giveUpTheRest();
    }
}

void BulkRelease::set(std::size_t item, State state, const QString& text)
{
    m_items[item].state = state;
    m_items[item].text = text;
    Q_EMIT itemChanged(item);
}

} // namespace lockscope::widgets
