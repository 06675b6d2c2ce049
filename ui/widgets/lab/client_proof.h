#pragma once

#include "core/service/proof_runner.h"
#include "ui/models/lab/proof_draft.h"

#include <QObject>

#include <functional>

namespace lockscope::widgets {

class LabBar;
class Prompter;
class RunView;

/// The proofs of real clients in the laboratory: each find gets a tab, and what was not found is
/// said.
class ClientProof : public QObject {
    Q_OBJECT
public:
    /// A new tab, with its name and the command that does the same.
    using AddRun = std::function<RunView&(const QString& name, const QString& command)>;

    ClientProof(service::ProofRunner& runner, LabBar& bar, Prompter& prompter, AddRun addRun,
                QWidget* parent);

    /// Asks what is to be proved, and does it.
    void ask();
    void cancel() { m_runner.cancel(); }
    bool isUnderWay() const { return m_runner.progress().isUnderWay(); }

    const models::ProofDraft& draft() const { return m_draft; }
    /// What ask() begins with.
    void setDraft(const models::ProofDraft& draft) { m_draft = draft; }

private:
    void start(const models::ProofDraft& draft);
    void takeProgress(const service::ProofProgress& progress);
    void showOutcome();
    void show(const conduct::Find& find);

    service::ProofRunner& m_runner;
    LabBar& m_bar;
    Prompter& m_prompter;
    AddRun m_addRun;
    QWidget* m_page;
    models::ProofDraft m_draft;
    service::ProofOrder m_order;
};

} // namespace lockscope::widgets
