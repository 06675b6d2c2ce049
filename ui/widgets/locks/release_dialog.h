#pragma once

#include "locks/lock_facts.h"
#include "release_desk.h"

#include <QDialog>

#include <functional>
#include <optional>

class QLabel;
class QLineEdit;
class QPushButton;
class QStackedWidget;
class QTimer;
class QVBoxLayout;

namespace lockscope::widgets {

class CommandBox;
class ElidedLabel;
class FactList;
class ReleaseOutcomeView;

/// Releases one lock, in three steps: read it afresh and show what a release would do, have the
/// user name the hold by the last characters of its owner, send the plan and show what became of
/// it. Nothing is sent before the characters match; Cancel is the default, always.
class ReleaseDialog : public QDialog {
    Q_OBJECT
public:
    ReleaseDialog(service::ReleaseDesk& desk, std::function<FactContext()> context,
                  const inspect::LockId& id, QWidget* parent = nullptr);

    /// What the watch knows about the lock by now; other locks are ignored. A fresh reading alone
    /// cannot tell since when it is held, nor whether somebody renews it.
    void takeWatched(const inspect::LockPtr& lock);

Q_SIGNALS:
    /// The plan was sent.
    void attempted(quint64 request, const lockscope::inspect::ReleasePlan& plan);
    /// The user prefers the milder way.
    void capTtlRequested(const lockscope::inspect::LockId& id);

private:
    QWidget* createReadingPage();
    QWidget* createConfirmPage();
    void createMilderWay(QVBoxLayout& layout);
    void createConfirmation(QVBoxLayout& layout);
    void createButtons(QVBoxLayout& layout);

    void takeDossier(quint64 request, const service::LockDossier& dossier);
    void showPlan();
    void refreshFacts();
    void showObstacle(const QString& text);
    void refreshReleaseButton();
    void release();
    void finish();
    bool isReasonNeeded() const;

    service::ReleaseDesk& m_desk;
    std::function<FactContext()> m_context;
    inspect::LockId m_id;
    quint64 m_request = 0;
    std::optional<service::LockDossier> m_dossier;
    inspect::LockPtr m_watched; // null: the watch does not know it
    QString m_confirmation;     // what has to be typed

    ElidedLabel* m_title = nullptr;
    QStackedWidget* m_pages = nullptr;
    QTimer* m_tick = nullptr;         // times are told as they are now
    QWidget* m_confirmPage = nullptr; // gone once the plan was sent
    QLabel* m_reading = nullptr;
    FactList* m_facts = nullptr;
    QLabel* m_warnings = nullptr;
    QWidget* m_milder = nullptr;
    CommandBox* m_command = nullptr;
    QLineEdit* m_reason = nullptr;
    QLabel* m_prompt = nullptr;
    QLineEdit* m_typed = nullptr;
    ReleaseOutcomeView* m_outcome = nullptr;
    QPushButton* m_cancel = nullptr;
    QPushButton* m_release = nullptr;
};

} // namespace lockscope::widgets
