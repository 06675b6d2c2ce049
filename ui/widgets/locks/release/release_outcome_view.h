#pragma once

#include "core/kernel/inspect/observation.h"
#include "core/service/release_desk.h"
#include "ui/widgets/locks/lock_facts.h"

#include <QWidget>

#include <optional>

class QGridLayout;
class QLabel;

namespace lockscope::widgets {

class UndoOffer;

/// How bad it is that an attempt ended so, as of a flag.
int severityOf(inspect::ReleaseResult result);

/// Carries a plan out and shows what became of it: the outcome in a sentence, the old and the new
/// hold side by side when it changed hands, who came next, and the
/// way back.
class ReleaseOutcomeView : public QWidget {
    Q_OBJECT
public:
    ReleaseOutcomeView(service::ReleaseDesk& desk, std::function<FactContext()> context,
                       QWidget* parent = nullptr);

    /// Sends the plan. Once per view. `seen`: what is known of the lock before that, with which a
    /// release can be undone from here; without it, it cannot.
    void execute(const inspect::ReleasePlan& plan, const QString& reason,
                 std::optional<inspect::LockSnapshot> seen = std::nullopt);

    QString outcomeText() const;
    QString nextHoldText() const;

Q_SIGNALS:
    /// A plan was sent: that of execute(), or its undoing.
    void attempted(quint64 request, const lockscope::inspect::ReleasePlan& plan);
    void outcomeKnown(lockscope::inspect::ReleaseResult result);

private:
    void send(const inspect::ReleasePlan& plan);
    void showReport(quint64 request, const inspect::ReleaseReport& report);
    void showNextHold(quint64 request, const inspect::NextHold& nextHold);
    void showComparison(const inspect::LockRecord& then, const inspect::LockRecord& now);
    void showServers(const inspect::ReleaseReport& report);
    void addCell(int row, int column, const Fact& fact);
    void setTone(QLabel& label, int severity);

    service::ReleaseDesk& m_desk;
    std::function<FactContext()> m_context;
    inspect::ReleasePlan m_plan;
    QString m_reason;
    std::optional<inspect::LockSnapshot> m_seen;
    quint64 m_request = 0;
    QLabel* m_outcome = nullptr;
    QLabel* m_nextHold = nullptr;
    QWidget* m_comparison = nullptr;
    QGridLayout* m_grid = nullptr;
    UndoOffer* m_undo = nullptr;
};

} // namespace lockscope::widgets
