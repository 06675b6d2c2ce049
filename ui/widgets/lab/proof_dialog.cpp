#include "ui/widgets/lab/proof_dialog.h"

#include "ui/widgets/controls/command_box.h"
#include "ui/widgets/controls/labels.h"
#include "ui/widgets/controls/layouts.h"
#include "ui/widgets/controls/option_row.h"
#include "ui/widgets/controls/strip.h"
#include "ui/widgets/style/flat_style.h"
#include "ui/widgets/style/theme.h"

#include <QCheckBox>
#include <QComboBox>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QVBoxLayout>

namespace lockscope::widgets {

using namespace Qt::StringLiterals;
using conduct::ClientClock;
using models::ProofDraft;

namespace {

constexpr int kProofWidthInCharacters = 84;
constexpr int kDialogueLines = 7;

} // namespace

ProofDialog::ProofDialog(const ProofDraft& draft, QWidget* parent) : QDialog(parent)
{
    setObjectName(u"proofDialog"_s);
    setAttribute(Qt::WA_DeleteOnClose);
    setWindowTitle(tr("Prove a client"));
    auto* layout = createColumn(this, {20, 18, 20, 16}, 8, {});
    layout->addWidget(createWrappedText(u"proofIntroduction"_s, this));
    findChild<QLabel*>(u"proofIntroduction"_s)
        ->setText(tr("Runs several processes of a real client against a server that Lockscope "
                     "plays, decides what happens next, and looks for the shortest way in which "
                     "a promise breaks."));
    createForm(*layout, draft);
    createButtons(*layout);
    setMinimumWidth(fontMetrics().averageCharWidth() * kProofWidthInCharacters);
    refresh();
    m_command->setFocus();
}

void ProofDialog::createForm(QVBoxLayout& layout, const ProofDraft& draft)
{
    m_command = createEdit(u"proofCommand"_s, draft.command);
    m_command->setAccessibleName(tr("Command of the adapter"));
    m_command->setFont(monospacedFont());
    m_command->setPlaceholderText(u"python3 adapter.py"_s);
    m_lease = createEdit(u"proofLease"_s, draft.lease);
    m_budget = createEdit(u"proofBudget"_s, draft.budget);
    m_clock = new QComboBox(this);
    m_clock->setObjectName(u"proofClock"_s);
    m_clock->addItem(tr("moved by Lockscope"), static_cast<int>(ClientClock::Virtual));
    m_clock->addItem(tr("moved, and real time counts"), static_cast<int>(ClientClock::Flowing));
    m_clock->addItem(tr("its own (Go, static programs)"), static_cast<int>(ClientClock::Real));
    m_clock->setCurrentIndex(m_clock->findData(static_cast<int>(draft.clock)));
    m_leaseRow = new OptionRow(tr("Lease that it asks for"), m_lease, this);
    m_leaseRow->setToolTip(tr("0s: none"));
    m_budgetRow = new OptionRow(tr("Time for the search"), m_budget, this);
    m_honest =
        new QCheckBox(tr("An acquire or extension that is answered after the end of its lease says "
                         "so"),
                      this);
    m_honest->setObjectName(u"proofHonest"_s);
    m_honest->setChecked(draft.asksForHonestLeases);
    m_dialogue = new QPlainTextEdit(this);
    m_dialogue->setObjectName(u"proofDialogue"_s);
    m_dialogue->setAccessibleName(tr("What the adapter is told and answers"));
    m_dialogue->setReadOnly(true);
    m_dialogue->setFont(monospacedFont());
    m_dialogue->setFixedHeight(fontMetrics().lineSpacing() * kDialogueLines + 16);
    m_call = new CommandBox(this);
    m_call->setObjectName(u"proofCall"_s);
    addParts(layout, {gap(4), createCaption(tr("Command of the adapter"), this), m_command, gap(4),
                      m_leaseRow, new OptionRow(tr("Clock of the client"), m_clock, this),
                      m_budgetRow, createServers(draft), m_honest, gap(8),
                      createCaption(tr("What it is told and answers"), this), m_dialogue, gap(8),
                      createCaption(tr("The same on the command line"), this), m_call});
    connect(m_clock, &QComboBox::currentIndexChanged, this, &ProofDialog::refresh);
    connect(m_honest, &QCheckBox::toggled, this, &ProofDialog::refresh);
}

/// Who talks to whom.
QWidget* ProofDialog::createServers(const ProofDraft& draft)
{
    using service::ProofOrder;
    m_server = new QComboBox(this);
    m_server->setObjectName(u"proofServer"_s);
    m_server->addItem(tr("simulated"), false);
    m_server->addItem(tr("real redis-server"), true);
    m_server->setCurrentIndex(m_server->findData(draft.usesRealServer));
    m_processes = createNumber(u"proofProcesses"_s, draft.processCount, ProofOrder::kProcessesMin,
                               ProofOrder::kProcessesMax);
    m_servers = createNumber(u"proofServers"_s, draft.serverCount, 1, ProofOrder::kServersMax);
    m_servers->setToolTip(tr("Independent ones, as Redlock needs them: LOCKSCOPE_URLS has all of "
                             "them"));
    m_replicas = createNumber(u"proofReplicas"_s, draft.replicaCount, 0, ProofOrder::kReplicasMax);
    m_replicas->setToolTip(tr("Of each server, which the client can ask after; a real server has "
                              "none here"));
    auto* rows = new QWidget(this);
    createColumn(rows, {}, 8,
                 {new OptionRow(tr("Server"), m_server, rows),
                  createRow(24, {growing(new OptionRow(tr("Processes"), m_processes, rows)),
                                 growing(new OptionRow(tr("Servers"), m_servers, rows)),
                                 growing(new OptionRow(tr("Replicas"), m_replicas, rows))})});
    connect(m_server, &QComboBox::currentIndexChanged, this, &ProofDialog::refresh);
    return rows;
}

QSpinBox* ProofDialog::createNumber(const QString& name, int value, int least, int most)
{
    auto* box = new QSpinBox(this);
    box->setObjectName(name);
    box->setAlignment(Qt::AlignRight);
    box->setRange(least, most);
    box->setValue(value);
    connect(box, &QSpinBox::valueChanged, this, &ProofDialog::refresh);
    return box;
}

QLineEdit* ProofDialog::createEdit(const QString& name, const QString& text)
{
    auto* edit = new QLineEdit(text, this);
    edit->setObjectName(name);
    connect(edit, &QLineEdit::textChanged, this, &ProofDialog::refresh);
    return edit;
}

void ProofDialog::createButtons(QVBoxLayout& layout)
{
    m_start = createButton(u"proofStart"_s, tr("&Prove"), this);
    m_start->setDefault(true);
    setEmphasis(m_start, Emphasis::Primary);
    auto* cancel = createButton(u"proofCancel"_s, tr("Cancel"), this);
    cancel->setAutoDefault(false);
    connect(m_start, &QPushButton::clicked, this, &ProofDialog::start);
    connect(cancel, &QPushButton::clicked, this, &ProofDialog::reject);
    addParts(layout, {gap(4), createRow(kUsualSpacing, {room(), cancel, m_start})});
}

ProofDraft ProofDialog::draft() const
{
    ProofDraft draft;
    draft.command = m_command->text();
    draft.lease = m_lease->text();
    draft.budget = m_budget->text();
    draft.clock = static_cast<ClientClock>(m_clock->currentData().toInt());
    draft.asksForHonestLeases = m_honest->isChecked();
    draft.processCount = m_processes->value();
    draft.serverCount = m_servers->value();
    draft.replicaCount = m_replicas->value();
    draft.usesRealServer = m_server->currentData().toBool();
    return draft;
}

void ProofDialog::refresh()
{
    if (m_start == nullptr) {
        return; // it is being made
    }
    const ProofDraft now = draft();
    const models::ParsedProof parsed = models::readProofDraft(now);
    m_leaseRow->setError(parsed.leaseError);
    m_budgetRow->setError(parsed.budgetError);
    m_start->setEnabled(parsed.isGood());
    m_start->setToolTip(parsed.commandError);
    m_replicas->setEnabled(!now.usesRealServer);
    m_dialogue->setPlainText(models::dialogueExample(now));
    m_call->setCommand(models::proveCommand(now));
}

void ProofDialog::start()
{
    Q_EMIT proofRequested(draft());
    accept();
}

} // namespace lockscope::widgets
