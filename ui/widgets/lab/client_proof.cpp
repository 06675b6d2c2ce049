#include "ui/widgets/lab/client_proof.h"

#include "ui/models/lab/lab_activity.h"
#include "ui/models/lab/run_record.h"
#include "ui/widgets/controls/prompter.h"
#include "ui/widgets/lab/lab_bar.h"
#include "ui/widgets/lab/proof_dialog.h"
#include "ui/widgets/lab/run_view.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace lockscope::widgets {

using service::ProofProgress;

ClientProof::ClientProof(service::ProofRunner& runner, LabBar& bar, Prompter& prompter,
                         AddRun addRun, QWidget* parent)
    : QObject(parent),
      m_runner(runner),
      m_bar(bar),
      m_prompter(prompter),
      m_addRun(std::move(addRun)),
      m_page(parent)
{
    connect(&m_runner, &service::ProofRunner::progressed, this, &ClientProof::takeProgress);
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
    m_runner.start(m_order);
}

void ClientProof::takeProgress(const ProofProgress& progress)
{
    m_bar.showActivity(models::activityOf(progress, m_order.budget));
    if (progress.isOver()) {
        showOutcome();
    }
}

/// The shortest find is in front.
void ClientProof::showOutcome()
{
    const service::ProofOutcome& outcome = m_runner.outcome();
    if (outcome.proof.bugs.empty()) {
        const models::ProofNotice notice = models::noticeOf(outcome, m_order);
        m_prompter.tell(m_page, tr("Prove a client"), notice.text, notice.detail);
        return;
    }
    std::vector<const conduct::Find*> finds;
    for (const conduct::Find& find : outcome.proof.bugs) {
        finds.push_back(&find);
    }
    std::ranges::stable_sort(finds, std::ranges::greater(), &conduct::Find::stepCount);
    for (const conduct::Find* const find : finds) {
        show(*find);
    }
}

void ClientProof::show(const conduct::Find& find)
{
    RunView& view = m_addRun(models::proofTitle(m_draft, find),
                             models::replayCommand(m_draft, find));
    report::RunFile run = models::runOf(m_draft, m_runner.outcome(), find);
    view.promises().show(run.promises, std::string());
    view.showRecord(models::recordOf(std::move(run)), tr("Story"));
}

} // namespace lockscope::widgets
