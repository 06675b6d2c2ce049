#pragma once

#include <QObject>

#include <string>

class QWidget;

namespace lockscope::models {
class LockTableModel;
} // namespace lockscope::models

namespace lockscope::widgets {

class LockActions;
class Prompter;

/// Writes what the table of locks shows into a file, as CSV or JSON.
class TableExport : public QObject {
    Q_OBJECT
public:
    /// All of it outlives the object; the questions stand over `window`.
    TableExport(const models::LockTableModel& locks, const LockActions& actions, Prompter& prompter,
                QWidget* window, QObject* parent);

private:
    using Text = std::string (*)(const models::LockTableModel& locks);
    void ask(const QString& filter, const QString& fileName, Text text);

    const models::LockTableModel& m_locks;
    Prompter& m_prompter;
    QWidget* m_window;
};

} // namespace lockscope::widgets
