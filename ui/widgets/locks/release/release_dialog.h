#pragma once

#include "ui/widgets/locks/release/plan_dialog.h"

#include <optional>

class QLineEdit;
class QTimer;
class QVBoxLayout;

namespace lockscope::widgets {

class PlanCommands;
class FactList;
class HolderChooser;
class MilderWays;
class TombstoneChoice;
class TypedEdit;
class VerdictCard;

/// Releases one lock, once the user has named the hold by the last characters of its owner. Nothing
/// is sent before they match. Of several holders one has to be chosen first, or all of them in so
/// many words. Where one hold cannot be told from the next, that is said, the milder way comes
/// first, and the whole name of the key has to be typed. Where a renewal would bring the lock back,
/// the release may leave a tombstone instead.
class ReleaseDialog : public PlanDialog {
    Q_OBJECT
public:
    ReleaseDialog(service::ReleaseDesk& desk, std::function<FactContext()> context,
                  const inspect::LockId& id, QWidget* parent = nullptr);

    /// What the watch knows about the lock by now; other locks are ignored. A fresh reading alone
    /// cannot tell since when it is held, nor whether it is renewed.
    void takeWatched(const inspect::LockPtr& lock);

Q_SIGNALS:
    /// The user prefers the milder way.
    void capTtlRequested(const lockscope::inspect::LockId& id);
    /// The user would rather end the connection of the only holder.
    void disconnectRequested(const lockscope::inspect::LockId& id, const lockscope::Bytes& owner);

protected:
    QString takeDetails(const operations::LockDetails& details) override;
    void takeNews(const inspect::LockPtr& lock) override;
    QString missing() const override;
    std::vector<inspect::Holder> meant() const override;
    inspect::ReleasePlan plan() const override;
    QString reason() const override;
    std::optional<inspect::LockSnapshot> seen() const override;
    QWidget* firstField() const override;

private:
    QWidget* createPage();
    void createMilderWays(QVBoxLayout& layout);
    void showMilderWays(const inspect::LockRecord& known);
    void createTombstone(QVBoxLayout& layout);
    void createConfirmation(QVBoxLayout& layout);

    void showPlan();
    void showChoice();
    void showWarnings();
    void showConfirmation();
    void refreshFacts();
    void showVerdict(const inspect::LockRecord& known);
    void takeTyped();
    QString mismatch() const;

    std::optional<operations::LockDetails> m_details;
    inspect::LockPtr m_watched; // null: the watch does not know it
    QString m_confirmation;     // what has to be typed
    QString m_confirmationName; // what that is: "the last 6 characters of the owner …"

    QTimer* m_tick = nullptr; // times are shown as they are now
    FactList* m_facts = nullptr;
    VerdictCard* m_verdict = nullptr;
    QLabel* m_warnings = nullptr;
    MilderWays* m_milder = nullptr;
    QLabel* m_chooserCaption = nullptr;
    HolderChooser* m_chooser = nullptr;
    QWidget* m_chosen = nullptr; // what depends on whose hold it is
    TombstoneChoice* m_tombstone = nullptr;
    PlanCommands* m_commands = nullptr;
    QLineEdit* m_reason = nullptr;
    QLabel* m_prompt = nullptr;
    TypedEdit* m_typed = nullptr;
};

} // namespace lockscope::widgets
