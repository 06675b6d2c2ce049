#pragma once

#include "ui/models/lab/proof_draft.h"

#include <QDialog>

class QCheckBox;
class QComboBox;
class QLabel;
class QLineEdit;
class QPlainTextEdit;
class QPushButton;
class QSpinBox;
class QVBoxLayout;

namespace lockscope::widgets {

class CommandBox;
class OptionRow;

/// Asks for the command of a real client and how it is to be searched.
class ProofDialog : public QDialog {
    Q_OBJECT
public:
    explicit ProofDialog(const models::ProofDraft& draft, QWidget* parent = nullptr);

    models::ProofDraft draft() const;

Q_SIGNALS:
    void proofRequested(const lockscope::models::ProofDraft& draft);

private:
    void createForm(QVBoxLayout& layout, const models::ProofDraft& draft);
    void createButtons(QVBoxLayout& layout);
    QWidget* createServers(const models::ProofDraft& draft);
    QSpinBox* createNumber(const QString& name, int value, int least, int most);
    QLineEdit* createEdit(const QString& name, const QString& text);
    void refresh();
    void start();

    QLineEdit* m_command = nullptr;
    QLineEdit* m_lease = nullptr;
    QLineEdit* m_budget = nullptr;
    QComboBox* m_clock = nullptr;
    QComboBox* m_server = nullptr;
    QSpinBox* m_processes = nullptr;
    QSpinBox* m_servers = nullptr;
    QSpinBox* m_replicas = nullptr;
    QCheckBox* m_honest = nullptr;
    OptionRow* m_leaseRow = nullptr;
    OptionRow* m_budgetRow = nullptr;
    QPlainTextEdit* m_dialogue = nullptr;
    CommandBox* m_call = nullptr;
    QPushButton* m_start = nullptr;
};

} // namespace lockscope::widgets
