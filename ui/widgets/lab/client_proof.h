#pragma once

#include "core/service/proof_runner.h"
#include "ui/models/lab/proof_draft.h"

#include <QObject>
#include <QPointer>

#include <functional>
#include <vector>

class QTabWidget;

namespace lockscope::widgets {

class LabBar;
class Prompter;
class RunView;

/// The proofs of real clients in the laboratory: each find gets a tab as soon as it is there, and
/// what was not found is said.
class ClientProof : public QObject {
    Q_OBJECT
public:
    /// Where runs are shown.
    struct Tabs {
        QTabWidget& widget;
        /// A new one behind the others, with its name and the command that does the same.
        std::function<RunView&(const QString& name, const QString& command)> add;
        std::function<void(RunView&)> bringToFront;
    };

    ClientProof(service::ProofRunner& runner, LabBar& bar, Prompter& prompter, Tabs tabs,
                QWidget* parent);

    /// Asks what is to be proved, and does it.
    void ask();
    void cancel() { m_runner.cancel(); }
    bool isUnderWay() const { return m_runner.progress().isUnderWay(); }

    const models::ProofDraft& draft() const { return m_draft; }
    /// What ask() begins with.
    void setDraft(const models::ProofDraft& draft) { m_draft = draft; }

private:
    /// A find that has, or had, a tab.
    struct Shown {
        conduct::Breach breach;
        int stepCount = 0;
        QPointer<RunView> view; // null: it was closed
    };

    void start(const models::ProofDraft& draft);
    void takeProgress(const service::ProofProgress& progress);
    void takeFind(const conduct::Find& find);
    void showOutcome();
    void show(const conduct::Find& find, const service::ProofOutcome* outcome);
    Shown& placeOf(const conduct::Find& find);
    void putShortestInFront();

    service::ProofRunner& m_runner;
    LabBar& m_bar;
    Prompter& m_prompter;
    Tabs m_tabs;
    QWidget* m_page;
    models::ProofDraft m_draft;
    service::ProofOrder m_order;
    std::vector<Shown> m_shown; // of this proof
    QPointer<QWidget> m_front;  // the tab that was left in front; another one is the user's choice
};

} // namespace lockscope::widgets
