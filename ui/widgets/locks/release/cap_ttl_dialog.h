#pragma once

#include "core/kernel/base/time.h"
#include "ui/widgets/locks/release/plan_dialog.h"

#include <optional>

class QLineEdit;

namespace lockscope::widgets {

class PlanCommands;

/// Gives a lock without expiry one, if it is still the hold that was looked at. Milder than a
/// release: a holder that is alive and renews keeps its lock.
class CapTtlDialog : public PlanDialog {
    Q_OBJECT
public:
    CapTtlDialog(service::ReleaseDesk& desk, std::function<FactContext()> context,
                 const inspect::LockId& id, QWidget* parent = nullptr);

protected:
    QString takeDetails(const operations::LockDetails& details) override;
    void takeNews(const inspect::LockPtr& /*lock*/) override {}
    QString missing() const override;
    std::vector<inspect::Holder> meant() const override { return m_offer->holders; }
    inspect::ReleasePlan plan() const override { return *m_plan; }
    QString reason() const override;
    QWidget* firstField() const override;

private:
    QWidget* createPage();
    void refreshPlan();

    std::optional<inspect::ReleasePlan> m_offer; // as the desk made it, with some cap
    std::optional<inspect::ReleasePlan> m_plan; // with the user's cap; none while it cannot be read

    QLabel* m_owner = nullptr;
    QLabel* m_silence = nullptr; // what the waiters hear of the end
    QLineEdit* m_cap = nullptr;
    QLabel* m_capError = nullptr;
    QLineEdit* m_reason = nullptr;
    PlanCommands* m_commands = nullptr;
};

} // namespace lockscope::widgets
