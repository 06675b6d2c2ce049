#pragma once

#include "core/kernel/inspect/lock_record.h"

#include <QWidget>

class QLineEdit;

namespace lockscope::models {
class ActivityFilter;
class ActivityModel;
} // namespace lockscope::models

namespace lockscope::widgets {

class ActivityPanel;
class Prompter;

/// The activity, with a box over it that finds lines by words, and what takes them elsewhere:
/// copies of the selected lines, and files with all that are shown.
class ActivityView : public QWidget {
    Q_OBJECT
public:
    /// Both outlive the view.
    ActivityView(models::ActivityModel& activity, Prompter& prompter, QWidget* parent = nullptr);

    /// The times are to be shown otherwise.
    void refresh();
    /// A key that works in the list only.
    void addListAction(QAction* action);

Q_SIGNALS:
    void lockChosen(const lockscope::inspect::LockId& id);

private:
    void createActions();
    QAction* createAction(const QString& name, const QString& text);
    void copy() const;
    void save(const QString& kind, const QString& fileName, const std::string& text);

    Prompter& m_prompter;
    models::ActivityFilter* m_filter = nullptr;
    ActivityPanel* m_list = nullptr;
    QLineEdit* m_words = nullptr;
};

} // namespace lockscope::widgets
