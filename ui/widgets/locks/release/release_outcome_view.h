#pragma once

#include "core/service/release_desk.h"
#include "ui/widgets/locks/lock_facts.h"

#include <QWidget>

class QGridLayout;
class QLabel;

namespace lockscope::widgets {

/// Carries a plan out and shows what became of it: the outcome in a sentence, the old and the new
/// hold side by side when it changed hands, and who came next.
class ReleaseOutcomeView : public QWidget {
    Q_OBJECT
public:
    ReleaseOutcomeView(service::ReleaseDesk& desk, std::function<FactContext()> context,
                       QWidget* parent = nullptr);

    /// Sends the plan. Once per view.
    quint64 execute(const inspect::ReleasePlan& plan, const QString& reason);

    QString outcomeText() const;
    QString nextHoldText() const;

Q_SIGNALS:
    void outcomeKnown(lockscope::inspect::ReleaseResult result);

private:
    void showReport(quint64 request, const inspect::ReleaseReport& report);
    void showNextHold(quint64 request, const inspect::NextHold& nextHold);
    void showComparison(const inspect::LockRecord& then, const inspect::LockRecord& now);
    void showServers(const inspect::ReleaseReport& report);
    void addCell(int row, int column, const Fact& fact);
    void setTone(QLabel& label, int severity);

    service::ReleaseDesk& m_desk;
    std::function<FactContext()> m_context;
    inspect::ReleasePlan m_plan;
    quint64 m_request = 0;
    QLabel* m_outcome = nullptr;
    QLabel* m_nextHold = nullptr;
    QWidget* m_comparison = nullptr;
    QGridLayout* m_grid = nullptr;
};

} // namespace lockscope::widgets
