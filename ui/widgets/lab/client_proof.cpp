#include "ui/widgets/lab/client_proof.h"

#include "ui/models/lab/lab_activity.h"
#include "ui/models/lab/run_record.h"
#include "ui/widgets/controls/prompter.h"
#include "ui/widgets/lab/lab_bar.h"
#include "ui/widgets/lab/proof_dialog.h"
#include "ui/widgets/lab/run_view.h"

#include <QTabWidget>

#include <algorithm>
#include <utility>

namespace lockscope::widgets {

using service::ProofProgress;

ClientProof::ClientProof(service::ProofRunner& runner, LabBar& bar, Prompter& prompter, Tabs tabs,
                         QWidget* parent)
    : QObject(parent),
      m_runner(runner),
      m_bar(bar),
      m_prompter(prompter),
      m_tabs(std::move(tabs)),
      m_page(parent)
{
    connect(&m_runner, &service::ProofRunner::progressed, this, &ClientProof::takeProgress);
    connect(&m_runner, &service::ProofRunner::found, this, &ClientProof::takeFind);
}

void ClientProof::ask()
{
    auto* dialog = new ProofDialog(m_draft, m_page);
    connect(dialog, &ProofDialog::proofRequested, this, &ClientProof::start);
    dialog->open();
}

void ClientProof::start(const models::ProofDraft& draft)
{
    m_draft = draft;
    m_order = models::readProofDraft(draft).order;
    m_shown.clear();
    m_front = m_tabs.widget.currentWidget();
    m_runner.start(m_order);
}

void ClientProof::takeProgress(const ProofProgress& progress)
{
    m_bar.showActivity(models::activityOf(progress, m_order.budget));
    if (progress.isOver()) {
        showOutcome();
    }
}

void ClientProof::takeFind(const conduct::Find& find)
{
    const bool isFrontOurs = m_tabs.widget.currentWidget() == m_front;
    show(find, nullptr);
    if (isFrontOurs) {
        putShortestInFront();
    }
}

void ClientProof::showOutcome()
{
    const service::ProofOutcome& outcome = m_runner.outcome();
    if (outcome.proof.bugs.empty()) {
        const models::ProofNotice notice = models::noticeOf(outcome, m_order);
        m_prompter.tell(m_page, tr("Prove a client"), notice.text, notice.detail);
        return;
    }
    const bool isFrontOurs = m_tabs.widget.currentWidget() == m_front;
    for (const conduct::Find& find : outcome.proof.bugs) {
        show(find, &outcome);
    }
    if (isFrontOurs) {
        putShortestInFront();
    }
}

/// In a tab of its own, or in that of the find which it replaces. A tab that was closed stays so.
void ClientProof::show(const conduct::Find& find, const service::ProofOutcome* outcome)
{
    const QString command = models::replayCommand(m_draft, find);
    Shown& shown = placeOf(find);
    if (shown.view == nullptr) {
        return;
    }
    RunView& view = *shown.view;
    auto assumptions = models::assumptionsOf(find, outcome);
    const QString storyTitle = models::proofStoryTitle(find, outcome);
    if (view.record().run != nullptr && view.command() == command) {
        view.showAssumptions(std::move(assumptions), storyTitle);
        return;
    }
    shown.stepCount = find.stepCount();
    view.setCommand(command);
    m_tabs.widget.setTabToolTip(m_tabs.widget.indexOf(&view), command);
    report::RunFile run = models::runOf(m_draft, find);
    run.assumptions = std::move(assumptions);
    view.promises().show(run.promises);
    view.showRecord(models::recordOf(std::move(run)), storyTitle);
}

ClientProof::Shown& ClientProof::placeOf(const conduct::Find& find)
{
    const auto known = std::ranges::find_if(m_shown, [&find](const Shown& shown) {
        return isSameKind(shown.breach, find.breach);
    });
    if (known != m_shown.end()) {
        return *known;
    }
    RunView& view = m_tabs.add(models::proofTitle(m_draft, find),
                               models::replayCommand(m_draft, find));
    m_shown.push_back({find.breach, find.stepCount(), &view});
    return m_shown.back();
}

/// Of those with as few steps, the one that was found first.
void ClientProof::putShortestInFront()
{
    RunView* shortest = nullptr;
    int stepCount = 0;
    for (const Shown& shown : m_shown) {
        const bool isOpen = m_tabs.widget.indexOf(shown.view) >= 0;
        if (isOpen && (shortest == nullptr || shown.stepCount < stepCount)) {
            shortest = shown.view;
            stepCount = shown.stepCount;
        }
    }
    if (shortest != nullptr) {
        m_front = shortest;
        m_tabs.bringToFront(*shortest);
    }
}

} // namespace lockscope::widgets
