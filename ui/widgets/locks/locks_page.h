#pragma once

#include "ui/widgets/locks/locks_situation.h"

#include <QWidget>

class QLayout;
class QStackedWidget;

namespace lockscope::models {
class LockTableModel;
} // namespace lockscope::models

namespace lockscope::widgets {

class ColumnsLine;
class DataLine;
class EmptyState;
class FilterLine;
class LockTableView;
class WatchedNamesBar;

/// The table of locks, or, while there is nothing to list, why that is so and what to do about it.
class LocksPage : public QWidget {
    Q_OBJECT
public:
    explicit LocksPage(models::LockTableModel& locks, QWidget* parent = nullptr);

    LockTableView& table() { return *m_table; }
    WatchedNamesBar& watchedNames() { return *m_names; }
    FilterLine& filterLine() { return *m_filterLine; }

    /// Shows what fits the state of the connection and the locks there are.
    void showState(const WatchState& state, Instant now);

    LocksSituation situation() const { return m_situation; }

Q_SIGNALS:
    void stepChosen(lockscope::widgets::EmptyText::Step step);
    /// Other names are called locks than before, all of them as Redis patterns.
    void patternsChanged(const QStringList& patterns);
    /// The keys that are probably data are to be shown, or hidden.
    void probableDataToggled();

private:
    QLayout* createLineBelow();
    void showNearMisses();
    void turnTo(QWidget* widget);
    /// Explains the lock that needs a human without being asked, once, unless the user has chosen
    /// another.
    void offerMostUrgent();

    models::LockTableModel& m_locks;
    LocksSituation m_situation = LocksSituation::NotConnected;
    bool m_hasOffered = false;
    QStackedWidget* m_stack = nullptr;
    LockTableView* m_table = nullptr;
    EmptyState* m_empty = nullptr;
    DataLine* m_data = nullptr;
    ColumnsLine* m_notShown = nullptr;
    FilterLine* m_filterLine = nullptr;
    WatchedNamesBar* m_names = nullptr;
    std::vector<WatchState::Findings> m_findings;
};

} // namespace lockscope::widgets
