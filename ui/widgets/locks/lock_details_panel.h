#pragma once

#include "core/service/release_desk.h"
#include "ui/widgets/locks/lock_facts.h"

#include <QWidget>

#include <functional>
#include <optional>

class QLabel;
class QPushButton;
class QScrollArea;
class QStackedWidget;
class QTimer;
class QVBoxLayout;

namespace lockscope::widgets {

class CommandBox;
class DiagnosisView;
class PlanCommands;
class ElidedLabel;
class FactList;
class LockExplanationView;
class VerdictCard;
class WhoView;

/// One lock explained: the verdict first, then the facts, then what can be done, mildest first, and
/// the exact command. It has the release desk read the lock when another one is shown and when the
/// shown one changes.
class LockDetailsPanel : public QWidget {
    Q_OBJECT
public:
    /// Of what happened to a lock, so many lines are shown.
    static constexpr int kHistoryLines = 12;
    /// Changes of the shown lock are gathered for so long before it is read again.
    static constexpr std::chrono::milliseconds kReadPause{300};
    /// How often the countdown facts move.
    static constexpr std::chrono::milliseconds kTick{500};

    /// `context` tells the present and the servers whenever it is asked.
    LockDetailsPanel(service::ReleaseDesk& desk, std::function<FactContext()> context,
                     QWidget* parent = nullptr);

    /// What happened to a lock since it is watched: at most so many lines, oldest first.
    using History = std::function<QStringList(const inspect::LockId& lock, int most)>;
    void setHistory(History history) { m_history = std::move(history); }

    /// Shows another lock; null: none is chosen.
    void showLock(const inspect::LockPtr& lock);
    /// The chosen lock is not in the table. One that is gone stays readable; one that the filter
    /// hides does not, for what can be done here is done to what is chosen there.
    void showAbsent(const inspect::LockId& chosen, bool isHidden);
    /// The shown lock as it is now; others are ignored.
    void updateLock(const inspect::LockChange& change);

    /// While read-only nothing can be released, and the buttons say why.
    void setReadOnly(bool isReadOnly);
    /// While no server can be reached nothing can be released either.
    void setOnline(bool isOnline);

    /// Says everything anew, in the form that the settings ask for by now.
    void refresh();

    inspect::LockPtr lock() const { return m_lock; }
    /// The command that a release of the shown lock would send; empty while it is not known.
    QString releaseCommand() const;

Q_SIGNALS:
    void releaseRequested(const lockscope::inspect::LockId& id);
    void capTtlRequested(const lockscope::inspect::LockId& id);

protected:
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;

private:
    QWidget* createCard();
    void createHeading(QVBoxLayout& layout);
    void createActions(QVBoxLayout& layout);
    void createCommands(QVBoxLayout& layout);

    void showNothing(const QString& why);
    void read();
    void takeDetails(quint64 request, const operations::LockDetails& details);
    void refreshFacts();
    void refreshDiagnosis();
    void refreshHistory();
    void refreshActions();
    void refreshCommands();
    void refreshValues();
    void addValue(const RawValue& value);
    void showRemark(const QString& remark);

    service::ReleaseDesk& m_desk;
    std::function<FactContext()> m_context;
    History m_history;
    inspect::LockPtr m_lock;
    std::optional<operations::LockDetails> m_details;
    std::optional<inspect::ChangeKind> m_end; // how it ended while it was shown
    quint64 m_request = 0;                    // the one whose answer is awaited; 0: none
    bool m_isAbsent = false;                  // it is not in the table any more
    bool m_isReadOnly = false;
    bool m_isOnline = true;

    QTimer* m_readPause = nullptr;
    QTimer* m_tick = nullptr;
    QStackedWidget* m_stack = nullptr;
    QLabel* m_nothing = nullptr;
    QScrollArea* m_scroll = nullptr;
    ElidedLabel* m_name = nullptr;
    QLabel* m_summary = nullptr;
    QLabel* m_remark = nullptr;
    VerdictCard* m_verdict = nullptr;
    FactList* m_facts = nullptr;
    DiagnosisView* m_diagnosis = nullptr;
    WhoView* m_who = nullptr;
    QPushButton* m_copy = nullptr;
    QPushButton* m_cap = nullptr;
    QPushButton* m_release = nullptr;
    QWidget* m_commands = nullptr;
    QLabel* m_commandCaption = nullptr;
    PlanCommands* m_plan = nullptr;
    CommandBox* m_sameAs = nullptr;
    QLabel* m_historyText = nullptr;
    QVBoxLayout* m_values = nullptr;
    LockExplanationView* m_explanation = nullptr;
    std::vector<RawValue> m_shownValues;
};

} // namespace lockscope::widgets
