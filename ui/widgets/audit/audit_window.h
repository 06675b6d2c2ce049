#pragma once

#include "core/service/audit_reader.h"

#include <QDialog>
#include <QFutureWatcher>

class QLabel;
class QLineEdit;
class QPushButton;
class QTreeView;

namespace lockscope::models {
class AuditModel;
} // namespace lockscope::models

namespace lockscope::widgets {

class AuditDetails;
class Prompter;

/// The past attempts to change a lock, as the audit file has them: a table with a filter, one
/// attempt in full, and whether the lines of the file are those that were written. It stands beside
/// the main window. The file is read on another thread, each time the window is shown.
class AuditWindow : public QDialog {
    Q_OBJECT
public:
    /// The prompter outlives the window.
    AuditWindow(service::AuditReader read, Prompter& prompter, QWidget* parent = nullptr);
    ~AuditWindow() override;

protected:
    void showEvent(QShowEvent* event) override;

private:
    void createTable();
    void createActions();
    QWidget* createHead();
    QWidget* createButtons();
    void reload();
    void takeReading();
    void showVerdict();
    void showChosen();
    void showEmptiness();
    void copyLines() const;
    void save(const QString& kind, const QString& fileName, const std::string& text);

    service::AuditReader m_read;
    Prompter& m_prompter;
    QFutureWatcher<service::AuditReading> m_reading;
    QString m_problem;
    models::AuditModel* m_model = nullptr;
    QLabel* m_file = nullptr;
    QLabel* m_verdict = nullptr;
    QPushButton* m_copyHash = nullptr;
    QLineEdit* m_words = nullptr;
    QTreeView* m_table = nullptr;
    QLabel* m_empty = nullptr;
    AuditDetails* m_details = nullptr;
};

} // namespace lockscope::widgets
