#pragma once

#include "base/time.h"
#include "locks/lock_facts.h"
#include "release_desk.h"

#include <QDialog>

#include <functional>
#include <optional>

class QLabel;
class QLineEdit;
class QPushButton;
class QStackedWidget;
class QVBoxLayout;

namespace lockscope::widgets {

class CommandBox;
class ReleaseOutcomeView;

/// Gives a lock without expiry one, if it is still the hold that was looked at. Milder than a
/// release: a holder that is alive and renews keeps its lock.
class CapTtlDialog : public QDialog {
    Q_OBJECT
public:
    CapTtlDialog(service::ReleaseDesk& desk, std::function<FactContext()> context,
                 const inspect::LockId& id, QWidget* parent = nullptr);

Q_SIGNALS:
    /// The plan was sent.
    void attempted(quint64 request, const lockscope::inspect::ReleasePlan& plan);

private:
    QWidget* createPlanPage();
    void createButtons(QVBoxLayout& layout);
    void takeDossier(quint64 request, const service::LockDossier& dossier);
    void showObstacle(const QString& text);
    void refreshPlan();
    void execute();
    void finish();

    service::ReleaseDesk& m_desk;
    std::function<FactContext()> m_context;
    quint64 m_request = 0;
    std::optional<inspect::ReleasePlan> m_offer; // as the desk made it, with some cap
    std::optional<inspect::ReleasePlan> m_plan; // with the user's cap; none while it cannot be read

    QStackedWidget* m_pages = nullptr;
    QWidget* m_planPage = nullptr; // gone once the plan was sent
    QLabel* m_reading = nullptr;
    QLabel* m_owner = nullptr;
    QLineEdit* m_cap = nullptr;
    QLabel* m_capError = nullptr;
    QLineEdit* m_reason = nullptr;
    CommandBox* m_command = nullptr;
    ReleaseOutcomeView* m_outcome = nullptr;
    QPushButton* m_cancel = nullptr;
    QPushButton* m_execute = nullptr;
};

} // namespace lockscope::widgets
